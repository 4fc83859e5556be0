### Tax authorities: what they say about a document.

submission = Tax authority
submission-cleared = The tax authority has cleared { $number }.
submission-reported = The tax authority has been told about { $number }.
submission-accepted = The tax authority has accepted { $number }.
submission-remarks = The tax authority has accepted { $number }, with remarks:
submission-rejected-text = The tax authority has rejected { $number }. It keeps its number: correct it and issue it again.
submission-pending-text = { $number } is issued and waits for the tax authority. Nothing is lost: it is sent again by itself until there is an answer. It can be frozen after that.
submission-unanswered-text = { $number } is issued. The tax authority may have received it and has not answered. Nothing is lost: the same document is sent again by itself until there is an answer. It can be frozen after that.
submission-send-now = Send now
submission-next = Next attempt at { $time }.
rejection-title = The tax authority has rejected this document. What it says:
facet-submission = Tax authority
view-authority-waiting = At the authority
view-authority-remarks = Remarks
submission-only-remarks = Only with remarks
submission-state-pending = Waiting
submission-state-unanswered = Not answered
submission-state-cleared = Cleared
submission-state-reported = Reported
submission-state-accepted = Accepted
submission-state-rejected = Rejected
submission-state-remarks = With remarks
submission-state-with-remarks = { $state }, with remarks
