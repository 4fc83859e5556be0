//! Tests of the audit over REST and gRPC (decision 0147).

use invoicing_contract::messages::audit::audit_events_client::AuditEventsClient;
use invoicing_contract::messages::audit::{AuditFilter, ListAuditEventsRequest};
use invoicing_storage::audit::AuditEventKind;
use jiff::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::identity::{signed_in, with_administrator};
use super::platform::audited;
use crate::fixtures::gateway::{channel, violation_fields};
use crate::fixtures::{HESSA, HESSA_ID, HOME, NOURA, NOURA_ID, Response, SALEM_ID};

const EVENTS: &str = "/api/v2/admin/audit/events/list";
const ALL_EVENTS: &str = "/api/v2/admin/platform/audit/events/list";
const USERS: &str = "/api/v2/admin/identity/users";
const MACHINES: &str = "/api/v2/admin/identity/machine-users";
const GULF_PEARL: &str = "274893002";

fn events(page: &Response) -> &Vec<Value> {
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    page.json["events"].as_array().expect("events")
}

fn values<'a>(page: &'a Response, field: &str) -> Vec<&'a str> {
    let values = events(page).iter().map(|event| event[field].as_str());
    values.map(|value| value.expect("a text")).collect()
}

/// The times as instants: as texts "05Z" would follow "05.003Z".
fn instants(page: &Response) -> Vec<Timestamp> {
    let times = values(page, "time").into_iter();
    times.map(|time| time.parse().expect("a time")).collect()
}

#[tokio::test]
async fn event_names_who_did_what_to_whom_in_which_request() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let path = format!("{USERS}/{SALEM_ID}:revokeRole");
    let revoked = noura
        .request(Method::POST, &path)
        .header("x-correlation-id", "audit-test-0001")
        .json(&json!({"role": "clerk"}))
        .send();
    let revoked = revoked.await.expect("a response");
    assert_eq!(revoked.status(), StatusCode::OK);
    // Somebody who is disabled keeps the name.
    let path = format!("{USERS}/{SALEM_ID}:disable");
    let disabled = noura.post(&path, json!({})).await;
    assert_eq!(disabled.status, StatusCode::OK, "{}", disabled.body);

    let filter = json!({"correlationId": "audit-test-0001"});
    let page = noura.post(EVENTS, json!({"filter": filter})).await;
    let [event] = &events(&page)[..] else {
        panic!("{}", page.body);
    };
    assert_eq!(event["kind"], "role_revoked");
    assert_eq!(event["subjectId"], SALEM_ID);
    assert_eq!(event["actorId"], NOURA_ID);
    assert_eq!(event["organizationId"], HOME);
    assert_eq!(event["correlationId"], "audit-test-0001");
    assert_eq!(
        event["details"],
        json!([{"name": "role", "value": "clerk"}])
    );
    for name in ["subjectName", "actorName", "organizationName"] {
        assert_ne!(event[name], "", "{name}: {event}");
    }

    let request = ListAuditEventsRequest {
        filter: Some(AuditFilter {
            kinds: vec!["role_revoked".to_owned()],
            person_id: NOURA_ID.to_owned(),
            ..Default::default()
        }),
        ..Default::default()
    };
    let mut client = AuditEventsClient::new(channel(&service).await);
    let answer = client.list_audit_events(noura.grpc(request)).await;
    let answer = answer.expect("a page").into_inner();
    assert_eq!(answer.events.len(), 1, "{answer:?}");
    assert_eq!(answer.events[0].subject_id, SALEM_ID);
    service.running.shutdown().await;
}

