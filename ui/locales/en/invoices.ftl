### Invoice list with filters and sums, detail, issuing and freezing.

filter = Filter
add-filter = Add a filter
clear-filters = Clear filters
remove-filter = Remove the filter { $filter }
refresh = Refresh
facet-status = Status
facet-payment = Payment
facet-kind = Kind
facet-issued = Issued
facet-due = Due
facet-gross = Amount
facet-currency = Currency
facet-is = { $name }: { $value }
facet-between = { $name }: { $from } to { $to }
facet-from = { $name }: from { $from }
facet-to = { $name }: up to { $to }
preset-month = This month
preset-last-month = Last month
preset-year = This year
status-draft = Draft
status-issued = Issued
status-frozen = Frozen
status-rejected = Rejected
status-since = { $status } { $time }
kind-invoice = Invoice
kind-creditNote = Credit note
kind-debitNote = Debit note
column-selected = Selected
column-number = Number
column-buyer = Buyer
column-issued = Issue date
column-due = Due
column-gross = Gross
column-status = Status
clear-selection = Clear the selection
selected = { $count ->
    [one] 1 selected
   *[other] { $count } selected
}
filter-sum = { $count ->
    [one] 1 invoice:
   *[other] All { $count }:
}
net = Net
tax = Tax
gross = Gross
payable = Payable
tax-of = VAT { $rate }
tax-of-category = VAT: { $rate }
tax-category-rate = { $category } { $rate }
empty-filtered = No invoice fits these filters.
empty-list = { $organization } has no invoices yet.
detail = Invoice
offline-as-of = As of { $time }, { $age }
both-theirs = Changed by { $who } at { $time }
both-mine = Changed by you
detail-empty = Choose an invoice to see it here.
issue = Issue
freeze = Freeze
edit = Edit
credit-note = Credit note
duplicate = Duplicate
number-pending = Given when it is issued
issue-title = Issue this document?
issue-hint = It gets its number now. From then on nothing in it can be edited; a credit note corrects it.
issue-confirm = Issue
issued-announcement = Issued as { $number }
freeze-title = Freeze this document?
delete-document = Delete
delete-document-title = Delete this saved draft?
delete-document-hint = It is deleted from { $organization }'s books, for everybody. This cannot be undone. Only its history stays.
deleted-announcement = The draft is deleted
freeze-hint = A frozen document never changes again. It can only be corrected by a credit note that names it.
freeze-confirm = Freeze for good
frozen-announcement = { $number } is frozen
