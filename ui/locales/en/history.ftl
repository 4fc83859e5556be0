### History of a document, differences between versions, and conflicts.

section-history = History
show-history = Show the history
no-history = The service has no history of this document.
list-more = Show more
list-shown = Now shown: { $count }
list-end = All { $count } are shown.
history-first = The document began with this.
history-earliest = What it was before is no longer kept.
history-unread = What it was before could not be read.
history-no-change = No field of the document changed.
history-created = Created
history-updated = Changed
history-issued = Issued
history-rejected = Rejected by the tax authority
history-frozen = Frozen
history-deleted = Deleted
history-cleared = Cleared by the tax authority
history-reported = Reported to the tax authority
history-accepted = Accepted by the tax authority
history-unanswered = No answer from the tax authority
history-attachment_added = Attachment added
history-attachment_removed = Attachment removed
history-other = Other change: { $action }
# Who has answered for the tax authority: it takes the place of a name.
history-by-authority = The tax authority
line-was-added = Added
line-was-removed = Removed
no-line = not there
part-of-buyer = Buyer: { $field }
part-correction = What it corrects
part-period = Period
part-purchase-order = Purchase order
part-buyer-reference = Reference of the buyer
part-contract = Contract
part-project = Project
part-sales-order = Sales order
part-despatch-advice = Delivery note
part-receiving-advice = Receipt of goods
part-accounting = Account of the buyer
part-payment = Payment details
part-payment-terms = Terms of payment
part-tax-currency = Currency of the tax
part-exchange-rate = Exchange rate
part-prepaid = Already paid
part-rounding = Rounding
part-allowances-charges = Allowances and charges
part-allowance = Allowance
part-charge = Charge
part-item-code = Item code
part-buyer-item-code = Item code of the buyer
part-order-line = Line of the order
part-line-note = Note
part-price-base = Price is for
part-added-lines = Added lines
part-order = Order of the lines
period-range = { $from } to { $to }
compare-who = { $who } changed it { $age }, on { $time }.
compare-when = It was changed { $age }, on { $time }.
compare-both = Both
compare-open = { $count ->
    [0] All chosen. You can still change the result before you save it.
    [one] 1 choice is open. Keys 1 and 2 choose.
   *[other] { $count } choices are open. Keys 1 and 2 choose.
}
compare-merged-theirs = { $count ->
    [one] 1 change of theirs is taken in without a question
   *[other] { $count } changes of theirs are taken in without a question
}
compare-merged-mine = { $count ->
    [one] 1 change of mine stays without a question
   *[other] { $count } changes of mine stay without a question
}
compare-later = Back to my draft
