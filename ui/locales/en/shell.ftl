### Application shell: title bar, navigation, status bar, shortcuts, organizations.

switcher-button = , switch organization
switcher-title = Switch organization
switcher-search = Name, domain or id
switcher-none = No organization of yours has this name.
home = Home
roles-as-of = As of { $time }
rename = Rename { $organization }
alias = Your name for it
alias-hint = Only on this computer. Leave it empty to show the domain.
alias-remove = Remove the name
role-viewer = Viewer
role-clerk = Clerk
role-accountant = Accountant
role-administrator = Administrator
search-label = Search invoices by buyer or number
search-placeholder = Buyer, number or tax id
search-clear = Clear the search
new-invoice = New invoice
navigation-label = Sections
invoices = Invoices
drafts = Drafts
connectivity-online = Online
connectivity-offline = No connection
connectivity-ended = Signed out
updated-at = Updated { $time }
writes-waiting = { $count ->
    [one] 1 write waiting, retry in { $time }
   *[other] { $count } writes waiting, retry in { $time }
}
reads-waiting = { $count ->
    [one] Trying again in { $time }
   *[other] { $count } requests waiting, retry in { $time }
}
pending-retries = What waits
outage-safe = Nothing is lost: what you have typed is kept on this computer, and waiting drafts are sent when the service answers.
outage-next = It is tried again by itself. You can go on writing drafts meanwhile. If it lasts, give the support details to your administrator.
outage-drafts = Go to the drafts
trying-now = Trying now…
trying-again = Trying again in { $seconds } s.
org-id = org
render-error = This window could not be drawn. That is our mistake; what you typed is kept. Open the window anew and go on where you were.
reload-window = Open it anew
close = Close
choose = Choose…
cancel = Cancel
save = Save
back = Back
loading = Loading…
copied = Copied
not-copied = Could not be copied
from = From
to = To
open-calendar = Open the calendar
this-organization = this organization
this-environment = this environment
shortcuts = Keyboard shortcuts
keys-everywhere = Everywhere
keys-list = In the list
keys-document = With an invoice
keys-editor = While writing
key-search = Search
key-switch = Switch organization
key-pinned = Go to an organization
key-new = New invoice
key-language = English or Arabic
key-shortcuts = This sheet
key-move = Move
key-select = Select
key-extend = Extend the selection
key-open = Open
key-filter = Filter
key-edit = Edit
key-issue = Issue
key-freeze = Freeze
key-credit = Credit note
key-duplicate = Duplicate
key-close = Close
key-submit = Save
key-next-error = Next error
key-previous-error = Previous error
key-next-row = Next row, or a new one
key-move-line = Move the line
key-remove-line = Remove the line
key-undo-remove = Bring it back
this-document = this document
