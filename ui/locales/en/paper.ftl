### The printed document, files of documents, and invoice files of other programs.

paper = Printed document
paper-of = { $title } on paper
paper-hide = Hide the printed document
paper-preview = Preview
paper-language = Language of the paper
paper-english = English
paper-arabic = Arabic
paper-both = English and Arabic
paper-smaller = Smaller
paper-larger = Larger
paper-print = Print
paper-pages = Pages
paper-page = Page { $page } of { $total }: { $title }
paper-more = { $count ->
    [one] 1 more page is printed.
   *[other] { $count } more pages are printed.
}
paper-pdf = PDF/A-3, with the invoice data inside
paper-pdf-draft = PDF, marked as a draft
paper-data = Invoice data
paper-ubl-later = UBL (XML), once it is issued
paper-saved = Saved as { $name }.
error-offline-file = No connection, so the document could not be fetched. Nothing was printed or saved. Try again once you are online.
error-not-printed = The pages of this document could not be made. Nothing of it was changed.
action-save = save documents as files
action-print = print documents
key-print = Print
key-paper = Printed document

key-import = Open an invoice file
import-file = Open an invoice file
import-drop = Drop invoice files to read them
import-clipboard = Clipboard
import-title = Invoice file: { $name }
import-title-of = Invoice file { $index } of { $count }: { $name }
import-reading = Reading the file
import-content = What the file says
import-close = Close, keep nothing
import-next = Next file
import-left = { $count ->
    [one] One invoice file is not opened yet: { $files }.
   *[other] { $count } invoice files are not opened yet: { $files }.
}
import-more-files = { $count ->
    [one] 1 more
   *[other] { $count } more
}
import-unread-file = a file that cannot be read
import-forget = Close without opening
import-create = Create a draft
import-kind = Document
import-seller = Seller
import-format = File
import-syntax-xml = { $syntax }
import-syntax-pdf = { $syntax } inside a PDF
import-buyer = { $organization } is the buyer of this invoice, so it is not one of its own. You can check it here; no draft can be made of it.
import-neither = { $organization } is neither the seller nor the buyer of this invoice. You can check it here; no draft can be made of it in this organization.
import-unknown = The tax id of { $organization } is not known on this computer yet. Look at the seller before you create a draft.
import-no-violations = It breaks no rule of EN 16931 or of the seller's country.
import-violations = { $count ->
    [one] It breaks 1 rule
   *[other] It breaks { $count } rules
}
import-more-violations = { $count ->
    [one] And 1 more.
   *[other] And { $count } more.
}
import-unread = Not in the draft
unread-number = A draft gets its number when it is issued.
unread-noField = Documents have no field for this.
unread-notInForm = The form has no field for this.
unread-ofIssuedFile = This belongs to the file that was issued: counter, hash and QR code.
unread-otherTotal = The draft comes to another total than the file says.
file-problem-unreadable = This file cannot be opened: it has been moved or deleted, or you may not read it. Nothing was kept of it.
file-problem-empty = This file is empty. Nothing was kept of it.
file-problem-tooLarge = This file is too large for an invoice: XML has 4 MB at most, a PDF 16 MB. Nothing was kept of it.
file-problem-notAnInvoice = This file is not an invoice that can be read. UBL, CII and PDF files with one of them inside can be read. Nothing was kept of it.
file-problem-pdfWithoutInvoice = This PDF has no invoice data inside that can be read. It may be a scan, or protected. Ask the sender for the XML file.
file-problem-malformed = This file is damaged: it is not well-formed XML. Ask the sender for it again. Nothing was kept of it.
file-problem-documentType = This file has a document type declaration or an entity, which no invoice needs and attacks use. It was not read, and nothing was kept of it.
file-problem-encoding = This file is in an encoding that is not read, or not in the one that it names. Ask the sender for it in UTF-8.
file-problem-beyondLimits = This file has more lines, levels or unknown elements than an invoice. It was not read to its end, and nothing was kept of it.
