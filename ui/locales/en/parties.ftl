### Remembered buyers and items, due dates by terms, and documents that may be repeated.

remembered-buyers = Buyers you have invoiced
remembered-items = Items you have invoiced
buyer-filled = Filled in { $name }. { $keys } takes it back.
item-filled = Item filled in.
item-filled-last-price = Item filled in with this buyer's last price.
same-tax-id = { $name } has the same tax id.
field-terms = Due in
terms-hint = +30, eom or eom+15
terms-result = Due { $date }
terms-unreadable = Type days, as +30, or eom.
due-date-set = Due date: { $date }
similar-title = { $count ->
    [one] Already invoiced?
   *[other] Already invoiced { $count } times?
}
similar-hint = The same buyer has a document with the same total in these days. Nothing has been sent yet.
similar-back = Back to the form
similar-save = Save a new one
action-remember = remember this buyer and these items
