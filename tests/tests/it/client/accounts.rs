//! Several accounts on one computer: switching, sessions that are not remembered, and deletion.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoicing_client::views::{
    AccountData, AccountView, AttachmentFile, CommandError, SessionView,
};

use crate::client::session::{connectivity, wait_until_online};
use crate::fixtures::{Browser, CLERK, HOME, NOURA, Service, TestApp, content, page};

const END_SESSION: &str = "/oidc/v1/end_session";

async fn accounts(app: &TestApp) -> Vec<AccountView> {
    app.desktop.accounts(&app.window).await.expect("a list")
}

/// The user name of the signed-in account.
async fn signed_in(app: &TestApp) -> Option<String> {
    match app.snapshot().await.session {
        SessionView::SignedIn { account, .. } => Some(account.username),
        SessionView::Starting
        | SessionView::SignedOut { .. }
        | SessionView::Waiting { .. }
        | SessionView::Finishing { .. } => None,
    }
}

async fn switch_to(app: &TestApp, username: &str) -> Result<(), CommandError> {
    let accounts = accounts(app).await;
    let account = accounts
        .iter()
        .find(|account| account.username == username)
        .expect("it is remembered");
    app.desktop
        .switch_account(&app.window, account.id.clone())
        .await
}

/// Signs in without being remembered.
pub(super) async fn sign_in_once(app: &TestApp, service: &Service, username: &str) {
    sign_in_once_with(app, service, username, &mut Browser::new()).await;
}

async fn sign_in_once_with(
    app: &TestApp,
    service: &Service,
    username: &str,
    browser: &mut Browser,
) {
    app.desktop
        .start_sign_in_once(&app.window, "local".to_owned())
        .await
        .expect("the attempt begins");
    let callback = browser
        .sign_in(
            &app.host.opened_address(),
            username,
            &service.password(username),
        )
        .await;
    app.desktop.follow(&callback);
    app.wait_until(|snapshot| {
        matches!(&snapshot.session, SessionView::SignedIn { account, .. } if account.username == username)
    })
    .await;
}

/// Signs both users in, the clerk last.
async fn with_two_accounts(service: &Service) -> TestApp {
    let app = TestApp::start(service).await;
    app.sign_in(service, NOURA, &mut Browser::new()).await;
    app.sign_in(service, CLERK, &mut Browser::new()).await;
    app
}

/// How many refresh tokens are in the keyring.
pub(super) fn token_entries(app: &TestApp) -> usize {
    let entries = app.vault.entries().into_iter();
    entries
        .filter(|entry| entry.contains("invoice-desk") && !entry.starts_with("read cache"))
        .count()
}

#[tokio::test]
async fn second_account_leaves_the_first_one_which_can_be_switched_back_to() {
    let service = Service::start().await;
    let app = with_two_accounts(&service).await;
    assert_eq!(token_entries(&app), 2);
    let list = accounts(&app).await;
    let active: Vec<_> = list.iter().map(|account| account.active).collect();
    assert_eq!(active, [true, false]);
    assert!(
        service.identity.requests("/oauth/v2/revoke").is_empty(),
        "the first session was ended"
    );

    switch_to(&app, NOURA).await.expect("switched");
    assert_eq!(signed_in(&app).await.as_deref(), Some(NOURA));
    let binding = app.switch_organization(HOME).await;
    app.desktop
        .list_invoices(&app.window, binding, page())
        .await
        .expect("the token of the first account is good");
    // The index is no secret store.
    let index = app.folder.path().join("data/accounts.json");
    let index = std::fs::read_to_string(index).expect("a file");
    assert!(index.contains(CLERK) && !index.contains("token"), "{index}");
    for secret in app.vault.secrets() {
        assert!(!index.contains(&secret));
    }
}

#[tokio::test]
async fn account_that_was_switched_to_is_the_one_of_the_next_start() {
    let service = Service::start().await;
    let app = with_two_accounts(&service).await;
    switch_to(&app, NOURA).await.expect("switched");
    app.desktop.stop().await;
    let again = app.restart();
    wait_until_online(&again).await;
    assert_eq!(signed_in(&again).await.as_deref(), Some(NOURA));
    switch_to(&again, CLERK).await.expect("switched");
    wait_until_online(&again).await;
    assert_eq!(signed_in(&again).await.as_deref(), Some(CLERK));
}

