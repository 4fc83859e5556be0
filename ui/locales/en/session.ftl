### Signing in and out, environments, the keyring, the clock.

product = Invoice Desk
product-line = Invoices for the organizations you work for
sign-in-title = Sign in
environment = Environment
environment-local = Practice
environment-staging = Staging
environment-production = Production
environment-local-about = Runs on this computer, with example books. Nothing you do here leaves it.
environment-staging-about = For trying things out. Documents here have no effect.
environment-production-about = Real books. What you issue here counts.
demo-accounts = Accounts to practise with:
demo-organizations = { $count ->
    [one] { $count } organization
   *[other] { $count } organizations
}
copy-username = Copy the user name { $username }
continue-in-browser = Continue in your browser
sign-in-why-browser = Your password is asked for in your own browser, never in this window.
starting = Reading your session…
finishing = Checking the answer from { $environment }…
waiting-title = Sign in in your browser
waiting-line = Waiting for your browser to come back from { $environment }.
waiting-slow = Still waiting for your browser.
waiting-hint = When you have signed in there, this window goes on by itself.
waiting-other-ways = Other ways
paste-label = Paste the answer
paste-about = The address your browser ended on, even if the page there could not be shown.
paste-use = Use this answer
loopback-about = Starts again with an address of this computer as the way back. It helps where the browser may not open applications.
sign-out = Sign out
account-menu = Account of { $name }
language = Language
theme = Appearance
theme-system = As the system
theme-light = Light
theme-dark = Dark
digits = Digits
digits-latin = 0 1 2 3
digits-arabic = ٠ ١ ٢ ٣
vault-title = Your sign-in is not kept
vault-badge = Signed in for this session only
clock-title = Set this computer's clock
clock-windows = Windows: Settings, Time & language, Date & time, Sync now.
clock-mac = macOS: System Settings, General, Date & Time, set time automatically.
clock-linux = Linux: Settings, System, Date & Time, automatic; or timedatectl set-ntp true.
no-organizations = Your account has no organization to work in yet. Ask an administrator for access, then refresh.
