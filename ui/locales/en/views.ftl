### Selection, search, saved views and columns of the invoice list.

select-all = Select all of the filter
key-select-all = Select all of the filter
range-too-long = A range has at most { $count } rows. Select all of the filter instead.
range-not-loaded = The rows in between could not be read, and are not selected.
search-as-amount = Documents with the amount { $amount }.
search-as-number = Documents with { $text } in the number.
search-numbers-instead = { $count ->
    [one] Show the one with { $text } in the number
   *[other] Show the { $count } with { $text } in the number
}
search-amount-instead = { $count ->
    [one] Show the one with the amount { $amount }
   *[other] Show the { $count } with the amount { $amount }
}
