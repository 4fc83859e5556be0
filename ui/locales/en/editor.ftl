### Invoice editor, drafts and conflicts.

editor-new-invoice = New invoice
editor-new-creditNote = New credit note
editor-new-debitNote = New debit note
draft-saved = Kept on this computer
draft-not-saved = Not kept
save-to = Save to { $organization }
save-issue = Save and issue
save-issue-title = Save and issue this document?
save-issue-freeze-confirm = Save, issue and freeze
save-issue-freeze-hint = If it is frozen as well, nobody can ever change anything about it.
save-issue-busy = Working on it; this window shows how it ends.
saved-not-issued = Saved as a draft to the books, but not issued. Nothing has to be typed again.
issued-not-frozen = Saved and issued as { $number }, but not frozen.
finish-both = Issue and freeze
queued-not-issued = Kept here, and not issued. It is sent to { $organization } as a draft as soon as there is a connection.
saved-announcement = Saved to { $organization }
discard-draft = Discard draft
discard-draft-title = Discard this draft?
discard-draft-hint = What you typed here is deleted from this computer. The service's books do not change.
keep-draft = Keep it
section-header = Dates and currency
section-buyer = Buyer
section-lines = Lines
field-issue-date = Issue date
field-due-date = Due date
field-supply-date = Supply date
field-currency = Currency
field-note = Note to the buyer
field-note-ar = Note to the buyer, in Arabic
field-buyer-name = Name
field-buyer-name-ar = Name in Arabic
field-buyer-name-en = Name in English
field-tax-id = Tax id
field-street = Street
field-building = Building
field-district = District
field-city = City
field-postal-code = Postal code
field-country = Country
field-reason = Reason for the correction
field-corrected = Corrected document
field-lines = Lines
field-description = Description
field-description-ar = Description in Arabic
field-description-en = Description in English
field-quantity = Quantity
field-unit = Unit
field-unit-price = Unit price
field-tax-category = Tax
field-tax-rate = Rate %
field-exemption = Exemption code
field-of-line = { $field }, line { $line }
line-number = Line { $line }
column-line = No.
line-actions = Actions
two-languages = Both languages
add-line = Add a line
remove-line = Remove line { $line }
line-removed = Line removed.
undo = Undo
lines-pasted = { $count ->
    [one] 1 line pasted
   *[other] { $count } lines pasted
}
paste-title = Lines from the clipboard
paste-columns-hint = Check which column is what. Nothing is inserted before you confirm, and one Undo takes it back.
paste-column = Field of column { $column }
paste-header = The first row names the columns
paste-more = { $count ->
    [one] 1 more row
   *[other] { $count } more rows
}
paste-insert = { $count ->
    [one] Insert 1 line
   *[other] Insert { $count } lines
}
paste-unknown-unit = Unknown unit
paste-unknown-units = Not known here as a unit: { $units }. These lines get the unit of the line before them.
paste-field-description = Description
paste-field-quantity = Quantity
paste-field-unit = Unit
paste-field-unitPrice = Unit price
paste-field-taxRate = Tax rate %
paste-field-ignored = Leave out
line-count = { $count ->
    [one] 1 line
   *[other] { $count } lines
}
no-totals = Totals appear once every line has a quantity and a price.
no-totals-item = Totals appear once each allowance and charge has an amount or a percentage.
no-totals-yet = Totals appear once the marked values can be read.
tax-category-S = Standard rate
tax-category-Z = Zero rate
tax-category-E = Exempt
tax-category-O = Not subject to tax
tax-category-AE = Reverse charge
tax-category-G = Export, free of tax
tax-category-K = Supply within the European Union
tax-category-L = Canary Islands (IGIC)
tax-category-M = Ceuta and Melilla (IPSI)
tax-category-B = Split payment
compare-title = Someone else changed this document
compare-hint = Both of you changed these. Choose for each; nothing is saved until you do.
compare-none = Your changes do not overlap. Take theirs in and save again.
compare-before = Before:
compare-mine = Mine
compare-theirs = Theirs
keep-mine = Keep mine
keep-theirs = Keep theirs
compare-use = Use these
empty-value = empty
unknown-outcomes = Outcome unknown
outcome-arrived = It had arrived. Here it is.
outcome-not-arrived = It had not arrived. Your draft is open again.
queued-announcement = Kept here. It is sent to { $organization } as soon as there is a connection.
unreadable-title = { $count ->
    [one] 1 draft of this computer cannot be read
   *[other] { $count } drafts of this computer cannot be read
}
unreadable-hint = What cannot be read is kept as it is. Nothing is deleted unless you do it.
unreadable-keyringLocked = The keyring is locked. It has the key of this draft.
unreadable-otherKey = Its key is no longer in the keyring. It can be read again once your earlier keyring is back.
unreadable-newerVersion = A newer version of Invoice Desk saved it. It opens after an update.
unreadable-damaged = Its file is damaged.
unreadable-notReadable = Its file cannot be read from the disk.
unreadable-replaced = An earlier draft of a document that you have gone on with since.
unreadable-copy = Save copies
unreadable-copy-path = Copy the folder's path
unreadable-copied = { $count ->
    [one] 1 copy saved
   *[other] { $count } copies saved
}
unreadable-copied-to = { $count ->
    [one] 1 copy is in { $folder }. It can hold what you typed in clear text.
   *[other] { $count } copies are in { $folder }. They can hold what you typed in clear text.
}
unreadable-delete = Delete
unreadable-delete-label = Delete the draft of { $time } that cannot be read
unreadable-delete-title = Delete this draft?
unreadable-delete-hint = What is in it cannot be brought back. If you keep it, it may be readable again later.
unreadable-deleted = Draft deleted
draft-left = Saved to the books. Its draft could not be removed from this computer yet; it is not sent again, and is removed later.
drafts-waiting = Waiting to be sent
drafts-waiting-hint = Saved. They are sent to { $organization } by themselves as soon as it can be reached and takes them. Opening one keeps it here until you save it again.
drafts-refused = Not accepted
drafts-refused-hint = Sent to { $organization } later, and not accepted. Nothing was written. Open one and save it to see why.
drafts-sent = { $count ->
    [one] 1 draft was sent.
   *[other] { $count } drafts were sent.
}
drafts-not-accepted = { $count ->
    [one] 1 draft was not accepted. It is in Unsent drafts.
   *[other] { $count } drafts were not accepted. They are in Unsent drafts.
}
no-drafts = No drafts for { $organization }.
no-drafts-hint = What you type is kept here, on this computer, until it is saved to the books.
no-buyer-yet = No buyer yet
saved-at = kept { $time }
