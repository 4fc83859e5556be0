//! The overview of all clients: it reads organizations that the window is not bound to, and changes no binding (decision 0135).

use invoicing_client::views::{CommandError, DraftCount, OrganizationId, Overview};

use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp};

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
    let other = app.switch_organization("274893002").await;
    app.new_draft(&other).await;
    service.identity.stop().await;
    service.gateway.stop().await;
    let counts = app.desktop.draft_counts(&app.window).await;
    let count = |organization: &str, count| DraftCount {
        organization: organization.into(),
        count,
    };
    assert_eq!(counts, Ok(vec![count(HOME, 2), count("274893002", 1)]));
    assert_eq!(app.binding().await, other, "no binding has changed");
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
