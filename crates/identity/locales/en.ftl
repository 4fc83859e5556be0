# Messages of the sign-in, account and logout pages. They avoid technical terms such as client and token.
product = Invoice Desk
language-switch = العربية
environment-local = Practice
environment-staging = Staging environment

sign-in-title = Sign in
sign-in-for = to continue to { $application }
problem-title = Problem: { $title }
username = Email
password = Password
sign-in = Sign in
cancel = Cancel and go back
handoff-notice = Your browser then hands you over to { $application }, and you can close this tab.

choose-title = Choose an account
continue-as = Continue as { $name }
use-another = Use another account

wrong-password-title = That email and password do not belong together
wrong-password = Check both and try again. In the password, capital and small letters differ.
username-missing = Enter your email.
password-missing = Enter your password.
throttled-title = Too many tries
throttled = For safety, wait { $seconds ->
    [one] one second
   *[other] { $seconds } seconds
  } before you try again. Other people are not affected, and neither is a browser in which you have signed in before.
expired-title = This page was open for too long
expired = Nothing is lost: sign in again. If you see this every time, your browser does not keep the cookies of this page.
busy-title = Many people are signing in right now
busy = Wait a moment, then try again.

change-password-title = Choose a new password
change-password-due = The password that you signed in with was made for once. Choose your own to go on.
change-password-lead = When it is changed, you are signed out everywhere, and sign in again with the new one.
current-password-label = Present password
new-password = New password
repeat-password = New password again
change-password = Change password
password-length = At least { $minimum } characters. A few words that belong to nobody else are better than signs.
password-length-title = That password is too short or too long
passwords-differ-title = The two new passwords differ
passwords-differ = Type the same one in both fields.
password-same-title = That is not a new password
password-same = Choose one that is neither the present one nor your email.
password-changed-title = Your password is changed
password-changed = You are signed out everywhere. Go back to the application and sign in with the new password.
set-password-title = Set your password
set-password-lead = Your administrator has given you a code. It works once.
code = Code
code-hint = 28 letters and digits. Capital and small letters are the same, and you can leave out the hyphens.
set-password = Set password
wrong-code-title = That email and code do not belong together
wrong-code = Check both. A code works once and for some days only: if it is too old, ask your administrator for another.
password-set-title = Your password is set
password-set = Open the application and sign in with it.


start-again = Close this page, go back to the application and start again.
unknown-application-title = The application that sent you here is not known
unknown-application = It named itself with an id that is not registered in this environment. The environment in its settings may be the wrong one.
unregistered-redirect-title = You are not sent back to that address
unregistered-redirect = The application asked for you to be sent to an address that is not registered for it. Somebody may be trying to get at your account.
unknown-request-title = That link is too old
unknown-request = It was made for one sign-in, a short time ago.
malformed-request-title = That link is not complete
malformed-request = The address that opened this page lacks something or names it twice.
too-many-requests-title = Too many requests come from your network
too-many-requests = Nothing is wrong with your account. Wait a minute, then try again.
unavailable-title = The service cannot answer right now
unavailable = Nothing is wrong with your account. Try again in a minute.

signed-out-title = You are signed out
signed-out = You can close this page.
sign-out-title = Sign out?
sign-out-question = You are signed in as { $name } in this browser.
sign-out = Sign out
sign-out-several = These people are signed in with this browser:
sign-out-all = Sign out all of them
sign-out-cancel = To stay signed in, close this page.
invalid-logout-request-title = It is not clear who wants to sign out
invalid-logout-request = The link that opened this page does not fit any sign-in of this service.

not-found-title = Nothing is at this address
not-found = This is the sign-in service of Invoice Desk. Open the application and sign in from there.
