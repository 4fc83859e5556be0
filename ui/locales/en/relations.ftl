### Originals, credit notes and debit notes of a document.

section-relations = Related documents
corrects = Corrects
corrected-by = Credit notes
remaining-to-credit = Left to credit
not-credited = Nothing of it has been credited.
no-relations = It corrects no other document.
not-in-books = Not in these books
debit-note = Debit note