#[tokio::test]
async fn drafts_and_cached_lists_of_one_account_are_not_those_of_another() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = app.switch_organization(HOME).await;
    app.desktop
        .list_invoices(&app.window, binding.clone(), page())
        .await
        .expect("a page");
    let draft = app.new_draft(&binding).await;
    app.sign_in(&service, CLERK, &mut Browser::new()).await;
    let binding = app.switch_organization(HOME).await;
    let drafts = app.desktop.drafts(&app.window, binding.clone()).await;
    assert_eq!(drafts.expect("a list"), []);
    service.identity.stop().await;
    service.gateway.stop().await;
    let list = app
        .desktop
        .list_invoices(&app.window, binding, page())
        .await;
    assert!(
        matches!(list, Err(CommandError::Offline { .. })),
        "{list:?}"
    );

    switch_to(&app, NOURA).await.expect("without a connection");
    let binding = app.switch_organization(HOME).await;
    let list = app
        .desktop
        .list_invoices(&app.window, binding.clone(), page())
        .await;
    assert!(list.expect("from the cache").offline);
    let drafts = app.desktop.drafts(&app.window, binding).await;
    assert_eq!(drafts.expect("a list")[0].key, draft.key);
}

#[tokio::test]
async fn session_that_is_not_remembered_stores_nothing_and_ends_with_the_program() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    sign_in_once(&app, &service, NOURA).await;
    let binding = app.switch_organization(HOME).await;
    app.desktop
        .list_invoices(&app.window, binding, page())
        .await
        .expect("a page");
    assert_eq!(token_entries(&app), 0, "{:?}", app.vault.entries());
    assert!(!accounts(&app).await[0].remembered);
    for file in ["account.json", "accounts.json", "read-cache"] {
        assert!(
            !app.folder.path().join("data").join(file).exists(),
            "{file}"
        );
    }
    app.desktop.stop().await;
    assert_eq!(service.identity.requests("/oauth/v2/revoke").len(), 1);
    let again = app.restart();
    again
        .wait_until(|snapshot| {
            matches!(snapshot.session, SessionView::SignedOut { error: None, .. })
        })
        .await;
    assert_eq!(accounts(&again).await, []);
}

/// The answer of the identity provider to a request that may not show a page: `login_required` if nobody is signed in with
/// the browser.
async fn silent_answer(app: &TestApp, browser: &mut Browser) -> String {
    app.start_sign_in("local").await;
    let mut address = app.host.opened_address();
    let mut query: Vec<_> = address.query_pairs().into_owned().collect();
    query.retain(|(name, _)| name != "prompt" && name != "login_hint");
    address
        .query_pairs_mut()
        .clear()
        .extend_pairs(query)
        .append_pair("prompt", "none");
    let answer = browser.open(&address).await;
    let cancelled = app.desktop.cancel_sign_in(&app.window).await;
    cancelled.expect("it was waiting");
    answer
}

#[tokio::test]
async fn next_person_needs_the_password_of_a_session_that_was_not_remembered() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let (mut former, mut next) = (Browser::new(), Browser::new());
    sign_in_once_with(&app, &service, NOURA, &mut former).await;
    let answer = silent_answer(&app, &mut former).await;
    assert!(answer.contains("interaction_required"), "{answer}");
    app.sign_in(&service, CLERK, &mut next).await;
    let ends = || service.identity.exchanges(END_SESSION).len();
    app.advance_until(None, || ends() > 0).await;
    let answer = silent_answer(&app, &mut former).await;
    assert!(answer.contains("login_required"), "{answer}");
    let answer = silent_answer(&app, &mut next).await;
    assert!(answer.contains("interaction_required"), "{answer}");
    assert_eq!(ends(), 1);
}

#[tokio::test]
async fn session_that_is_not_remembered_is_refreshed_without_the_keyring() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    sign_in_once(&app, &service, NOURA).await;
    let binding = app.switch_organization(HOME).await;
    app.clock.advance(std::time::Duration::from_secs(43_200));
    app.desktop
        .list_invoices(&app.window, binding, page())
        .await
        .expect("refreshed");
    assert_eq!(token_entries(&app), 0, "{:?}", app.vault.entries());
}

