### Originals, credit notes and debit notes of a document.

section-relations = Related documents
corrects = Corrects
corrected-by = Credit notes
debited-by = Debit notes
remaining-to-credit = Left to credit
not-credited = Nothing of it has been credited.
no-relations = It corrects no other document.
not-in-books = Not in these books
open-document = Open it
debit-note = Debit note
credit-title = Credit note for { $number }
credit-hint = Tick the lines to give back, and lower their quantities where it is not all of them. The note then opens in the form.
credit-all = All lines
credit-line-left = Left: { $quantity } ({ $unit }) at { $price }
credit-line-credited = Credited in full
credit-quantity-of = Quantity to credit, { $line }
credit-above-left = At most { $left }
credit-sum = This credit note, with tax
credit-too-much = This comes to { $sum }, and only { $remaining } is left to credit. The note cannot be issued unless it is lowered.
credit-nothing-left = This document is credited in full. Nothing is left to give back.
credit-fixed-amounts = Allowances and charges are taken over whole. Check them in the form.
credit-other = Other lines
credit-whole = Credit all of it
issue-hint-credit-note = It gets its number now. From then on nothing in it can be edited.
freeze-hint-credit-note = A frozen document never changes again.
credit-continue = { $count ->
    [0] Continue
    [one] Continue with 1 line
   *[other] Continue with { $count } lines
}
