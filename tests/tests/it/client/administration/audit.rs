//! The audit: of an organization for its administrator, of all for an operator.

use invoicing_client::views::{AuditQuery, AuditScope, CommandError, UserChange};
use invoicing_storage::audit::AuditEventKind;

use super::{ADMINISTRATOR, CLERK_ID, OPERATOR, OPERATORS};
use crate::fixtures::{CLERK, HOME, Service, TestApp};

/// The words of the window, and the kinds that its filter offers.
const WORDS: [&str; 2] = [
    include_str!("../../../../../ui/locales/en/audit.ftl"),
    include_str!("../../../../../ui/locales/ar/audit.ftl"),
];
const OFFERED: &str = include_str!("../../../../../ui/src/administration/auditKinds.ts");

fn query(scope: AuditScope) -> AuditQuery {
    AuditQuery {
        scope,
        organization: String::new(),
        from: String::new(),
        to: String::new(),
        kinds: Vec::new(),
        person: String::new(),
        application: String::new(),
        correlation_id: String::new(),
    }
}

#[tokio::test]
async fn administrator_finds_an_own_change_by_person_kind_and_request() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let (desktop, window) = (&app.desktop, &app.window);
    let role = "viewer".to_owned();
    let change = UserChange::GrantRole { role };
    desktop
        .change_user(window, binding.clone(), CLERK_ID.to_owned(), change)
        .await
        .expect("granted");
    let granted = AuditQuery {
        kinds: vec!["role_granted".to_owned()],
        person: CLERK_ID.to_owned(),
        ..query(AuditScope::Organization)
    };
    let found = desktop
        .list_audit_events(window, binding.clone(), granted, String::new())
        .await
        .expect("a page");
    let event = found.events.first().expect("an event");
    assert_eq!(event.kind, "role_granted");
    let subject = event.subject.as_ref().expect("a subject");
    let actor = event.actor.as_ref().expect("an actor");
    assert_eq!(subject.id, CLERK_ID);
    assert!(
        !subject.name.is_empty() && !actor.name.is_empty(),
        "{event:?}"
    );
    assert_eq!(event.details[0].value, "viewer");
    assert!(event.time.ends_with('Z'), "{}", event.time);

    let of_request = AuditQuery {
        correlation_id: event.correlation_id.clone(),
        ..query(AuditScope::Organization)
    };
    let of_request = desktop
        .list_audit_events(window, binding.clone(), of_request, String::new())
        .await
        .expect("a page");
    assert_eq!(of_request.events, std::slice::from_ref(event));
    let later = AuditQuery {
        to: event.time.clone(),
        ..query(AuditScope::Organization)
    };
    let later = desktop
        .list_audit_events(window, binding.clone(), later, String::new())
        .await
        .expect("a page");
    assert!(!later.events.contains(event));
    let platform = query(AuditScope::Platform);
    let refused = desktop
        .list_audit_events(window, binding, platform, String::new())
        .await;
    assert!(
        matches!(refused, Err(CommandError::PermissionDenied { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn operator_reads_the_events_of_all_organizations_and_a_clerk_those_of_none() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, OPERATOR, OPERATORS).await;
    let page = app
        .desktop
        .list_audit_events(
            &app.window,
            binding,
            query(AuditScope::Platform),
            String::new(),
        )
        .await
        .expect("a page");
    assert!(!page.events.is_empty());
    // As text a time without a fraction of a second is not in its place.
    let times = page.events.iter().map(|event| event.time.parse());
    let times: Vec<jiff::Timestamp> = times.collect::<Result<_, _>>().expect("RFC 3339");
    assert!(times.is_sorted_by(|one, next| one >= next), "{times:?}");
    let (clerk, binding) = TestApp::start_signed_in(&service, CLERK, HOME).await;
    for scope in [AuditScope::Organization, AuditScope::Platform] {
        let refused = clerk
            .desktop
            .list_audit_events(&clerk.window, binding.clone(), query(scope), String::new())
            .await;
        assert!(
            matches!(refused, Err(CommandError::PermissionDenied { .. })),
            "{refused:?}"
        );
    }
}

#[test]
fn every_kind_of_event_has_words_and_is_offered_by_the_filter() {
    for kind in AuditEventKind::ALL {
        let name = kind.name();
        for words in WORDS {
            assert!(words.contains(&format!("audit-kind-{name} = ")), "{name}");
        }
        assert!(OFFERED.contains(&format!("\"{name}\"")), "{name}");
    }
}
