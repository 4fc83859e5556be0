### Command palette.

key-palette = Command palette
palette = Find a command, document or organization
palette-placeholder = Command, document, organization or amount
palette-recent = Used last
palette-command = Commands
palette-screen = Screens
palette-organization = Organizations
palette-document = Documents
palette-buyer = Buyers
palette-draft = Unsent draft
palette-searching = Searching for documents…
palette-failed = The service could not be searched for documents. You see those that this window has loaded.
palette-none = Nothing fits.
palette-results = { $count ->
    [one] 1 result
   *[other] { $count } results
}
palette-theme-light = Light theme
palette-theme-dark = Dark theme
palette-theme-system = Theme of the system
palette-theme-highContrast = High contrast theme
palette-density-comfortable = Comfortable rows
palette-density-compact = Compact rows
palette-digits-latin = Western digits: 0 1 2 3
palette-digits-arabic = Arabic digits: ٠ ١ ٢ ٣
palette-calendar-gregorian = Gregorian calendar
palette-calendar-ummAlQura = Umm al-Qura calendar
palette-currency-code = Currencies as codes
palette-currency-sign = Currencies as signs

key-pin = Pin or unpin an organization
pin = Pin
unpin = Unpin
pinned = Pinned
switcher-pinned = Pinned
switcher-recent = Opened last
switcher-others = Others
pinned-announcement = { $organization } is pinned
unpinned-announcement = { $organization } is no longer pinned
