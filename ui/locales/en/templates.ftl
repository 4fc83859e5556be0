### Templates and recurring drafts.

templates = Templates
templates-here = Templates are kept on this computer only, encrypted, for you and this organization. Nobody else sees them.
templates-none = There are no templates yet. Open an invoice or a draft and choose Save as template.
templates-unreadable = { $count ->
    [one] 1 template cannot be read on this computer. Its file stays where it is.
   *[other] { $count } templates cannot be read on this computer. Their files stay where they are.
}
templates-search = Search templates
templates-no-match = No template fits.
template-save = Save as template
template-save-hint = Buyer, lines, terms, notes and details are kept. Number and dates are not: the dates are computed when you use it.
template-placeholders = { $month } and { $year } in notes and descriptions become the month and the year of the document.
template-saved = The template is saved.
template-name = Name (optional)
template-unnamed = Template without a name
template-use = New invoice
template-use-of = New invoice from { $name }
template-rename = Rename
template-rename-of = Rename { $name }
template-remove = Delete
template-remove-of = Delete { $name }
template-removed = { $name } is deleted. You can bring it back for a day.
template-restore = Undo
template-schedule = Repeat
template-schedule-of = Repeat { $name }
schedule-frequency = How often
frequency-weekly = Every week
frequency-monthly = Every month
frequency-quarterly = Every three months
frequency-yearly = Every year
schedule-day = Day of the month
schedule-last-day = Last day
schedule-from = From
schedule-until = Until (optional)
schedule-period = Billing period
period-current = The one of the date
period-previous = The one before
period-none = None
schedule-dates = Next drafts: { $dates }
schedule-no-dates = There is no date from today on. No draft will be made.
schedule-hint = A draft is made on this computer when Invoice Desk runs on the date or after it. It is never sent or issued by itself.
schedule-save = Save schedule
schedule-remove = Stop repeating
schedule-next = next on { $date }
schedule-ended = ended
recurring-ready = { $count ->
    [one] 1 recurring draft is ready
   *[other] { $count } recurring drafts are ready
}
recurring-hint = They were made from templates on this computer. Look at each before you send it.
recurring-left-out = { $count ->
    [one] 1 older date was left out: after a pause the last 12 dates get a draft.
   *[other] { $count } older dates were left out: after a pause the last 12 dates get a draft.
}
