//! Tests of operations on the platform, which only operators may call, and of who may call which administrative operation.

use invoicing_contract::messages::identity::SetTenantLimitsRequest;
use invoicing_contract::{Operation, SubjectId, operation};
use invoicing_storage::audit::{AuditEvent, AuditEventKind, Query};
use invoicing_storage::plans::Limits;
use prost::Message as _;
use reqwest::{Method, StatusCode};
use serde_json::json;
use tonic::transport::Channel;

use super::identity::{ID, IMPERSONATE, TENANTS, signed_in, tenant};
use crate::fixtures::gateway::{GatewayClient, channel, invoice, reason};
use crate::fixtures::operations::{OF_ADMINISTRATOR, OF_OPERATOR, path_with};
use crate::fixtures::user_agent::{
    AuthorizationRequest, Callback, Form, UserAgent, unverified_claims,
};
use crate::fixtures::{HESSA, HESSA_ID, HOME, NOURA, NOURA_ID, OPERATOR, SALEM, SALEM_ID, Service};

const ACROSS: &str = "/api/v2/admin/platform/impersonate";
const LIMITS: &str = "/api/v2/admin/identity/tenants/274893001:setLimits";
const LIST: &str = "/api/v1/simple/invoices/list";
const GULF_PEARL: &str = "274893002";

/// Who calls, for which organization, and what is allowed.
struct Caller<'service> {
    name: &'static str,
    client: GatewayClient<'service>,
    organization: Option<&'static str>,
    allowed: &'static [&'static str],
}

#[tokio::test]
async fn each_administrative_operation_is_allowed_to_its_callers_only() {
    let service = Service::start().await;
    let channel = channel(&service).await;
    let callers = callers(&service).await;
    let administrative = operation::ALL
        .iter()
        .filter(|operation| operation.is_administration());
    let mut methods = Vec::new();
    for operation in administrative {
        methods.push(operation.method);
        for caller in &callers {
            let expected = caller.allowed.contains(&operation.method);
            assert_eq!(
                is_allowed_over_rest(caller, operation).await,
                expected,
                "REST: {}, {}",
                caller.name,
                operation.method
            );
            assert_eq!(
                is_allowed_over_grpc(caller, operation, &channel).await,
                expected,
                "gRPC: {}, {}",
                caller.name,
                operation.method
            );
        }
    }
    methods.sort_unstable();
    let mut expected = [OF_ADMINISTRATOR, OF_OPERATOR].concat();
    expected.sort_unstable();
    assert_eq!(methods, expected, "every administrative operation");
    service.running.shutdown().await;
}

async fn callers(service: &Service) -> Vec<Caller<'_>> {
    let caller = |name, client, organization, allowed| Caller {
        name,
        client,
        organization,
        allowed,
    };
    let without_audience = AuthorizationRequest::new(service, "openid");
    let callback = UserAgent::new(service)
        .sign_in(service, &without_audience, HESSA)
        .await;
    let tokens = service.redeem(&without_audience, &callback).await;
    let of_another_audience = GatewayClient {
        service,
        token: tokens.text("access_token").to_owned(),
    };
    // The person becomes an administrator and an operator after the token was issued.
    service.grant(NOURA_ID, HOME, "administrator").await;
    let noura = signed_in(service, NOURA).await;
    let impersonation = noura.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
    let impersonated = GatewayClient {
        service,
        token: impersonation.text("accessToken").to_owned(),
    };
    for (id, role, organization) in [
        ("81", "administrator", GULF_PEARL),
        ("82", "administrator", OPERATOR),
        ("83", "operator", HOME),
    ] {
        add_person(service, id, organization, role).await;
    }
    service.grant(SALEM_ID, HOME, "administrator").await;
    service.grant("81", HOME, "clerk").await;
    let operators = OF_OPERATOR;
    let administrators = OF_ADMINISTRATOR;
    let machine = GatewayClient::new(service).await;
    add_person(service, "84", HOME, "").await;
    vec![
        caller("no role", person_signed_in(service, "84").await, None, &[]),
        caller("administrator of the tenant", noura, None, administrators),
        caller(
            "administrator of another tenant, in this one",
            person_signed_in(service, "81").await,
            Some(HOME),
            &[],
        ),
        caller(
            "administrator of another tenant, in its own",
            person_signed_in(service, "81").await,
            None,
            administrators,
        ),
        caller("operator", signed_in(service, HESSA).await, None, operators),
        caller(
            "operator, in a tenant",
            signed_in(service, HESSA).await,
            Some(HOME),
            &[],
        ),
        caller(
            "operator, with a token of another audience",
            of_another_audience,
            None,
            &[],
        ),
        caller(
            "administrator of the operator organization",
            person_signed_in(service, "82").await,
            None,
            administrators,
        ),
        caller(
            "role operator in another organization",
            person_signed_in(service, "83").await,
            None,
            &[],
        ),
        caller("impersonated token", impersonated, None, &[]),
        caller("machine user", machine, None, &[]),
    ]
}

