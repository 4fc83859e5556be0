### Attachments of documents.

attachments = Attachments
attachment-add = Attach files
attachment-save = Save
attachment-save-of = Save { $name } as a file
attachment-remove = Remove
attachment-remove-of = Remove { $name }
attachment-remove-title = Remove this attachment?
attachment-remove-hint = The history keeps its name and size, and not its content. Save the file first if you need it.
attachment-keep = Keep it
attachment-removed = The attachment is removed.
attachment-adding = Adding { $name }, { $index } of { $count }
attachments-added = { $count ->
    [one] 1 file is attached.
   *[other] { $count } files are attached.
}
attachments-kept = { $count ->
    [one] 1 file is kept, and is sent with the document.
   *[other] { $count } files are kept, and are sent with the document.
}
attachments-sent = All files are attached.
attachment-limits = Drop or paste files here. Up to { $count }, each { $size } at most: { $types }.
attachment-waiting = Not sent yet
attachment-waiting-hint = Files that are not sent yet are kept on this computer, encrypted. They are sent once the service has the document.
attachment-unreadable = A file that cannot be read on this computer
files-without-document = Files without a document
files-without-document-hint = These files were never sent, and the service no longer has their documents. Save those that you need, then remove them.
files-without-document-remove-hint = It is on this computer only. Save it first if you need it.
size-kb = { $size } KB
size-mb = { $size } MB
attachment-problem-empty = { $file } is empty. It was not attached.
attachment-problem-tooLarge = { $file } is too large: an attachment has 2 MB at most. It was not attached. Make it smaller, or split it.
attachment-problem-tooMany = { $file } was not attached: a document has 10 attachments at most. Remove one, or join files.
attachment-problem-otherType = { $file } was not attached: an invoice can contain PDF, PNG, JPEG, CSV, XLSX and ODS files. Save it as one of these.
attachment-problem-otherContent = { $file } was not attached: its content is not what its name says. Save it again in the program that it is from.
attachment-problem-name = { $file } was not attached: its name is empty, too long, or has characters that no file name has. Rename it.
error-attachment-closed = This document is issued, so its attachments can no longer change. Nothing of it was changed.
error-attachment-content = The service did not accept this file: its content is not what its name says. Save it again in the program that it is from. Nothing else was changed.
action-attach = attach files to documents
paper-save-english = Save the PDF in English
paper-save-arabic = Save the PDF in Arabic
paper-save-both = Save the PDF in both languages
paper-save-ubl = Save the data as UBL
document-more = More
