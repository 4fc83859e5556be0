### Windows of organizations, and links to documents.

window-title = { $organization } – { $environment } – Invoice Desk
key-new-window = New window
open-in-new-window = Open { $organization } in a new window
organization-lost = You have no role in { $lost } any more, so this window now shows { $organization }. Nothing was deleted: your unsent drafts of { $lost } stay on this computer. If that is a mistake, ask an administrator there, then refresh your organizations.
organization-lost-understood = Understood
window-of-draft-gone = No other window edits this draft any more. Try again to open it here.
key-copy-link = Copy the link
link-copied = The link is copied
link-title-otherOrganization = This link belongs to another organization
link-title-notGranted = You have no role in this organization
link-title-noLink = This link cannot be opened
link-other-organization = The document belongs to { $other }, and this window works in { $organization }. Nothing was opened or changed here. It opens in a window of { $other }.
link-not-granted = The link leads to a document of the organization { $organization }, in which you have no role in { $environment }. Nothing was opened or asked for. If you were given a role just now, refresh your organizations and follow the link again; otherwise ask the person who sent it.
link-malformed = It looks like a link to a document, but a part is missing or was changed. Nothing was opened. Copy the whole link again, or ask for it anew.
link-open-there = Open it in { $organization }
key-quit = Quit Invoice Desk
key-reload = Refresh the lists
key-save-pdf = Save as PDF
all-commands = All commands
menu-application = Invoice Desk
menu-file = File
menu-edit = Edit
menu-view = View
menu-window = Window
menu-help = Help
menu-about = About Invoice Desk
menu-services = Services
menu-hide = Hide Invoice Desk
menu-hide-others = Hide Others
menu-show-all = Show All
menu-cut = Cut
menu-copy = Copy
menu-paste = Paste
menu-select-all = Select All
menu-close-window = Close Window
menu-minimize = Minimize
menu-maximize = Zoom
menu-fullscreen = Full Screen
menu-all-to-front = Bring All to Front
notice-exported = { $count ->
    [one] The export is ready: 1 document
   *[other] The export is ready: { $count } documents
}
notice-export-failed = The export has failed. Nothing was written.
notice-accepted = The tax authority has accepted a document.
notice-rejected = The tax authority has rejected a document.
notice-accepted-detailed = The tax authority has accepted { $number } for { $buyer }.
notice-rejected-detailed = The tax authority has rejected { $number } for { $buyer }.
