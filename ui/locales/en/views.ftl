### Selection, search, saved views and columns of the invoice list.

select-all = Select all results
key-select-all = Select all results
range-too-long = A range has at most { $count } rows. Select all results instead.
range-not-loaded = The rows in between could not be read, and are not selected.
search-as-amount = Documents with the amount { $amount }.
search-as-number = Documents with { $text } in the number.
search-as-buyer = Documents with { $text } in the buyer's name or tax id.
search-buyers-instead = { $count ->
    [one] Show the one with { $text } in the buyer
   *[other] Show the { $count } with { $text } in the buyer
}
search-numbers-instead = { $count ->
    [one] Show the one with { $text } in the number
   *[other] Show the { $count } with { $text } in the number
}
search-amount-instead = { $count ->
    [one] Show the one with the amount { $amount }
   *[other] Show the { $count } with the amount { $amount }
}
views = Views
view-all = All
view-drafts = Drafts
view-month = This month
view-overdue = Overdue
view-rejected = Rejected
view-edited = changed
view-save = Save this view
view-name = Name of the view
view-hint = Filter, search, order and columns are kept on this computer, for this organization only.
view-actions = Actions on the view { $view }
view-update = Keep the changes
view-rename = Rename
view-delete = Delete the view
key-views = Open a view
key-columns = Columns
columns = Columns
columns-reset = The usual columns
columns-hint = In the list, drag the edge of a header, or press Alt with an arrow key on it.
column-width = Width
column-earlier = Move { $column } forward
column-later = Move { $column } back
