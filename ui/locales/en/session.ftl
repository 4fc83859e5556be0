### Sign-in, sign-out, environments, keyring, clock.

product = Invoice Desk
product-line = Invoices for the organizations you work for
sign-in-title = Sign in
environment = Environment
environment-local = Practice
environment-staging = Staging
environment-production = Production
environment-local-hint = Runs on this computer, with example books. Nothing you do here leaves it.
environment-staging-hint = For trying things out. Documents here have no effect.
environment-production-hint = Real books. What you issue here counts.
environment-add = Add an environment
environment-change = Change { $name }
environment-discard = Discard it
environment-not-saved = This is not saved yet. Save it, or discard what you typed.
environment-hint = Your administrator gives you these values. They belong together. Paste the whole description to fill all fields.
environment-name = Name
environment-name-hint = Small letters, digits and hyphens, as head-office. It stays as it is.
environment-name-fixed = Your drafts belong to this name, so it stays.
environment-kind = What it is for
environment-field-authUrl = Address to sign in at
environment-field-baseUrl = Address of the service
environment-field-projectAudienceId = Project id
environment-field-clientId = Application id
environment-field-namespace = Namespace
environment-namespace-hint = Leave it as it is unless your administrator says otherwise.
environment-network = Network of your company
environment-field-proxy = Proxy
environment-proxy-hint = Empty: that of this computer. direct: none. Or an address such as http://proxy.example.com:3128.
environment-field-caFile = Certificate file
environment-caFile-hint = The path of a PEM file with your company's certificates. They are trusted here besides those of this computer.
environment-copy = Copy the description
environment-remove = Remove
environment-remove-confirm = Remove it
environment-wrong-empty = This is needed.
environment-wrong-characters = { $field ->
    [name] Use only small letters a to z, digits and hyphens, 32 at most.
    [namespace] Use only small letters a to z and digits, 32 at most, and begin with a letter.
   *[id] Use only Latin letters, digits and signs, without spaces, colons and quotation marks.
}
environment-wrong-taken = Another environment has this name.
environment-wrong-notAnAddress = This must be an address such as https://sign-in.example.com, with nothing behind it.
environment-wrong-notHttps = Only https is safe here.
environment-wrong-notAProxy = This must be an address such as http://proxy.example.com:3128 without user and password, or the word direct.
environment-wrong-notReadable = This file cannot be read.
environment-wrong-noCertificate = This file holds no certificate in PEM form.
demo-accounts = Sign in there with one of these:
demo-password = Password
demo-organizations = { $count ->
    [one] { $count } organization
   *[other] { $count } organizations
}
copy-username = Copy the user name { $username }
copy-password = Copy the password of { $username }
continue-in-browser = Continue in your browser
sign-in-why-browser = Your password is asked for in your own browser, never in this window.
preparing = Contacting { $environment }…
preparing-local = Getting the practice environment ready. Many example invoices take a few minutes.
starting = Reading your session…
starting-slow = Your system may be asking for the password of its keyring, perhaps in another window. Your session is kept there.
finishing = Checking the answer from { $environment }…
waiting-title = Sign in in your browser
waiting-line = Waiting for your browser to come back from { $environment }.
waiting-slow = Still waiting for your browser.
waiting-hint = When you have signed in there, this window goes on by itself.
waiting-other-ways = Other ways
paste-label = Paste the answer
paste-hint = The address your browser ended on, even if the page there could not be shown.
paste-use = Use this answer
loopback-hint = Starts again with an address of this computer as the way back. It helps where the browser may not open applications.
sign-out = Sign out
account-menu = Account of { $name }
language = Language
theme = Theme
theme-system = As the system
theme-light = Light
theme-dark = Dark
digits = Digits
digits-latin = 0 1 2 3
digits-arabic = ٠ ١ ٢ ٣
vault-title = Your sign-in is not kept
vault-title-waiting = Your keyring is waiting
vault-badge = Signed in for this session only
vault-badge-waiting = Waiting for the keyring
session-ends = This sign-in cannot be renewed. It ends at { $time }; then you are asked to sign in again, and what you typed is kept.
session-ends-badge = Signed in until { $time }
clock-title = Set this computer's clock
clock-windows = Windows: Settings, Time & language, Date & time, Sync now.
clock-mac = macOS: System Settings, General, Date & Time, set time automatically.
clock-linux = Linux: Settings, System, Date & Time, automatic; or timedatectl set-ntp true.
no-organizations = Your account has no organization to work in yet. Ask an administrator for access, then refresh.
