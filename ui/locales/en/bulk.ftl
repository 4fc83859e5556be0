### Issuing, freezing, saving and exporting many documents.

bulk-issue = Issue…
bulk-freeze = Freeze…
bulk-save-pdf = Save as PDF…
bulk-save-ubl = Save as UBL…
bulk-run-issue = { $count ->
    [one] Issuing 1 document, started { $time }
   *[other] Issuing { $count } documents, started { $time }
}
bulk-run-freeze = { $count ->
    [one] Freezing 1 document, started { $time }
   *[other] Freezing { $count } documents, started { $time }
}
bulk-run-save = { $count ->
    [one] Saving 1 document as { $format }, started { $time }
   *[other] Saving { $count } documents as { $format }, started { $time }
}
run-button = { $button }: { $run }
bulk-issue-title = Issue documents
bulk-freeze-title = Freeze documents
bulk-save-pdf-title = Save documents as PDF
bulk-save-ubl-title = Save documents as UBL
bulk-documents = Documents
bulk-gross = Gross in { $currency }
bulk-skipped = Left out, in another state
bulk-issue-hint = Each gets its number now and can no longer be edited; a credit note corrects it. A document that is refused stays as it is and does not hold up the others.
bulk-freeze-hint = A frozen document never changes again. It can only be corrected by a credit note that names it.
bulk-save-pdf-hint = Each becomes a file with its number as the name, in a folder that you choose. No file there is overwritten. A draft is marked as one on each page.
bulk-save-ubl-hint = Each becomes an XML file with its number as the name, in a folder that you choose. No file there is overwritten.
bulk-check-running = Checked { $done } of { $total }. Nothing is issued yet.
bulk-check-right = Checked { $done } of { $total }: none would be refused.
bulk-check-refused = Checked { $done } of { $total }: { $refused } would be refused now and stay as they are.
bulk-check-rest = The others are checked when they are issued.
bulk-check-list = What would be refused
bulk-none-to-issue = No draft is selected.
bulk-none-to-freeze = No issued document is selected. Only issued documents can be frozen.
bulk-none-to-save-pdf = No document is selected.
bulk-none-to-save-ubl = No document with a number is selected. A draft gets its number, and its UBL, when it is issued.
bulk-issue-confirm = { $count ->
    [one] Issue 1 document
   *[other] Issue { $count } documents
}
bulk-freeze-confirm = { $count ->
    [one] Freeze 1 document for good
   *[other] Freeze { $count } documents for good
}
bulk-save-confirm = { $count ->
    [one] Choose a folder for 1 file…
   *[other] Choose a folder for { $count } files…
}
bulk-collecting = Reading the documents: { $done } of { $total }. Nothing is changed yet.
bulk-issuing = Issuing: { $done } of { $total }
bulk-freezing = Freezing: { $done } of { $total }
bulk-saving = Saving in { $folder }: { $done } of { $total }
bulk-issue-stopped = Issuing was stopped after { $done } of { $total }. The others are as they were.
bulk-freeze-stopped = Freezing was stopped after { $done } of { $total }. The others are as they were.
bulk-save-stopped = Saving was stopped after { $done } of { $total }. The files that were saved are complete, in { $folder }.
bulk-issue-interrupted = Issuing was interrupted after { $done } of { $total }. What is done is kept, and nothing is issued twice.
bulk-freeze-interrupted = Freezing was interrupted after { $done } of { $total }. What is done is kept.
bulk-save-interrupted = Saving was interrupted after { $done } of { $total }. The files that were saved are complete, in { $folder }, and no document is saved twice.
bulk-changed = Nothing was changed: the filter now has { $found } documents or other sums, and you confirmed { $confirmed }. Look at the list, then start again.
bulk-issued = { $count ->
    [one] 1 document is issued.
   *[other] { $count } documents are issued.
}
bulk-frozen = { $count ->
    [one] 1 document is frozen.
   *[other] { $count } documents are frozen.
}
bulk-saved = { $count ->
    [one] 1 file is in { $folder }.
   *[other] { $count } files are in { $folder }.
}
bulk-issued-partly = { $done } issued, { $failed } not. Each has its reason.
bulk-frozen-partly = { $done } frozen, { $failed } not. Each has its reason.
bulk-saved-partly = { $done } saved in { $folder }, { $failed } not. Each has its reason.
bulk-save-problem-noSpace = The disk is full. The files that were saved are complete and stay in the folder. Make room, then continue.
bulk-save-problem-notPermitted = You may not write in the folder. The files that were saved are complete and stay there. Continue once you may, or start again with another folder.
bulk-save-problem-readOnly = The folder can only be read. The files that were saved are complete and stay there. Continue once it can be written, or start again with another folder.
bulk-save-problem-missing = The folder is not there any more, so nothing more was saved. The files that were saved are still in it. Bring it back or connect its disk, then continue; or start again with another folder.
bulk-save-problem-other = The disk did not take a file. The files that were saved are complete and stay in the folder. Continue, or start again with another folder.
error-offline-files = No connection, so no more documents can be fetched. The files that were saved are complete and stay in the folder. It goes on from there once you are online.
bulk-continue = Continue
bulk-show = Show
bulk-stop = Stop
bulk-leave = Do not continue
bulk-done = Close and remove from the list
bulk-background = Go on in the background
bulk-count-done = Done
bulk-count-failed = Failed
bulk-count-left = Left
bulk-not-durable = The keyring is not available, so this cannot be continued after the application has ended.
bulk-shown = Show
bulk-shown-all = All documents
bulk-shown-failed = Only those that failed
bulk-results = Documents
bulk-no-results = None
bulk-outcome-left = Left
bulk-outcome-saved = Saved as { $file }
bulk-outcome-failed = Failed
bulk-outcome-fileNotSent = A file was not sent, so it is not issued
bulk-outcome-rejected = Rejected by the tax authority
bulk-open = Open
bulk-open-of = Open { $document }
bulk-previous = Previous page
bulk-next = Next page
bulk-page = { $from } to { $to } of { $total }
export = Export
export-all = Export all
export-list = The list as one file
export-files = A file for each document
export-csv = CSV, for any program
export-xlsx = Excel workbook
export-rows = { $file }: { $rows } of { $total } rows
export-prepared = { $file }: the service prepares the workbook.
export-size = { $file }: { $size } KB
export-finished = { $count ->
    [one] { $file } is complete, with 1 document.
   *[other] { $file } is complete, with { $count } documents.
}
export-finished-uncounted = { $file } is complete.
notice-exported-uncounted = The export is ready.
export-cancelled = { $file } was cancelled. There is no half-written file.
export-failed = { $file } could not be written. There is no half-written file.
export-problem-noSpace = The disk is full. Make room, or choose another place.
export-problem-notPermitted = You may not write there. Choose another place.
export-problem-readOnly = What you chose can only be read. Choose another place.
export-problem-missing = The folder is not there any more. Choose another place.
export-problem-other = The disk did not take the file. Choose another place.
export-offline = No connection, so the documents could not be fetched. Start again once you are online.
export-interrupted = { $file } was not finished before the application ended. There is no half-written file.
export-again = Start again
key-export = Export
error-filter-unreadable = The filter has a value that cannot be read. Correct it above the list, or remove it.