#[tokio::test]
async fn pages_are_newest_first_and_continue_after_the_last_event() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    for _ in 0..3 {
        for action in ["disable", "enable"] {
            let path = format!("{USERS}/{SALEM_ID}:{action}");
            let changed = noura.post(&path, json!({})).await;
            assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
        }
    }
    let filter = json!({"kinds": ["user_disabled", "user_enabled"], "personId": SALEM_ID});
    let whole = noura.post(EVENTS, json!({"filter": filter})).await;
    let times = instants(&whole);
    assert_eq!(times.len(), 6, "{}", whole.body);
    assert!(times.is_sorted_by(|one, next| one >= next), "{times:?}");

    let mut ids = Vec::new();
    let mut token = String::new();
    loop {
        let request = json!({"filter": filter, "pageSize": 4, "pageToken": token});
        let page = noura.post(EVENTS, request).await;
        ids.extend(values(&page, "eventId").into_iter().map(str::to_owned));
        token = page.text("nextPageToken").to_owned();
        if token.is_empty() {
            break;
        }
        let other = json!({"filter": {}, "pageToken": token});
        let refused = noura.post(EVENTS, other).await;
        assert_eq!(
            violation_fields(&refused),
            ["pageToken"],
            "{}",
            refused.body
        );
    }
    assert_eq!(ids, values(&whole, "eventId"));

    let end = times[2];
    let ranged =
        json!({"filter": {"kinds": ["user_disabled", "user_enabled"], "endTime": end.to_string()}});
    let ranged = noura.post(EVENTS, ranged).await;
    assert!(instants(&ranged).iter().all(|time| *time < end));
    for (filter, field) in [
        (json!({"kinds": ["nothing"]}), "filter.kinds[0]"),
        (
            json!({"startTime": "2026-02-01T00:00:00Z", "endTime": "2026-01-01T00:00:00Z"}),
            "filter.endTime",
        ),
    ] {
        let refused = noura.post(EVENTS, json!({"filter": filter})).await;
        assert_eq!(violation_fields(&refused), [field], "{}", refused.body);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn administrator_sees_only_events_of_the_own_tenant() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let operator = signed_in(&service, HESSA).await;
    // An event of another tenant, by an operator, and one of the own tenant.
    for tenant in [GULF_PEARL, HOME] {
        let path = format!("/api/v2/admin/identity/tenants/{tenant}:setLimits");
        let changed = operator
            .post(&path, json!({"limits": {"users": 500}}))
            .await;
        assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
    }

    let own = noura.post(EVENTS, json!({"pageSize": 500})).await;
    let organizations = values(&own, "organizationId");
    assert!(!organizations.is_empty());
    assert!(
        organizations
            .iter()
            .all(|organization| *organization == HOME),
        "{organizations:?}"
    );
    let changed = json!({"filter": {"kinds": ["tenant_changed"]}});
    let changed = noura.post(EVENTS, changed).await;
    assert_eq!(values(&changed, "actorId"), [HESSA_ID]);
    assert_eq!(
        values(&changed, "actorName"),
        [""],
        "the operator is no person of the tenant"
    );
    // Naming people, applications or requests of others shows nothing of them.
    let by_operator = json!({"filter": {"personId": HESSA_ID}});
    let by_operator = noura.post(EVENTS, by_operator).await;
    assert!(
        values(&by_operator, "organizationId")
            .iter()
            .all(|organization| *organization == HOME)
    );

    // The other tenant cannot be the target, and no field of the request widens it.
    let elsewhere = noura
        .request(Method::POST, EVENTS)
        .header(service.names.organization_header(), GULF_PEARL)
        .json(&json!({}));
    let elsewhere = elsewhere.send().await.expect("a response").status();
    assert_eq!(elsewhere, StatusCode::FORBIDDEN);
    let widened = json!({"organizationId": GULF_PEARL});
    let widened = noura.post(EVENTS, widened).await;
    assert_eq!(widened.status, StatusCode::BAD_REQUEST, "{}", widened.body);
    for body in [json!({}), json!({"organizationId": HOME})] {
        let refused = noura.post(ALL_EVENTS, body).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    }
    // Nor does the token of a page that an operator got.
    let page = operator
        .post(
            ALL_EVENTS,
            json!({"organizationId": GULF_PEARL, "pageSize": 1}),
        )
        .await;
    let stolen = json!({"pageSize": 1, "pageToken": page.text("nextPageToken")});
    let refused = noura.post(EVENTS, stolen).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);

    let all = operator
        .post(ALL_EVENTS, json!({"filter": {"kinds": ["tenant_changed"]}}))
        .await;
    assert_eq!(values(&all, "organizationId"), [HOME, GULF_PEARL]);
    assert!(
        values(&all, "actorName")
            .iter()
            .all(|name| !name.is_empty())
    );
    let one = operator
        .post(ALL_EVENTS, json!({"organizationId": GULF_PEARL}))
        .await;
    assert!(
        values(&one, "organizationId")
            .iter()
            .all(|organization| *organization == GULF_PEARL)
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn every_request_to_read_the_audit_is_one_event_of_it() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let operator = signed_in(&service, HESSA).await;
    let page = noura.post(EVENTS, json!({})).await;
    assert!(events(&page).len() > 1, "{}", page.body);
    noura
        .post(EVENTS, json!({"filter": {"kinds": ["nothing"]}}))
        .await;
    operator.post(ALL_EVENTS, json!({})).await;
    operator
        .post(ALL_EVENTS, json!({"organizationId": HOME}))
        .await;

    let recorded = audited(&service, AuditEventKind::AuditRead).await;
    let recorded: Vec<_> = recorded
        .iter()
        .map(|event| {
            let text = |id: Option<&str>| id.unwrap_or_default().to_owned();
            (
                text(event.subject.as_ref().map(|id| id.as_str())),
                text(event.organization.as_ref().map(|id| id.as_str())),
                event.detail["events"].clone(),
            )
        })
        .collect();
    let expected = [
        (HESSA_ID, HOME, "platform"),
        (HESSA_ID, "", "platform"),
        (NOURA_ID, HOME, "organization"),
    ];
    let expected = expected.map(|(one, two, three)| (one.into(), two.into(), three.into()));
    assert_eq!(recorded, expected);

    let read = json!({"filter": {"kinds": ["audit_read"]}});
    let read = noura.post(EVENTS, read).await;
    assert_eq!(
        values(&read, "subjectId"),
        [HESSA_ID, NOURA_ID],
        "a tenant sees who has read its events"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn administrator_sees_every_change_of_an_application_of_the_own_tenant() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let path = "/api/v2/admin/identity/applications";
    let uris = ["https://books.palms.example/callback"];
    let new = json!({"name": "Palm Books", "kind": "CONFIDENTIAL", "redirectUris": uris});
    let created = noura.post(path, json!({"application": new})).await;
    assert_eq!(created.status, StatusCode::OK, "{}", created.body);
    let application = &created.json["application"];
    let client_id = application["clientId"].as_str().expect("an id");
    let path = format!("{path}/{client_id}");
    let renamed = noura.request(Method::PATCH, &path).json(&json!({
        "application": {"name": "Ledger"},
        "concurrencyStamp": application["concurrencyStamp"],
        "updateMask": "name",
    }));
    let renamed = renamed.send().await.expect("a response");
    assert_eq!(renamed.status(), StatusCode::OK);
    for action in ["rotateSecret", "disable", "enable"] {
        let changed = noura.post(&format!("{path}:{action}"), json!({})).await;
        assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
    }

    let filter = json!({"filter": {"clientId": client_id}});
    let page = noura.post(EVENTS, filter).await;
    let mut kinds = values(&page, "kind");
    // Events of the same millisecond have no order.
    kinds.sort_unstable();
    let expected = [
        "application_changed",
        "application_disabled",
        "application_enabled",
        "application_registered",
        "client_secret_rotated",
    ];
    assert_eq!(kinds, expected);
    service.running.shutdown().await;
}

#[tokio::test]
async fn events_hold_no_secret() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let mut secrets = vec![noura.token.clone()];
    let machine = json!({"name": "Till", "role": "clerk"});
    let machine = noura.post(MACHINES, machine).await;
    secrets.push(machine.text("clientSecret").to_owned());
    let id = machine.json["machineUser"]["userId"]
        .as_str()
        .expect("an id");
    let token = json!({"name": "Till", "days": 1});
    let token = noura.post(&format!("{MACHINES}/{id}/pats"), token).await;
    secrets.push(token.text("token").to_owned());
    let invitation = json!({"username": "new@alkhair.example", "name": "New", "roles": ["clerk"]});
    let invited = noura.post(&format!("{USERS}:invite"), invitation).await;
    let code = invited.json["passwordCode"]["code"].as_str();
    secrets.push(code.expect("a code").to_owned());
    let impersonated = noura
        .post("/api/v2/admin/impersonate", json!({"userId": SALEM_ID}))
        .await;
    secrets.push(impersonated.text("accessToken").to_owned());

    let operator = signed_in(&service, HESSA).await;
    let page = operator.post(ALL_EVENTS, json!({"pageSize": 500})).await;
    let kinds = values(&page, "kind");
    for kind in ["user_invited", "pat_minted", "impersonated"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    for secret in &secrets {
        assert!(!secret.is_empty() && !page.body.contains(&**secret));
    }
    for typed in ["new@alkhair.example", "New"] {
        assert!(
            !page.json["events"]
                .as_array()
                .expect("events")
                .iter()
                .any(|event| event["details"].to_string().contains(typed))
        );
    }
    service.running.shutdown().await;
}
