//! Names and time zones of organizations: told by the service, kept for the next start; a name is replaced by an alias of this computer
//! (decision 0162).

use invoicing_client::views::{
    DocumentSelection, ExportFormat, ExportOptions, InvoiceContent, InvoiceQuery, Language,
    OrganizationView,
};
use jiff::tz::TimeZone;

use crate::fixtures::{Browser, HOME, NOURA, Service, TestApp, now};

const CLIENT: &str = "274893002";

async fn organization(app: &TestApp, id: &str) -> OrganizationView {
    let organizations = app.desktop.organizations(&app.window).await;
    let organizations = organizations.expect("a list").into_iter();
    let mut found = organizations.filter(|organization| organization.id == *id);
    found.next().expect("granted")
}

#[tokio::test]
async fn organization_has_its_domain_until_the_service_has_told_its_name_which_is_kept() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let claimed = organization(&app, CLIENT).await;
    assert_eq!((&claimed.name, &claimed.arabic), (&claimed.domain, &None));

    let binding = app.switch_organization(HOME).await;
    let read = app.desktop.read_organization_names(&app.window, binding);
    read.await.expect("told");
    let told = organization(&app, CLIENT).await;
    assert_eq!(
        (told.name.as_str(), told.badge.as_str()),
        ("Gulf Pearl Contracting", "GP")
    );
    let arabic = told.arabic.clone().expect("a name in Arabic");
    assert!(told.found_by.contains(&arabic.name));
    assert_eq!(
        (&told.color, told.pattern),
        (&claimed.color, claimed.pattern)
    );

    app.desktop.stop().await;
    let restarted = app.restart();
    restarted.binding().await;
    assert_eq!(organization(&restarted, CLIENT).await, told);
}

#[tokio::test]
async fn alias_is_shown_in_place_of_the_name_that_the_service_told() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = app.switch_organization(HOME).await;
    let read = app.desktop.read_organization_names(&app.window, binding);
    read.await.expect("told");
    let alias = Some("Pearl".to_owned());
    let set = app
        .desktop
        .set_organization_alias(&app.window, CLIENT.into(), alias);
    set.await.expect("saved");
    let aliased = organization(&app, CLIENT).await;
    assert_eq!((aliased.name.as_str(), aliased.arabic), ("Pearl", None));
    let found_by = &aliased.found_by;
    assert!(found_by.iter().any(|name| name == "Gulf Pearl Contracting"));
}

#[tokio::test]
async fn draft_is_dated_today_in_the_time_zone_of_its_organization() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let today = app.wall().to_zoned(TimeZone::UTC).date();
    // In Riyadh it is tomorrow.
    let late = today.at(22, 30, 0, 0).to_zoned(TimeZone::UTC);
    let late = late.expect("a moment").timestamp();
    app.clock.set_wall_clock(late);
    let issue_date = async |content| {
        let draft = app
            .desktop
            .new_draft(&app.window, binding.clone(), content)
            .await;
        draft.expect("saved").content.issue_date
    };
    assert_eq!(
        issue_date(None).await,
        today.to_string(),
        "of the computer, until the service has told the time zone"
    );

    app.clock.set_wall_clock(now());
    let read = app
        .desktop
        .read_organization_names(&app.window, binding.clone());
    read.await.expect("told");
    let told = organization(&app, HOME).await;
    assert_eq!(told.time_zone, "Asia/Riyadh");
    app.clock.set_wall_clock(late);
    let tomorrow = today.tomorrow().expect("a day").to_string();
    for content in [None, Some(InvoiceContent::default())] {
        assert_eq!(issue_date(content).await, tomorrow);
    }
    let selection = DocumentSelection::All {
        query: InvoiceQuery::default(),
        excluded: Vec::new(),
    };
    let options = ExportOptions {
        format: ExportFormat::Csv,
        columns: Vec::new(),
        language: Language::En,
    };
    let exported =
        app.desktop
            .export_documents(&app.window, binding.clone(), selection, options, 0);
    assert_eq!(exported.await, Ok(None), "no file is chosen");
    let suggested = app.host.suggested_name();
    assert_eq!(suggested, format!("invoices-{tomorrow}.csv"));
    let dated = InvoiceContent {
        issue_date: "2026-01-31".to_owned(),
        ..InvoiceContent::default()
    };
    assert_eq!(issue_date(Some(dated)).await, "2026-01-31");
}