/// Adds a person with the password of Salem, whose username is the id. An empty role is none.
/// Adds a person who can sign in with the password of Salem.
pub(super) async fn add_person(service: &Service, id: &str, organization: &str, role: &str) {
    let insert = format!(
        "INSERT INTO subjects (id, username, name, home_organization, password_hash)
         SELECT '{id}', '{id}@example', '{id}', '{organization}', password_hash FROM subjects WHERE id = '{SALEM_ID}'"
    );
    service.execute_sql(&insert).await;
    if !role.is_empty() {
        service.grant(id, organization, role).await;
    }
}

/// A client of a person of [`add_person`].
pub(super) async fn person_signed_in<'service>(
    service: &'service Service,
    id: &str,
) -> GatewayClient<'service> {
    let authorization = AuthorizationRequest::new(service, &service.desktop_scope());
    let mut browser = UserAgent::new(service);
    let page = browser.get(&authorization.path()).await;
    let form = Form::find(&page, "sign-in");
    let (username, password) = (format!("{id}@example"), &service.user(SALEM).password);
    let fields = [("username", &*username), ("password", password)];
    let callback = Callback::from_redirect(&browser.submit(&form, &fields).await);
    let tokens = service.redeem(&authorization, &callback).await;
    GatewayClient {
        service,
        token: tokens.text("access_token").to_owned(),
    }
}

async fn is_allowed_over_rest(caller: &Caller<'_>, operation: &Operation) -> bool {
    let path = path_with(operation, "nobody");
    let verb = Method::from_bytes(operation.verb.as_bytes()).expect("an HTTP method");
    let mut request = caller.client.request(verb.clone(), &path);
    if verb != Method::GET && verb != Method::DELETE {
        request = request.json(&json!({}));
    }
    if let Some(organization) = caller.organization {
        let header = caller.client.service.names.organization_header();
        request = request.header(header, organization);
    }
    let status = request.send().await.expect("a response").status();
    assert!(
        is_read(operation) || status != StatusCode::OK,
        "an empty request does nothing"
    );
    status != StatusCode::FORBIDDEN
}

async fn is_allowed_over_grpc(
    caller: &Caller<'_>,
    operation: &Operation,
    channel: &Channel,
) -> bool {
    // Empty but for the organization, which REST has in its path.
    let message = SetTenantLimitsRequest {
        organization_id: "nobody".to_owned(),
        limits: None,
    };
    let message = if *operation == operation::SET_TENANT_LIMITS {
        message.encode_to_vec()
    } else {
        Vec::new()
    };
    let called = caller
        .client
        .call_encoded_for(channel, operation, message, caller.organization)
        .await;
    match called {
        Ok(_) => {
            assert!(is_read(operation), "an empty request does nothing");
            true
        }
        Err(refused) => refused.code() != tonic::Code::PermissionDenied,
    }
}

/// Whether the operation changes nothing, so that an empty request may succeed.
fn is_read(operation: &Operation) -> bool {
    let method = operation.method;
    ["Get", "List", "Check"]
        .iter()
        .any(|verb| method.starts_with(verb))
}

