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
account-remove-drafts = { $count ->
    [0] There are no drafts of it here.
    [one] One draft of it is only on this computer. It is deleted, and the service does not have it.
   *[other] { $count } drafts of it are only on this computer. They are deleted, and the service does not have them.
}
account-remove-changed = The number of drafts has changed since. Nothing was deleted; please look again.
account-remove-confirm = { $count ->
    [0] Remove the account
    [one] Delete one draft and remove the account
   *[other] Delete { $count } drafts and remove the account
}
account-keep = Keep it
account-another = Sign in with another account
account-another-start = Continue in your browser
remember-me = Remember me on this computer
remember-me-hint = Without it, the session ends with this window and nothing of it is kept here. Drafts are kept, encrypted.
