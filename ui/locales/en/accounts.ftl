### The accounts of this computer: switching, not being remembered, removing.

accounts = Accounts…
accounts-title = Accounts
accounts-known = On this computer
account-active = In use
account-not-remembered = Not remembered
account-switch = Switch to { $name }
account-continue = Continue as { $name }
account-used = { $environment }, last used { $age }
account-remove = Remove { $name }…
account-remove-title = Remove { $name } from this computer?
account-remove-hint = The session ends, and what this computer has of this account is deleted: kept lists, your names for organizations. The invoices at the service stay as they are.
account-remove-nothing = No drafts, templates or waiting files of it are here.
account-remove-data = This is only on this computer. It is deleted, and the service does not have it:
account-remove-drafts = { $count ->
    [one] one draft that was not sent
   *[other] { $count } drafts that were not sent
}
account-remove-templates = { $count ->
    [one] one template, with its schedule: no more drafts are made of it
   *[other] { $count } templates, with their schedules: no more drafts are made of them
}
account-remove-files = { $count ->
    [one] one file that waits to be attached to a document
   *[other] { $count } files that wait to be attached to documents
}
account-remove-changed = There is more or less of it since. Nothing was deleted; please look again.
account-remove-confirm = Delete this and remove the account
account-remove-only = Remove the account
account-keep = Keep it
account-another = Sign in with another account
account-another-start = Continue in your browser
remember-me = Remember me on this computer
remember-me-hint = Without it, the session ends with this window and nothing of it is kept here. Drafts are kept, encrypted.