#[tokio::test]
async fn operator_impersonates_a_person_of_another_tenant_within_that_tenant() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let request = json!({"organizationId": HOME, "userId": SALEM_ID});
    let impersonation = operator.post(ACROSS, request).await;
    assert_eq!(impersonation.status, 200, "{}", impersonation.body);
    let claims = unverified_claims(impersonation.text("idToken"));
    assert_eq!(
        (&claims["sub"], &claims["act"]),
        (&json!(SALEM_ID), &json!({"sub": HESSA_ID}))
    );
    let salem = GatewayClient {
        service: &service,
        token: impersonation.text("accessToken").to_owned(),
    };
    let draft = salem.create_draft(invoice("Dates", "10.00")).await;
    assert_eq!(draft["organizationId"], json!(HOME));
    assert_eq!(draft["created"]["actor"], json!(HESSA_ID), "{draft}");
    for elsewhere in [OPERATOR, GULF_PEARL] {
        assert_eq!(
            service.list_status(&salem.token, Some(elsewhere)).await,
            StatusCode::FORBIDDEN,
            "{elsewhere}"
        );
    }
    let events = audited(&service, AuditEventKind::Impersonated).await;
    assert_eq!(events.len(), 1);
    assert_eq!(
        (
            events[0].subject.as_ref().map(SubjectId::as_str),
            events[0].actor.as_deref()
        ),
        (Some(SALEM_ID), Some(HESSA_ID))
    );
    assert_eq!(events[0].organization, Some(HOME.into()));

    service
        .execute_sql("DELETE FROM grants WHERE role = 'operator'")
        .await;
    assert_eq!(
        service.userinfo(&salem.token).await.status,
        StatusCode::UNAUTHORIZED,
        "the token ends with the role of its actor"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn operator_impersonates_no_administrator_no_machine_user_and_nobody_of_a_wrong_tenant() {
    let service = Service::start().await;
    service.grant(SALEM_ID, HOME, "administrator").await;
    let operator = signed_in(&service, HESSA).await;
    for (organization, user, status) in [
        (HOME, SALEM_ID, StatusCode::FORBIDDEN),
        (OPERATOR, HESSA_ID, StatusCode::FORBIDDEN),
        (GULF_PEARL, SALEM_ID, StatusCode::NOT_FOUND),
        (HOME, "310000000000000009", StatusCode::NOT_FOUND),
        (HOME, HESSA_ID, StatusCode::NOT_FOUND),
        (HOME, "nobody", StatusCode::NOT_FOUND),
    ] {
        let request = json!({"organizationId": organization, "userId": user});
        let refused = operator.post(ACROSS, request).await;
        assert_eq!(refused.status, status, "{organization} {user}");
    }
    let refused = audited(&service, AuditEventKind::ImpersonationRefused).await;
    assert_eq!(refused.len(), 6, "each of them");
    let own = operator
        .post(IMPERSONATE, json!({"userId": SALEM_ID}))
        .await;
    assert_eq!(own.status, StatusCode::FORBIDDEN, "of administrators only");
    service.running.shutdown().await;
}

#[tokio::test]
async fn operator_sets_the_limits_of_a_tenant() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let limits = json!({"limits": {"monthlyDocuments": 0, "requestsPerMinute": 1}});
    let set = operator.post(LIMITS, limits.clone()).await;
    assert_eq!(set.status, 200, "{}", set.body);
    assert_eq!(set.json["limits"], limits["limits"]);
    let salem = signed_in(&service, SALEM).await;
    let draft = salem.post("/api/v2/documents", json!({})).await;
    assert_eq!(reason(&draft.json), "PLAN_LIMIT");
    let second = salem.post(LIST, json!({})).await;
    assert_eq!(reason(&second.json), "RATE_LIMIT");
    let events = audited(&service, AuditEventKind::TenantChanged).await;
    assert_eq!(events[0].actor.as_deref(), Some(HESSA_ID));

    let none = operator.post(LIMITS, json!({"limits": {}})).await;
    assert_eq!(none.json["limits"], json!({}), "{}", none.body);
    let store = service.store().await;
    let basis = store.basis().await.unwrap();
    let found = store.tenant(&HOME.into(), basis).await.unwrap().unwrap();
    assert_eq!(
        (found.own_limits, found.limits()),
        (Limits::default(), Limits::default())
    );
    let negative = json!({"limits": {"monthlyDocuments": -1}});
    let negative = operator.post(LIMITS, negative).await;
    assert_eq!(reason(&negative.json), "INVALID_REQUEST");
    service.running.shutdown().await;
}

#[tokio::test]
async fn refused_operations_on_the_platform_are_audited_once_a_minute() {
    let service = Service::start().await;
    service.grant(NOURA_ID, HOME, "administrator").await;
    let noura = signed_in(&service, NOURA).await;
    for _ in 0..3 {
        let refused = noura.post(TENANTS, tenant(ID, "nakheel.example")).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        assert!(!refused.body.contains("clientSecret"), "{}", refused.body);
    }
    let events = audited(&service, AuditEventKind::PlatformRefused).await;
    assert_eq!(events.len(), 1);
    assert_eq!(
        events[0].subject.as_ref().map(SubjectId::as_str),
        Some(NOURA_ID)
    );
    assert_eq!(events[0].detail["reason"], "CreateTenant");
    // An event of the future is one of a clock that was set back.
    service.clock.step_wall_clock(-3_600);
    let noura = signed_in(&service, NOURA).await;
    noura.post(TENANTS, tenant(ID, "nakheel.example")).await;
    let events = audited(&service, AuditEventKind::PlatformRefused).await;
    assert_eq!(events.len(), 2);
    service.running.shutdown().await;
}

#[tokio::test]
async fn environment_without_an_operator_organization_has_no_operators() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    service
        .execute_sql("DELETE FROM operator_organization")
        .await;
    let refused = operator.post(TENANTS, tenant(ID, "nakheel.example")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    service.running.shutdown().await;
}

pub(super) async fn audited(service: &Service, kind: AuditEventKind) -> Vec<AuditEvent> {
    let store = service.store().await;
    let query = Query {
        kinds: vec![kind],
        size: 100,
        ..Query::default()
    };
    let page = store.audit(&query).await.expect("storage responds");
    page.into_iter().map(|recorded| recorded.event).collect()
}
