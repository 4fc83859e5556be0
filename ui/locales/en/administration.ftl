### Administration: people, machine users, authorization rules, plan.

administration-sections = Sections of the administration
administration-people = People
administration-machines = Machine users
administration-rules = Authorization rules
administration-plan = Plan
administration-error-last = Nothing was changed: an organization keeps an administrator who can sign in. Make somebody else an administrator first.
administration-error-last-rules = Nothing was changed: somebody who can sign in has to keep managing the rules. Make somebody else an operator first.
administration-error-limit-elsewhere = Nothing was changed: another organization in which this person has a role has as many users as its plan allows. An administrator there has to make room first.
administration-error-own = Nothing was changed: you cannot do this to your own account. Another administrator can.
administration-error-no-tokens = This environment has no personal access tokens. Use the client id and secret of the machine user.
administration-error-rules = Nothing was published: these rules would lock somebody out, or give you more than you have. Check them to see what.
administration-error-state = Nothing was changed: things are no longer as this list shows them. Look at it again.
administration-error-exists = Nothing was added: this user name is taken, also if it is in another organization. Choose another, or give that person a role here.
administration-error-aborted = Nothing was published: somebody else has published rules meanwhile. Discard your changes to see them.
administration-error-gone = This is no longer here. The list is read again.
administration-error-invalid = Nothing was changed: something in this form is not accepted.
user-active = Can sign in
user-invited = Invited
user-passwordReset = Must set a password
user-disabled = Cannot sign in
form-discard-question = Discard what you typed?
form-discard = Discard it
secret-once = This is shown once. When you close it, nobody can see it again.
secret-title = Keep this now
secret-hint = Copy it to where the program reads it, and nowhere else.
secret-copy = Copy: { $what }
secret-done = I have kept it
people-search = Name, user name or mail address
people-invite = Invite
people-none = Nobody here has this name.
people-more = There are more people than are shown. Search for a name to see others.
people-other = From another organization
people-name = Name
people-username = User name
people-menu = Change { $name }
people-grant = Give a role
people-revoke-section = Take a role away
people-sign-in = Sign-in
people-invite-again = Make a new invitation…
people-reset-open = Reset the password…
people-endSessions-open = End all sessions…
people-disable-open = Disable…
people-enable = Let sign in again
people-revoke = Take it away
people-revoke-title = Take a role away from { $name }?
people-revoke-hint = { $role }: the rights that came with it end with the next request.
people-reset = Reset
people-reset-title = Reset the password of { $name }?
people-reset-hint = The present password and all sessions end at once. You get a code to hand over, with which a new one is set.
people-endSessions = End the sessions
people-endSessions-title = End all sessions of { $name }?
people-endSessions-hint = Every device is signed out at once. The password stays, and signing in again is possible.
people-disable = Disable
people-disable-title = Disable { $name }?
people-disable-hint = All sessions end at once, and signing in is not possible until you allow it again. Roles and documents stay.
invite-title = Invite to { $organization }
invite-username-hint = Usually the mail address. It is what they sign in with.
invite-role = Role
invite-hint = No mail is sent: you get a code and hand it over yourself.
code = Code
code-title = Code for { $name }
code-page = Page where it is entered
code-hint = Hand over page, user name and code, the code by another way if you can. It can be used once, until { $time }.
code-expires = Code until { $time }
machines-hint = For programs that work with the books on their own. Each has its own secret; none can administer.
machines-add = Add a machine user
machines-none = There are no machine users yet.
machines-name = What it is for
machines-name-hint = As “Nightly import”.
machines-disable-of = Disable { $name }…
machines-enable-of = Let sign in again: { $name }
machines-disable-hint = Its tokens end at once, and the program that uses it stops working here.
client-id = Client id
client-secret = Client secret
tokens = Tokens
tokens-of = Tokens of { $name }
tokens-none = It has no personal access token.
tokens-mint = Make a token
tokens-mint-title = Token for { $name }
tokens-name = What it is for
tokens-days = Valid for
tokens-days-count = { $count ->
    [one] { $count } day
   *[other] { $count } days
}
tokens-token = Token { $name }
tokens-revoked = Revoked { $time }
tokens-expired = Expired { $time }
tokens-expires = Until { $time }
tokens-revoke = Revoke
tokens-revoke-of = Revoke { $name }…
tokens-revoke-title = Revoke { $name }?
tokens-revoke-hint = Whatever uses it stops working with its next request. This cannot be undone.
rules-hint = Which role may do what, in every organization of this environment. A change counts once it is published.
rules-filter = Find a permission
rules-table = Permissions by role
rules-scope = Permission
rules-cell = { $role }: { $scope }
rules-changed = { $count ->
    [0] Nothing changed.
    [one] One cell changed.
   *[other] { $count } cells changed.
}
rules-discard = Discard changes
rules-check = Check
rules-publish = Publish
rules-comment = Why, for the list of versions
rules-publishable = These rules can be published.
rules-not-publishable = These rules cannot be published.
rules-cells = { $count ->
    [0] No permission changes.
    [one] One permission changes:
   *[other] { $count } permissions change:
}
rules-gains = { $role } gains
rules-loses = { $role } loses
rules-losing = { $count ->
    [0] Nobody loses a permission.
    [one] One person loses permissions:
   *[other] { $count } people lose permissions:
}
rules-unheld = Nobody would hold:
finding-rules-publisherLockedOut = You could no longer manage the rules.
finding-rules-rulesLockedOut = Nobody could manage the rules any longer.
finding-rules-administrationLockedOut = These would have nobody left for their administration:
finding-rules-publisherGains = You would give yourself:
finding-rules-other = The service refuses them:
rules-versions = Versions
rules-version = Version { $number }
rules-built-in = Built in
rules-current = In force
rules-restore = Put in force again
rules-restore-of = Put in force again: version { $number }
rules-restore-title = Put version { $number } in force again?
rules-restore-hint = It is published as a new version, with the same checks, and decides the next request of everybody.
rules-restored = Back to version { $number }
plan-none = No plan: nothing is limited
plan-documents = Documents this month
plan-users = People
plan-requests = Requests in the last minute
plan-month-end = The month ends { $date }.
plan-unlimited = no limit
plan-api = Programs may use the service with machine users.
plan-no-api = This plan has no access for programs.
