### Rarely used fields of the editor, exemption reasons, prices with tax, and how amounts come about.

editor-change-invoice = Edit invoice
editor-change-creditNote = Edit credit note
editor-change-debitNote = Edit debit note
more-document = More about this document
more-line = More about this line
more-line-number = More about line { $line }
more-errors = { $count ->
    [one] 1 mistake
   *[other] { $count } mistakes
}
group-references = References
group-period = Period
group-payment = Payment and payee
group-allowances = Allowances and charges
group-taxCurrency = Tax currency and exchange rate
group-prepaid = Prepaid and rounding
field-period-start = From
field-period-end = To
field-means-of-payment = Means of payment
field-account = Account (IBAN)
field-account-name = Account holder
field-provider = Bank (BIC)
field-remittance = Text on the transfer
field-exemption-reason = Exemption reason in words
field-kind = Kind
field-amount = Amount
field-percent = Percent
field-base = Base amount
field-reason-code = Reason
field-reason-text = Reason in words
field-of-item = { $field }, { $kind } { $item }
kind-of-item-any = allowance or charge
add-allowance = Add an allowance
add-charge = Add a charge
remove-item = Remove { $kind } { $item }
item-removed = Removed. Undo brings it back.
base-of-document = Empty: the sum of the lines
base-of-line = Empty: the amount of the line
amount-computed = Empty: computed
none-chosen = None
same-currency = As the document
exchange-rate-hint = { $tax } for 1 { $currency }
# A buyer was chosen whose remembered currency is another one than that of the document.
buyer-currency-kept = { $name } is usually invoiced in { $other }. The document stays in { $own }, because it has amounts.
buyer-currency-change = Change to { $currency } without converting the amounts
# Somebody has left the form before the answer came.
similar-unseen = Not sent to { $organization }: the same buyer has a document with the same total. To decide, open it in Unsent drafts and save it again.
similar-offline = There is no connection, so only what this computer knows was compared. Before the document is sent, the service is asked as well.
similar-kept = Not sent: there is already a document with this buyer and total: { $documents }.
similar-open = Open { $document }
similar-send = Send anyway
similar-send-of = Send anyway: { $draft }
not-sent-unseen = Not sent to { $organization }: the document needs your attention first. What you typed is kept: open it in Unsent drafts and save it again.
# Fills in the remembered buyer whose tax id was typed.
use-known-buyer = Fill in this buyer
# A buyer that another organization of the account alone has invoiced, or the organization itself.
buyer-known-elsewhere = { $buyer } is a buyer of { $other }, and not of { $own } so far. Is this the right organization?
buyer-is-own = This is the tax id of { $own } itself. Is this the right buyer?
buyer-doubt-agree = Yes, it is
# The buyer as it was typed is remembered otherwise, or a saved document says something else than is remembered.
known-other-tax-id = { $name } is remembered with the tax id { $taxId }.
known-without-tax-id = { $name } is remembered without a tax id.
known-other-name = This buyer is remembered as { $name }.
keep-new-details = Keep the new details
keep-details = Keep the new details of { $name }
keep-all-details = Keep all
leave-details = Leave as remembered
details-kept = The new details of { $name } are kept.
all-details-kept = All new details are kept.
differs-from-remembered = What is remembered of { $name } differs from this document: { $parts }.
differences-title = What is remembered differs from this document.
differences-more = { $count ->
    [one] 1 more item differs.
   *[other] { $count } more items differ.
}
party-part-name = name
party-part-taxId = tax id
party-part-address = address
party-part-contact = contact
party-part-identifiers = other identifiers
party-part-currency = currency
party-part-paymentTerms = payment terms
party-part-dueTerms = due date terms
item-part-name = description
item-part-description = item description
item-part-unit = unit
item-part-price = unit price
item-part-tax = tax
# In a list of remembered buyers or items.
suggestion-forget-hint = Shift+Delete, or the cross, takes a suggestion out of this list.
suggestion-forgotten = No longer suggested
suggestion-restored = Suggested again
action-memory = change what is remembered of buyers and items
error-memory-changed = Someone else changed what is remembered meanwhile, and nothing of yours was kept yet. It was read again: look at it, then try again.
error-memory-exists = Another buyer or item is remembered with this tax id or code. Nothing was changed.
error-memory-gone = This is no longer remembered. Nothing was changed.
error-memory-invalid = These details break a rule, so nothing was changed. Correct them in the document first.
# In the list of all clients.
clients-unsent = { $count ->
    [one] 1 unsent draft on this computer
   *[other] { $count } unsent drafts on this computer
}
price-base-hint = Empty: 1
iban-mistyped = The check digits do not fit. Compare it with the bank's letter.
rounding-hint = Such as 0.02 or -0.02
held-allowances = { $count ->
    [one] 1 allowance
   *[other] { $count } allowances
}
held-charges = { $count ->
    [one] 1 charge
   *[other] { $count } charges
}
line-menu = Line { $line }: more
price-with-tax = Price with tax…
price-with-tax-title = Price with tax, line { $line }
field-price-with-tax = Price of one unit, tax included
price-with-tax-hint = The document has prices without tax. The tax of { $rate } is taken out.
net-price-found = Unit price without tax
net-price-total = The line with tax comes to
net-price-rounded = The unit price is rounded, and the line still comes to exactly what was typed.
net-price-none = No unit price makes the line come to exactly { $typed }: net amount and tax are each rounded. The nearest one makes it { $total }.
net-price-unreadable = Type a number. The line needs a quantity as well.
net-price-use = Use { $price }
net-price-use-nearest = Use the nearest, { $price }
net-price-used = Unit price { $price }
paste-field-price-with-tax = Unit price with tax
paste-no-number = Not a number
paste-prices-rounded = { $count ->
    [one] For 1 line no unit price comes to exactly its price with tax. It gets the nearest one.
   *[other] For { $count } lines no unit price comes to exactly their price with tax. They get the nearest one.
}
paste-prices-unreadable = { $count ->
    [one] 1 line gets no unit price: its price is not a number, or its quantity or tax rate is missing or not a number. Type the price after inserting.
   *[other] { $count } lines get no unit price: their price is not a number, or their quantity or tax rate is missing or not a number. Type the prices after inserting.
}
explain-title = How this amount comes about
explain-back = Back to { $amount }
explain-none = This amount cannot be computed yet. Fill in the marked values first.
explain-rounded = Exactly { $exact }, rounded half away from zero
explain-rounded-before = Exactly { $exact } before rounding, half away from zero
explain-cut = { $digits }…
explain-rule = { $term }, rule { $rule }
explain-empty = There is nothing to add up.
amount-lines = Sum of the lines
amount-allowances = Allowances of the document
amount-charges = Charges of the document
amount-net = Net amount
amount-tax = Tax
amount-gross = Total with tax
amount-payable = Payable
amount-taxInTaxCurrency = Tax in the currency of the tax
amount-taxable = Taxable amount, { $tax }
amount-row-tax = Tax, { $tax }
amount-line = Line { $line }
amount-rate = Tax rate
amount-item = { $kind } { $item }
amount-of-line = { $amount }, line { $line }
sign-times = times
sign-percent = percent of it
sign-divided = divided by
sign-plus = plus
sign-minus = minus
key-line-details = More about this line
key-price-with-tax = Price with tax
key-explain = How this amount comes about
allowance-reason-41 = Bonus for work ahead of schedule
allowance-reason-42 = Other bonus
allowance-reason-60 = Manufacturer's consumer discount
allowance-reason-62 = Military status
allowance-reason-63 = Work accident
allowance-reason-64 = Special agreement
allowance-reason-65 = Production error discount
allowance-reason-66 = New outlet discount
allowance-reason-67 = Sample discount
allowance-reason-68 = End-of-range discount
allowance-reason-70 = Incoterm discount
allowance-reason-71 = Point-of-sale threshold allowance
allowance-reason-88 = Material surcharge or deduction
allowance-reason-95 = Discount
allowance-reason-100 = Special rebate
allowance-reason-102 = Fixed long-term discount
allowance-reason-103 = Temporary discount
allowance-reason-104 = Standard discount
allowance-reason-105 = Yearly turnover discount
charge-reason-AA = Advertising
charge-reason-AAA = Telecommunication
charge-reason-AAT = Rush delivery
charge-reason-ABK = Miscellaneous
charge-reason-ABL = Additional packaging
charge-reason-ADR = Other services
charge-reason-ADT = Pick-up
charge-reason-AEO = Collection and recycling
charge-reason-CG = Cleaning
charge-reason-DL = Delivery
charge-reason-FC = Freight
charge-reason-FI = Financing
charge-reason-HD = Handling
charge-reason-LA = Labelling
charge-reason-PC = Packing
charge-reason-SAA = Shipping and handling
charge-reason-SH = Special handling
charge-reason-TAC = Testing
charge-reason-ZZZ = As agreed
payment-means-1 = Not defined
payment-means-10 = Cash
payment-means-20 = Cheque
payment-means-30 = Bank transfer
payment-means-31 = Debit transfer
payment-means-42 = To a bank account
payment-means-48 = Bank card
payment-means-49 = Direct debit
payment-means-54 = Credit card
payment-means-55 = Debit card
payment-means-57 = Standing agreement
payment-means-58 = SEPA credit transfer
payment-means-59 = SEPA direct debit
payment-means-68 = Online payment service
payment-means-97 = Clearing between partners
payment-means-ZZZ = As agreed
exemption-SA-29 = Financial services (article 29)
exemption-SA-29-7 = Life insurance (article 29)
exemption-SA-30 = Real estate transactions (article 30)
exemption-SA-32 = Export of goods
exemption-SA-33 = Export of services
exemption-SA-34-1 = International transport of goods
exemption-SA-34-2 = International transport of passengers
exemption-SA-34-3 = Services for international passenger transport
exemption-SA-34-4 = Supply of a qualifying means of transport
exemption-SA-34-5 = Services for transport of goods or passengers
exemption-SA-35 = Medicines and medical equipment
exemption-SA-36 = Qualifying metals
exemption-SA-EDU = Private education of citizens
exemption-SA-HEA = Private healthcare of citizens
exemption-SA-MLTRY = Qualified military goods
exemption-SA-DUTYFREE = Goods in duty-free markets
exemption-SA-DIPLOMAT = Supplies to diplomatic missions
exemption-SA-OOS = Not subject to VAT
exemption-EU-79-C = Expenses paid for the buyer (article 79)
exemption-EU-132 = Activities in the public interest (article 132)
exemption-EU-132-1A = Public postal services
exemption-EU-132-1B = Hospital and medical care
exemption-EU-132-1C = Care by medical professions
exemption-EU-132-1D = Human organs, blood and milk
exemption-EU-132-1E = Dental technicians and dentists
exemption-EU-132-1F = Groups that share the costs of services
exemption-EU-132-1G = Welfare and social security
exemption-EU-132-1H = Protection of children and young people
exemption-EU-132-1I = Education
exemption-EU-132-1J = Private tuition
exemption-EU-132-1K = Staff of religious institutions
exemption-EU-132-1L = Services of associations to their members
exemption-EU-132-1M = Sport
exemption-EU-132-1N = Culture
exemption-EU-132-1O = Fund-raising events
exemption-EU-132-1P = Transport of the sick
exemption-EU-132-1Q = Public radio and television
exemption-EU-135-1 = Insurance, finance and property (article 135)
exemption-EU-143 = Imports (article 143)
exemption-EU-144 = Services on imported goods (article 144)
exemption-EU-146-1E = Services on exported goods (article 146)
exemption-EU-148 = International transport (article 148)
exemption-EU-151 = Diplomats and international bodies (article 151)
exemption-EU-153 = Agents of exempt supplies (article 153)
exemption-EU-159 = Services on goods in warehouses (article 159)
exemption-EU-309 = Travel agents outside the EU (article 309)
exemption-EU-D = Margin scheme of travel agents
exemption-EU-F = Margin scheme of second-hand goods
exemption-EU-I = Margin scheme of works of art
exemption-EU-J = Margin scheme of antiques
exemption-EU-AE = Reverse charge
exemption-EU-G = Export outside the EU
exemption-EU-IC = Supply to another country of the EU
exemption-EU-O = Not subject to VAT
