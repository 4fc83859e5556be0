### Insights: ageing, months, taxes.

insights = Insights
insights-period = Period
insights-print = Print
insights-ageing = Open by age
insights-months = Net by month
insights-taxes = Taxes
insights-buyers = Sales by buyer
# The place of a buyer among the largest.
insights-buyer = { $rank }. { $name }
insights-no-buyer = Without a buyer
insights-other-buyers = { $count ->
    [one] { $count } other buyer
   *[other] { $count } other buyers
  }
insights-scope = { $from } to { $to }
insights-as-of = As of { $date }
insights-none = Nothing in this period.
insights-keys = Arrow keys move through the columns.
insights-chart = { $report }, { $currency }
insights-column = { $name }: { $amount }
insights-save = Save { $report } as CSV
insights-saved = Saved
insights-total = Total
insights-open = Open
insights-credit = Buyers get back { $amount }.
insights-credit-column = Owed to buyers
insights-month = Month
insights-invoices = Invoices
insights-credit-notes = Credit notes
insights-tax-kind = Category and rate
insights-tax-category = Category
insights-tax-rate = Rate
insights-taxable = Taxable
age = Days overdue
age-not-due = Not due
age-1-30 = 1 to 30
age-31-60 = 31 to 60
age-61-90 = 61 to 90
age-over-90 = Over 90
period-month = This month
period-last-month = Last month
period-quarter = This quarter
period-last-quarter = Last quarter
period-year = This year
period-last-year = Last year
period-twelve = Last twelve months
