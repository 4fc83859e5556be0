//! Acting as another person.

use invoicing_client::views::{CommandError, SessionView, TemplateList, UserChange, WindowBinding};

use super::{ADMINISTRATOR, CLERK_ID};
use crate::client::attachments::{ADD, PDF, add, list, names};
use crate::fixtures::{Browser, CLERK, Defect, Fault, HOME, Service, TestApp, page};

/// Whom the window of the app acts as.
async fn acts_as(app: &TestApp) -> Option<String> {
    let session = app.snapshot().await.session;
    let SessionView::SignedIn { impersonation, .. } = session else {
        panic!("{session:?}");
    };
    impersonation.map(|found| found.person.username)
}

async fn impersonate_clerk(app: &TestApp, binding: &WindowBinding) -> Result<(), CommandError> {
    app.desktop
        .impersonate(&app.window, binding.clone(), None, CLERK_ID.to_owned())
        .await
}

#[tokio::test]
async fn administrator_acts_as_a_clerk_in_one_window_and_nothing_of_it_stays_on_this_computer() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let list = |binding: WindowBinding| app.desktop.list_invoices(&app.window, binding, page());
    list(binding.clone()).await.expect("an administrator reads");
    assert_eq!(acts_as(&app).await, None);
    let alias = Some("Khair".to_owned());
    let named = app
        .desktop
        .set_organization_alias(&app.window, HOME.into(), alias);
    named.await.expect("saved");

    impersonate_clerk(&app, &binding).await.expect("a token");
    assert_eq!(acts_as(&app).await.as_deref(), Some(CLERK));
    let stale = list(binding.clone()).await;
    assert!(
        matches!(stale, Err(CommandError::StaleBinding)),
        "the binding of the administrator is outdated: {stale:?}"
    );
    let acting = app.binding().await;
    assert_eq!(acting.organization.as_str(), HOME);
    list(acting.clone()).await.expect("the clerk's list");
    let users = app
        .desktop
        .list_users(&app.window, acting.clone(), String::new(), String::new())
        .await;
    assert!(
        matches!(users, Err(CommandError::PermissionDenied { .. })),
        "a clerk administers nobody: {users:?}"
    );

    // What would outlive it is refused, and nothing of the person is shown from this computer.
    let draft = app
        .desktop
        .new_draft(&app.window, acting.clone(), None)
        .await;
    assert_eq!(draft, Err(CommandError::NotWhileImpersonating));
    let drafts = app.desktop.drafts(&app.window, acting.clone()).await;
    assert_eq!(drafts, Ok(Vec::new()));
    let template = app.desktop.save_template(
        &app.window,
        acting.clone(),
        "Rent".to_owned(),
        crate::fixtures::content(),
    );
    assert_eq!(template.await, Err(CommandError::NotWhileImpersonating));
    let templates = app.desktop.templates(&app.window, acting.clone()).await;
    assert_eq!(templates, Ok(TemplateList::default()));
    let again = impersonate_clerk(&app, &acting).await;
    assert_eq!(again, Err(CommandError::NotWhileImpersonating), "no chain");
    let organizations = app.desktop.organizations(&app.window).await;
    let names = organizations.expect("a list").into_iter().map(|it| it.name);
    assert_eq!(names.collect::<Vec<_>>(), ["Khair"], "as the user calls it");
    let recents = |binding| app.desktop.palette_recents(&app.window, binding);
    let chosen = app
        .desktop
        .remember_palette_entry(&app.window, acting.clone(), "a".to_owned());
    assert_eq!(chosen.await, Ok(()));
    assert_eq!(recents(acting.clone()).await, Ok(Vec::new()));

    // Another window is that of the administrator.
    let other = "other".into();
    app.desktop.open_window(&other);
    let snapshot = app.desktop.watch(&other, 0).await.expect("a snapshot");
    let SessionView::SignedIn { impersonation, .. } = snapshot.session else {
        panic!("signed in");
    };
    assert_eq!(impersonation, None);
    let bound = snapshot.binding.expect("bound");
    app.desktop
        .list_users(&other, bound, String::new(), String::new())
        .await
        .expect("the administrator administers");

    // Without a connection there is no earlier answer: none was kept.
    service.gateway.stop().await;
    service.identity.stop().await;
    let offline = list(acting.clone()).await;
    assert!(offline.is_err(), "nothing was cached: {offline:?}");
    app.desktop
        .end_impersonation(&app.window)
        .await
        .expect("it needs no connection");
    assert_eq!(acts_as(&app).await, None);
    assert_eq!(app.binding().await.organization.as_str(), HOME);
    let kept = list(app.binding().await).await.expect("from the cache");
    assert!(kept.offline, "the administrator's own answer was kept");
}

