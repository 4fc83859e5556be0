### Today, and all clients.

today = Today
today-work = What needs work
today-unknown = Sent, but the answer was lost
today-refused = Refused by the service, to be corrected
today-unsent = Unsent drafts on this computer
today-recurring = Recurring drafts that are ready
today-rejected = Rejected by the tax authority
today-overdue = Overdue
today-soon = Due within seven days
today-drafts = Drafts that are not issued
today-not-known = Not known
today-month = This month so far
today-month-none = Nothing was issued this month.
today-documents = Documents
today-insights = Show insights
clients = All clients
clients-count = { $count ->
    [one] 1 organization
   *[other] { $count } organizations
}
clients-reading = { $done } of { $all } read
clients-reading-one = Reading…
clients-search = Name, domain or id
clients-name = Client
clients-drafts = Drafts
clients-rejected = Rejected
clients-overdue = Overdue
clients-overdue-amount = Overdue amount
clients-open-amount = Open in all
clients-as-of = Read
clients-save = Save as CSV
