//! The overview of all clients: it reads organizations that the window is not bound to, and changes no binding (decision 0135).

use invoicing_client::WindowKey;
use invoicing_client::views::{
    BilledPeriod, CommandError, DraftCount, Frequency, OrganizationId, Overview, Schedule,
    WindowBinding,
};

use super::windows::{OTHER, open_window};
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, content};

async fn overview(app: &TestApp, organization: &OrganizationId) -> Result<Overview, CommandError> {
    let organization = organization.clone();
    app.desktop.client_overview(&app.window, organization).await
}

async fn organizations(app: &TestApp) -> Vec<OrganizationId> {
    let views = app.desktop.organizations(&app.window).await;
    let views = views.expect("signed in").into_iter();
    views.map(|view| view.id).collect()
}

#[tokio::test]
async fn each_organization_has_its_own_overview_and_the_binding_stays() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let before = overview(&app, &HOME.into()).await.expect("an overview");
    let drafts = |overview: &Overview| overview.drafts.as_ref().expect("read").count;
    let draft = app.new_draft(&binding).await;
    app.send_draft(&binding, draft).await.expect("created");
    let after = overview(&app, &HOME.into()).await.expect("an overview");
    assert_eq!(drafts(&after), drafts(&before) + 1);
    for organization in organizations(&app).await {
        let overview = overview(&app, &organization).await.expect("an overview");
        assert_eq!(overview.organization, organization);
    }
    assert_eq!(app.binding().await, binding, "no binding has changed");
}

#[tokio::test]
async fn an_organization_that_is_not_granted_is_refused() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let answer = overview(&app, &"999999999".into()).await;
    assert!(
        matches!(answer, Err(CommandError::OrganizationNotGranted { .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn unsent_drafts_of_each_organization_are_counted_without_asking_the_service() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.new_draft(&binding).await;
    app.new_draft(&binding).await;
    let other = app.switch_organization(OTHER).await;
    app.new_draft(&other).await;
    service.identity.stop().await;
    service.gateway.stop().await;
    let counts = app.desktop.draft_counts(&app.window).await;
    let count = |organization: &str, count| DraftCount {
        organization: organization.into(),
        count,
        problem: None,
    };
    assert_eq!(counts, Ok(vec![count(HOME, 2), count(OTHER, 1)]));
    assert_eq!(app.binding().await, other, "no binding has changed");
}

/// Keeps a template in the organization of a window, with a schedule that is due today.
async fn schedule_today(app: &TestApp, window: &WindowKey, binding: &WindowBinding) {
    let desktop = &app.desktop;
    let saved = desktop.save_template(window, binding.clone(), "Rent".to_owned(), content());
    let template = saved.await.expect("saved");
    let today = app.wall().to_zoned(jiff::tz::TimeZone::UTC).date();
    let weekly = Schedule {
        frequency: Frequency::Weekly,
        day: None,
        from: today.to_string(),
        until: String::new(),
        period: BilledPeriod::Current,
    };
    let scheduled = desktop.schedule_template(window, binding.clone(), template, Some(weekly));
    scheduled.await.expect("scheduled");
}

/// The only file of a template below a folder.
fn template_in(folder: &std::path::Path) -> Option<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.find_map(|path| match path.extension() {
        Some(extension) if extension == "template" => Some(path),
        Some(_) | None => template_in(&path),
    })
}

#[tokio::test]
async fn drafts_that_are_due_are_made_in_each_organization_and_one_that_fails_hides_no_other() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    schedule_today(&app, &app.window, &binding).await;
    let damaged = template_in(&app.folder.path().join("data/templates")).expect("it was saved");
    std::fs::remove_file(&damaged).expect("removed");
    std::fs::create_dir(&damaged).expect("no file can be read there");
    let (second, other) = open_window(&app, OTHER).await;
    schedule_today(&app, &second, &other).await;
    service.identity.stop().await;
    service.gateway.stop().await;
    let told = async || {
        let snapshot = app.desktop.watch(&second, 0).await;
        snapshot.expect("it answers").changed_data.drafts
    };
    let before = told().await;

    let counts = app.desktop.draft_counts(&app.window).await;
    let counts = counts.expect("those that can be made");
    let [made, failed] = counts.as_slice() else {
        panic!("one of each: {counts:?}");
    };
    let expected = DraftCount {
        organization: OTHER.into(),
        count: 1,
        problem: None,
    };
    assert_eq!(*made, expected);
    assert_eq!((failed.organization.as_str(), failed.count), (HOME, 0));
    assert!(failed.problem.is_some());
    assert!(told().await > before, "the other window shows it");
    let drafts = app.desktop.drafts(&second, other).await;
    assert_eq!(drafts.expect("a list").len(), 1);

    std::fs::remove_dir(&damaged).expect("removed");
    let counts = app.desktop.draft_counts(&app.window).await;
    assert_eq!(counts, Ok(vec![expected]), "each is made once");
}

#[tokio::test]
async fn what_could_not_be_read_is_said_beside_what_could() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    service
        .gateway
        .fault("/ageing", Fault::status(403, 7, "SCOPE_MISSING"));
    let overview = overview(&app, &HOME.into()).await.expect("an overview");
    assert!(overview.drafts.is_some() && overview.overdue.is_some());
    assert_eq!(overview.ageing, None);
    assert!(
        matches!(
            overview.errors.as_slice(),
            [CommandError::PermissionDenied { .. }]
        ),
        "{:?}",
        overview.errors
    );
}

#[tokio::test]
async fn kept_overviews_are_shown_without_asking_the_service_and_with_their_age() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let kept = || async {
        let kept = app.desktop.kept_client_overviews(&app.window).await;
        kept.expect("signed in")
    };
    assert!(kept().await.is_empty(), "nothing was read");
    let read = overview(&app, &HOME.into()).await.expect("an overview");
    service.identity.stop().await;
    service.gateway.stop().await;
    let shown = kept().await;
    assert_eq!(shown.len(), 1, "those that were read");
    assert_eq!(
        (&shown[0].as_of, &shown[0].drafts, shown[0].kept),
        (&read.as_of, &read.drafts, true)
    );
    let offline = overview(&app, &HOME.into()).await.expect("kept");
    assert!(offline.kept && offline.drafts == read.drafts);
}
