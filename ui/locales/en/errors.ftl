### Errors: what happened, what is safe, what to do. src/errors/table.ts maps each error to its presentation.

error-invalid = { $count ->
    [one] One thing needs attention before this can be saved.
   *[other] { $count } things need attention before this can be saved.
} Nothing was sent to { $organization }'s books.
error-not-issuable = { $count ->
    [one] One thing needs attention before { $number } can be issued.
   *[other] { $count } things need attention before { $number } can be issued.
} It is saved, and nothing was sent to a tax authority.
error-not-freezable = { $count ->
    [one] One thing keeps { $number } from being frozen.
   *[other] { $count } things keep { $number } from being frozen.
} It is as it was.
error-not-sealable = The file for the tax authority could not be written, because a text in { $number } has a character that it cannot hold, or two languages where it holds one. It is saved, and it was not issued.
error-not-writable = No such file can be written, because a text in { $number } has a character that the file cannot hold, or two languages where it holds one. The document itself is unchanged.
error-frozen-by = { $number } was frozen on { $date } by { $who }. Frozen documents cannot change. Your edits are kept as a draft.
error-frozen = This document is frozen. Frozen documents cannot change. Your edits are kept as a draft.
error-state = The document has moved on since you opened it, and this no longer applies to it. Your edits are kept as a draft.
error-aborted = Someone else changed { $fields }. Choose for each; nothing is saved until you do.
error-aborted-fields = Someone else changed this document while you had it open. Choose for each field; nothing is saved until you do.
error-aborted-unread = Someone else changed this document while you had it open, and what they saved could not be read yet. Nothing of yours was lost.
error-aborted-step = Someone else changed this document meanwhile. You see it as it is now; look at it, then try again.
error-exists-own = { $number } was already created by your earlier attempt. No second one was made.
error-merged = Someone else saved { $number } while you were editing. Your changes did not overlap and were saved on top.
error-exists = A document with this key exists. Compare before you go on.
error-exists-unread = A document with this key exists, and it cannot be read from here. Nothing of it was changed, and what you typed is kept as a draft.
error-not-found = This document is no longer there, or it belongs to another organization.
error-denied = You may not { $action } in { $organization } with your current role. Your work is kept.
error-session-ended = You have been signed out of { $environment }. Nothing you typed is lost.
error-rate = { $organization } is being asked too often. { $count ->
    [one] 1 write waits
   *[other] { $count } writes wait
}; the next goes in { $seconds } s.
error-rate-idle = { $organization } is being asked too often. Nothing is lost; it goes on by itself.
error-plan = { $organization }'s plan allows no more documents this month. The draft is kept.
error-organization = { $organization } is not available right now. Your other organizations are.
error-no-organization = The service cannot tell which organization you belong to.
error-unavailable = The service is busy and did not do this yet.
error-authority = The tax authority does not answer yet. { $number } is issued and keeps its number, and it is sent again by itself until there is an answer.
error-authority-pending = { $number } is issued and waits for the tax authority. Nothing is lost: it is sent again by itself. Freeze it once there is an answer.
error-impersonating = While you act as somebody else, drafts and bulk runs are not available: nothing that outlives it is written on this computer. Nothing was changed. End it to work as yourself.
error-internal = Something went wrong at the service. Nothing was changed as far as it says. Support can find it by this id: { $id }.
error-internal-no-id = Something went wrong at the service. Nothing was changed as far as it says.
error-offline-since = No connection. You see the state of { $time }; what you save is kept here and sent later.
error-offline-sign-in = No connection, so nobody was signed in. Drafts on this computer are kept.
error-offline-step = No connection. This step is not sent later by itself: try again when you are connected. It is never done twice.
error-offline = No connection. What you save is kept here and sent later.
error-unknown-outcome = We could not learn whether { $organization } received this. It is being checked; do not enter it again.
error-unexpected-response = Something on the way answered instead of the service (HTTP { $status }), perhaps a proxy or a network's sign-in page. Nothing from that answer was used.
error-not-signed-in = Nobody is signed in. Nothing you typed is lost.
error-stale = This window has moved to another organization since. Nothing was sent.
error-not-granted = { $organization } is not among the organizations that you may work in.
error-draft-gone = This draft is no longer on this computer.
error-draft-in-other-window = This draft is being edited in another window of { $organization }. What is typed there is kept. Go on there, or close it there and open it here.
error-window-not-opened = No other window could be opened. This one works as before. Try again, or switch the organization in this window.
error-window-limit = { $count ->
    [one] One window is open, and no other can be.
   *[other] { $count } windows are open, and no more can be.
} Nothing was changed. Close one that you do not need, or switch the organization in this one.
error-draft-version = This draft was saved by another version of Invoice Desk, and this version cannot open it. It is kept: open it after an update.
error-storage = This computer could not keep your last change: { $reason }. Leave this window open until it can.
error-account-not-read = This computer could not read who was signed in: { $reason }. Nothing was deleted, and your drafts are kept. Try again, or sign in.
disk-problem-noSpace = the disk is full
disk-problem-notPermitted = you have no permission for it
disk-problem-readOnly = the disk can only be read
disk-problem-missing = the folder is not there
disk-problem-other = an unexpected error
error-bad-call = The window asked for something that the application does not know. This is a mistake of the application; nothing was sent. Starting it again usually helps.
error-unknown-environment = This environment is no longer known here.
error-environment-refused = { $count ->
    [one] One thing is missing or wrong. Nothing was changed.
   *[other] { $count } things are missing or wrong. Nothing was changed.
}
error-nothing-to-continue = No sign-in is waiting for an answer.
error-browser = Your browser could not be opened. Copy the link and open it yourself.
error-callback-broken = This is not the answer of a sign-in. Copy the whole address that your browser ended on.
error-callback-otherAttempt = This answer belongs to another sign-in attempt, so it was not used.
error-callback-otherIssuer = This answer comes from another identity provider, so it was not used.
error-callback-tooLate = This answer came too late, so it was not used.
error-declined = The sign-in was declined. Nobody was signed in.
error-refused = The identity provider refused the sign-in ({ $code }). Nobody was signed in.
error-other-account = Your browser is signed in as { $username }, who is somebody else. Nothing was changed here.
error-not-trusted = The answer could not be verified ({ $check }), so it was not used. Nobody was signed in.
error-wrong-environment-pair = This project id does not belong to { $address }. Host and project id always change together.
error-clock-ahead = { $minutes ->
    [one] Your computer's clock is 1 minute ahead.
   *[other] Your computer's clock is { $minutes } minutes ahead.
} Signing in needs the right time.
error-clock-behind = { $minutes ->
    [one] Your computer's clock is 1 minute behind.
   *[other] Your computer's clock is { $minutes } minutes behind.
} Signing in needs the right time.
error-vault-locked = Your system's keyring is locked. Without it you stay signed in only until you close the window.
error-vault-absent = Your system's keyring is not available. Without it you stay signed in only until you close the window.
error-vault-waiting = Your system's keyring is waiting for you, perhaps with its password prompt behind this window. You stay signed in meanwhile, and your sign-in is kept as soon as the keyring answers.
error-interrupted = The application was stopped while it renewed your sign-in. Sign in again; nothing you typed is lost.
error-local-port = The practice environment could not start: something else uses { $what }.
error-local-database = The practice environment's data cannot be read. Nothing was deleted; it is here: { $what }
error-local-space = The practice environment could not start: there is no space left for { $what }.
error-local-other = The practice environment could not start. Its files are here: { $what }