#[tokio::test]
async fn impersonation_ends_with_the_account_of_the_person_or_the_role_of_the_administrator() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let refused = app
        .desktop
        .impersonate(
            &app.window,
            binding.clone(),
            None,
            "310000000000000004".to_owned(),
        )
        .await;
    assert!(
        matches!(refused, Err(CommandError::PermissionDenied { .. })),
        "nobody acts as an administrator: {refused:?}"
    );
    impersonate_clerk(&app, &binding).await.expect("a token");
    let acting = app.binding().await;
    let (colleague, own) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    colleague
        .desktop
        .change_user(
            &colleague.window,
            own,
            CLERK_ID.to_owned(),
            UserChange::EndSessions,
        )
        .await
        .expect("ended");
    let ended = app.desktop.list_invoices(&app.window, acting, page()).await;
    assert!(
        matches!(ended, Err(CommandError::SessionEnded { .. })),
        "{ended:?}"
    );
    app.wait_until(|snapshot| {
        matches!(
            &snapshot.session,
            SessionView::SignedIn {
                impersonation: None,
                ..
            }
        ) && snapshot.binding.is_some()
    })
    .await;
    let binding = app.binding().await;
    app.desktop
        .list_invoices(&app.window, binding, page())
        .await
        .expect("the session of the administrator goes on");
}

#[tokio::test]
async fn token_of_an_impersonation_is_revoked_with_its_window_and_with_the_session_of_the_user() {
    for closes_window in [true, false] {
        let service = Service::start().await;
        let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
        impersonate_clerk(&app, &binding).await.expect("a token");
        let revocations = || service.identity.requests("/oauth/v2/revoke").len();
        assert_eq!(revocations(), 0);
        let expected = if closes_window {
            app.desktop.close_window(&app.window);
            1
        } else {
            app.sign_out().await;
            app.snapshot().await;
            2
        };
        app.advance_until(None, || revocations() == expected).await;
    }
}

#[tokio::test]
async fn token_that_comes_after_the_window_was_bound_anew_is_revoked() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let delayed = Fault::DelayRequest;
    service.gateway.fault("/admin/impersonate", delayed);
    let switching = async {
        service.gateway.held_after(0).await;
        app.switch_organization(HOME).await;
        service.gateway.clear_faults();
    };
    let (late, ()) = tokio::join!(impersonate_clerk(&app, &binding), switching);
    assert_eq!(late, Err(CommandError::StaleBinding));
    assert_eq!(acts_as(&app).await, None);
    let revocations = || service.identity.requests("/oauth/v2/revoke").len();
    app.advance_until(None, || revocations() == 1).await;
}

#[tokio::test]
async fn token_of_a_person_who_cannot_be_verified_is_revoked() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let without_identity = Defect::Edit(|answer| answer["idToken"] = "no token".into());
    let defect = Fault::Deliver(without_identity);
    service.gateway.fault("/admin/impersonate", defect);
    let refused = impersonate_clerk(&app, &binding).await;
    assert!(
        matches!(refused, Err(CommandError::NotTrusted { .. })),
        "{refused:?}"
    );
    assert_eq!(acts_as(&app).await, None);
    let revocations = || service.identity.requests("/oauth/v2/revoke").len();
    app.advance_until(None, || revocations() == 1).await;
}

#[tokio::test]
async fn file_of_a_person_that_waits_is_not_shown_sent_or_removed_by_who_acts_as_that_person() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, CLERK, HOME).await;
    let draft = app.new_draft(&binding).await;
    let key = draft.key.clone();
    let kept = add(&app, &binding, &key, "offer.pdf", PDF).await;
    kept.expect("kept");
    service.gateway.fault(ADD, Fault::status(400, 3, "X"));
    let created = app.send_draft(&binding, draft).await.expect("created");
    let waiting = list(&app, &binding, &key).await;
    assert_eq!(names(&waiting), [("offer.pdf", true)]);
    let id = waiting.attachments[0].id.clone();
    service.gateway.forget_requests();

    // On the same computer.
    app.sign_in(&service, ADMINISTRATOR, &mut Browser::new())
        .await;
    let binding = app.switch_organization(HOME).await;
    impersonate_clerk(&app, &binding).await.expect("a token");
    let acting = app.binding().await;
    assert_eq!(names(&list(&app, &acting, &key).await), []);
    let removed = app
        .desktop
        .remove_attachment(&app.window, acting.clone(), key.clone(), id);
    assert_eq!(names(&removed.await.expect("there is none")), []);
    let stamp = created.row.stamp;
    let issued = app
        .desktop
        .issue_document(&app.window, acting, key.clone(), stamp);
    issued.await.expect("issued");
    assert_eq!(service.gateway.requests(ADD).len(), 0);

    app.sign_in(&service, CLERK, &mut Browser::new()).await;
    let binding = app.switch_organization(HOME).await;
    assert_eq!(
        names(&list(&app, &binding, &key).await),
        [("offer.pdf", true)]
    );
}