#[tokio::test]
async fn purge_asks_for_the_number_of_drafts_and_deletes_everything_of_one_account() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = app.switch_organization(HOME).await;
    app.desktop
        .set_organization_alias(&app.window, HOME.into(), Some("My books".to_owned()))
        .await
        .expect("named");
    app.desktop
        .list_invoices(&app.window, binding.clone(), page())
        .await
        .expect("a page");
    let draft = app.new_draft(&binding).await;
    let id = accounts(&app).await[0].id.clone();
    let count = app.desktop.account_data(&app.window, id.clone()).await;
    let mut data = AccountData {
        drafts: 1,
        ..AccountData::default()
    };
    assert_eq!(count.expect("counted"), data);
    app.new_draft(&binding).await;
    let purged = app
        .desktop
        .purge_account(&app.window, id.clone(), data)
        .await;
    assert!(!purged.expect("answered"), "a draft was added since");
    data.drafts = 2;
    let name = "Monthly".to_owned();
    let template = app
        .desktop
        .save_template(&app.window, binding.clone(), name, content());
    template.await.expect("a template");
    let file = AttachmentFile {
        name: "order.pdf".to_owned(),
        content: STANDARD.encode("%PDF-1.7 order"),
    };
    let waiting = app
        .desktop
        .add_attachment(&app.window, binding.clone(), draft.key.clone(), file);
    waiting.await.expect("it waits with the draft");
    let purged = app
        .desktop
        .purge_account(&app.window, id.clone(), data)
        .await;
    assert!(
        !purged.expect("answered"),
        "a template and a file were added since"
    );
    data.templates = 1;
    data.waiting_files = 1;
    let kept = app
        .desktop
        .open_draft(&app.window, binding, draft.key.clone())
        .await;
    assert!(kept.is_ok(), "{kept:?}");

    let purged = app.desktop.purge_account(&app.window, id, data).await;
    assert!(purged.expect("answered"));
    assert_eq!(signed_in(&app).await, None);
    assert_eq!(accounts(&app).await, []);
    assert_eq!(
        app.vault.entries(),
        ["drafts"],
        "the key of all drafts stays"
    );
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = app.switch_organization(HOME).await;
    let drafts = app.desktop.drafts(&app.window, binding.clone()).await;
    assert_eq!(drafts.expect("a list"), []);
    let templates = app.desktop.templates(&app.window, binding.clone()).await;
    assert_eq!(templates.expect("a list").templates, []);
    let id = accounts(&app).await[0].id.clone();
    let data = app.desktop.account_data(&app.window, id).await;
    assert_eq!(data.expect("counted"), AccountData::default());
    let organizations = app.desktop.organizations(&app.window).await;
    assert!(
        organizations
            .expect("a list")
            .iter()
            .all(|organization| !organization.aliased)
    );
}

#[tokio::test]
async fn purge_counts_and_deletes_drafts_of_an_organization_whose_role_was_lost() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = app.switch_organization("274893002").await;
    app.new_draft(&binding).await;
    app.switch_organization(HOME).await;
    app.desktop.stop().await;
    // As after a sign-in since when the role is gone.
    for name in ["account.json", "accounts.json"] {
        let file = app.folder.path().join("data").join(name);
        let text = std::fs::read_to_string(&file).expect("a file");
        let without_role = text.replace("\"274893002\"", "\"274893999\"");
        assert_ne!(text, without_role, "{name}");
        std::fs::write(&file, without_role).expect("written");
    }
    let again = app.restart();
    again
        .wait_until(|snapshot| connectivity(&snapshot.session).is_some())
        .await;
    let id = accounts(&again).await[0].id.clone();
    let counted = again.desktop.account_data(&again.window, id.clone()).await;
    let data = AccountData {
        drafts: 1,
        ..AccountData::default()
    };
    assert_eq!(counted.expect("counted"), data);
    let purged = again.desktop.purge_account(&again.window, id, data).await;
    assert!(purged.expect("answered"));
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = app.switch_organization("274893002").await;
    let drafts = app.desktop.drafts(&app.window, binding).await;
    assert_eq!(drafts.expect("a list"), []);
}

#[tokio::test]
async fn purge_of_another_account_keeps_the_active_one() {
    let service = Service::start().await;
    let app = with_two_accounts(&service).await;
    let other = accounts(&app).await[1].id.clone();
    let purged = app
        .desktop
        .purge_account(&app.window, other, AccountData::default())
        .await;
    assert!(purged.expect("answered"));
    assert_eq!(signed_in(&app).await.as_deref(), Some(CLERK));
    assert_eq!(accounts(&app).await.len(), 1);
    assert_eq!(token_entries(&app), 1);
    // Nobody can go on with the session of the browser either.
    app.advance_until(None, || service.identity.requests(END_SESSION).len() == 1)
        .await;
}

#[tokio::test]
async fn sign_out_of_one_account_keeps_the_other_for_one_click() {
    let service = Service::start().await;
    let app = with_two_accounts(&service).await;
    app.sign_out().await;
    assert_eq!(signed_in(&app).await, None);
    switch_to(&app, NOURA).await.expect("switched");
    assert_eq!(signed_in(&app).await.as_deref(), Some(NOURA));
}