action-list = see invoices
action-get = open invoices
action-create = create invoices
action-update = change invoices
action-issue = issue invoices
action-freeze = freeze invoices
action-delete = delete drafts
action-people = administer people
action-machines = administer machine users
action-rules = administer authorization rules
action-submit = send documents to the tax authority
action-impersonate = act as somebody else
action-tenants = administer tenants
action-plans = administer plans
action-authorities = administer tax authorities
action-other = do this

act-goToFirst = Go to first
act-edit = Edit
act-creditNote = Credit note with my changes
act-discardDraft = Discard my draft
act-compare = Compare
act-checkNow = Check now
act-openDrafts = Leave it in Unsent drafts
act-goToWindow = Go to that window
act-showBoth = Show both
act-tryAgain = Try again
act-later = Later
act-showQueue = Show the queue
act-cancel = Cancel
act-copyForAdministrator = Copy for your administrator
act-backToList = Back to the list
act-switch = Switch organization
act-copyRequest = Copy a request for your administrator
act-refreshOrganizations = Refresh my organizations
act-signIn = Sign in to continue
act-tryNow = Try now
act-stop = Stop
act-copySupport = Copy support details
act-startAgain = Start again
act-openAgain = Open it again
act-copyLink = Copy the link
act-paste = Paste the answer
act-loopback = Use this computer's address instead
act-unlock = Unlock
act-continueSession = Continue for this session
act-chooseEnvironment = Choose an environment
act-howToSetClock = How to set it

details = Details
detail-kind = Kind
detail-code = Code
detail-status = HTTP status
detail-reason = Reason
detail-fields = Refused fields
detail-operation = Operation
detail-organization = Organization
detail-time = Time
detail-correlation = Correlation id
detail-message = The service's message
