//! Every administrative write is in the audit with what it has changed (decision 0153). The operations are those of the contract:
//! a new one fails here until [`events_of`] says what its events are.

use std::collections::BTreeMap;

use invoicing_contract::{Operation, operation};
use invoicing_storage::audit::{AuditEvent, CORRELATION_ID, Query};
use serde_json::{Value, json};

use super::call::{method, send_rest};
use super::guard::service_without_rate_limit;
use super::requests::{Environment, valid_request};
use crate::fixtures::{HOME, Response, Service};

/// The details of an event by name: a value, `{field}` for that of the request, or `*` for one that the service makes.
type Details = &'static [(&'static str, &'static str)];
/// Kinds of events with their details.
type Events = &'static [(&'static str, Details)];

/// Operations that say what a state shall be: the same again changes nothing.
const OF_A_STATE: [&str; 7] = [
    "Assign", "Disable", "Enable", "Grant", "Set", "Update", "Verify",
];

/// The texts of a profile.
const PROFILE_TEXTS: &str = "profile.taxId profile.registrationNumber.scheme profile.registrationNumber.value \
     profile.address.building profile.address.street profile.address.district profile.address.city profile.address.postalCode";

/// The terms of a plan without any.
const NEW_PLAN: Details = &[
    ("api_access", "yes"),
    ("authorities", "all"),
    ("document_kinds", "all"),
    ("fields", "name nameAr"),
    ("languages", "all"),
    ("monthly_documents", "none"),
    ("plan", "{planId}"),
    ("requests_per_minute", "none"),
    ("users", "none"),
];

/// The events of the request that `requests` has of an administrative operation. `None`: nobody has thought of it.
fn events_of(operation: &Operation) -> Option<Events> {
    let events: Events = match operation.method {
        // They try something and write nothing.
        "CheckRules" | "TestConnection" => &[],
        "CreateTenant" => &[
            (
                "tenant_created",
                &[
                    ("country", "SA"),
                    ("currency", "SAR"),
                    ("domain", "*"),
                    ("fields", "*"),
                    ("time_zone", "Asia/Riyadh"),
                ],
            ),
            ("user_created", &[("role", "accountant")]),
        ],
        "CompleteProfile" => &[
            (
                "profile_completed",
                &[
                    ("country", "SA"),
                    ("currency", "SAR"),
                    ("fields", PROFILE_TEXTS),
                    ("time_zone", "Asia/Riyadh"),
                ],
            ),
            ("user_created", &[("role", "accountant")]),
        ],
        "Impersonate" | "ImpersonateAcrossTenants" => &[("impersonated", &[])],
        "SetTenantLimits" => &[(
            "tenant_changed",
            &[
                ("monthly_documents", "1000000"),
                ("monthly_documents_before", "none"),
            ],
        )],
        "UpdateTenant" => &[("tenant_changed", &[("fields", "profile.taxId")])],
        "UpdateOwnTenant" => &[(
            "tenant_changed",
            &[(
                "fields",
                "profile.registrationNumber.value profile.address.street",
            )],
        )],
        "DisableTenant" => &[("tenant_disabled", &[])],
        "EnableTenant" => &[("tenant_enabled", &[])],
        "CreateOrganization" => &[(
            "organization_created",
            &[("domain", "{domain}"), ("fields", "name nameAr")],
        )],
        "CreateTenantOfOrganization" => &[("tenant_created", &[])],
        "AddDomain" => &[("domain_claimed", &[("domain", "{domain}")])],
        "AddOrganizationDomain" => &[
            ("domain_claimed", &[("domain", "{domain}")]),
            ("domain_verified", &[("domain", "{domain}")]),
        ],
        "VerifyDomain" => &[("domain_verified", &[("domain", "{domain}")])],
        "RemoveDomain" | "RemoveOrganizationDomain" => &[(
            "domain_removed",
            &[("domain", "{domain}"), ("domain_verified_before", "no")],
        )],
        "SetPrimaryDomain" | "SetOrganizationPrimaryDomain" => &[(
            "primary_domain_changed",
            &[("domain", "{domain}"), ("domain_before", "*")],
        )],
        "InviteAdministrator" => &[
            ("role_granted", &[("role", "administrator")]),
            (
                "user_invited",
                &[("email_verified", "no"), ("fields", "username name")],
            ),
        ],
        "InviteUser" => &[
            ("role_granted", &[("role", "clerk")]),
            (
                "user_invited",
                &[("email_verified", "no"), ("fields", "username name")],
            ),
        ],
        "GrantRole" => &[("role_granted", &[("role", "{role}")])],
        "RevokeRole" => &[("role_revoked", &[("role", "{role}")])],
        "DisableUser" => &[("user_disabled", &[])],
        "EnableUser" => &[("user_enabled", &[])],
        "ResetPassword" => &[("password_reset", &[])],
        "EndSessions" => &[("sessions_ended", &[])],
        "CreateMachineUser" => &[("user_created", &[("role", "{role}")])],
        "MintPat" | "MintOwnPat" => &[(
            "pat_minted",
            &[("expires_at", "*"), ("fields", "name"), ("pat", "*")],
        )],
        "RevokePat" => &[("pat_revoked", &[("pat", "{patId}")])],
        "CreateApplication" => &[(
            "application_registered",
            &[
                ("fields", "name"),
                ("grants", "authorization_code refresh_token"),
                ("id_token_algorithm", "RS256"),
                ("includes_audience", "no"),
                ("kind", "confidential"),
                ("organization", "274893001"),
                ("organization_only", "yes"),
                ("redirect_uris", "https://books.palms.example/callback"),
                ("revoke_family_on_reuse", "no"),
                (
                    "scopes",
                    "openid profile email offline_access audience resourceowner",
                ),
            ],
        )],
        "UpdateApplication" => &[(
            "application_changed",
            &[
                ("fields", "name"),
                ("redirect_uris", "https://ledger.palms.example/callback"),
                (
                    "redirect_uris_before",
                    "https://books.palms.example/callback",
                ),
            ],
        )],
        "DisableApplication" => &[("application_disabled", &[])],
        "EnableApplication" => &[("application_enabled", &[])],
        "RotateApplicationSecret" => &[("client_secret_rotated", &[("overlap_seconds", "60")])],
        "PublishRules" => &[(
            "rules_published",
            &[
                ("added", ""),
                ("added_cells", "0"),
                ("removed", ""),
                ("removed_cells", "0"),
                ("version", "*"),
            ],
        )],
        "RollBackRules" => &[(
            "rules_published",
            &[
                ("added", ""),
                ("added_cells", "0"),
                ("removed", ""),
                ("removed_cells", "0"),
                ("restores", "0"),
                ("version", "*"),
            ],
        )],
        "CreatePlan" => &[("plan_created", NEW_PLAN)],
        "UpdatePlan" => &[(
            "plan_changed",
            &[
                ("api_access", "no"),
                ("api_access_before", "yes"),
                ("document_kinds", "INVOICE"),
                ("document_kinds_before", "all"),
                ("fields", "name nameAr"),
                ("plan", "{planId}"),
                ("users", "20"),
                ("users_before", "none"),
            ],
        )],
        "DeletePlan" => &[(
            "plan_deleted",
            &[
                ("api_access_before", "yes"),
                ("authorities_before", "all"),
                ("document_kinds_before", "all"),
                ("fields", "name nameAr"),
                ("languages_before", "all"),
                ("monthly_documents_before", "none"),
                ("plan", "{planId}"),
                ("requests_per_minute_before", "none"),
                ("users_before", "none"),
            ],
        )],
        "AssignPlan" => &[(
            "plan_assigned",
            &[("plan", "{planId}"), ("plan_before", "none")],
        )],
        "CreateAuthority" => &[(
            "authority_changed",
            &[
                ("adapter", "http"),
                ("credentials", "no"),
                ("enabled", "yes"),
                ("endpoint", "http://127.0.0.1:9/"),
                ("kinds", "INVOICE"),
                ("mode", "reporting"),
            ],
        )],
        "UpdateAuthority" => &[(
            "authority_changed",
            &[("enabled", "no"), ("enabled_before", "yes")],
        )],
        _ => return None,
    };
    Some(events)
}

#[tokio::test]
async fn every_administrative_write_is_audited_with_its_difference() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    let mut wrong = Vec::new();
    for operation in administrative_writes() {
        let name = operation.method;
        let Some(expected) = events_of(operation) else {
            wrong.push(format!("{name} has no row in events_of"));
            continue;
        };
        let request = request_of(&environment, operation).await;
        let (response, events) = perform(&environment, operation, &request).await;
        wrong.extend(difference_of(name, &request, expected, &events));
        if !OF_A_STATE.iter().any(|state| name.starts_with(state)) {
            continue;
        }
        let mut again = request;
        if again.get("concurrencyStamp").is_some() {
            again["concurrencyStamp"] = response.json["concurrencyStamp"].clone();
        }
        let (_, events) = perform(&environment, operation, &again).await;
        let what = format!("{name} again");
        wrong.extend(difference_of(&what, &again, &[], &events));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn request_that_is_only_validated_has_no_event() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    for operation in administrative_writes() {
        let input = method(operation).input();
        if input.get_field_by_name("validate_only").is_none() {
            continue;
        }
        let mut request = request_of(&environment, operation).await;
        request["validateOnly"] = json!(true);
        let (_, events) = perform(&environment, operation, &request).await;
        let wrong = difference_of(operation.method, &request, &[], &events);
        assert_eq!(wrong, None);
    }
    service.running.shutdown().await;
}

/// Operations of administration, and credentials that machine users make for themselves; without those that only read.
fn administrative_writes() -> impl Iterator<Item = &'static Operation> {
    let is_administrative = |operation: &&Operation| {
        operation.is_administration() || operation.scope.starts_with("Service.Identity.")
    };
    let reads =
        |operation: &Operation| operation.verb == "GET" || operation.method.starts_with("List");
    let operations = operation::ALL.iter();
    operations
        .filter(is_administrative)
        .filter(move |operation| !reads(operation))
}

/// A request that writes something.
async fn request_of(environment: &Environment<'_>, operation: &Operation) -> Value {
    let name = operation.method;
    let request = valid_request(environment, operation).await;
    let mut request = request.unwrap_or_else(|| panic!("{name} has no request in requests/"));
    if let Some(fields) = request.as_object_mut() {
        fields.remove("validateOnly");
    }
    if name == "CompleteProfile" {
        let empty = format!(
            "UPDATE tenants SET currency = '', country = '', time_zone = '', tax_id = '', building = '', street = '',
                district = '', city = '', postal_code = '', registration_number_scheme = '', registration_number_value = ''
                WHERE organization_id = '{HOME}'"
        );
        environment.service.execute_sql(&empty).await;
    }
    if let Some(what) = name.strip_prefix("Enable") {
        // What is enabled must be disabled before.
        let disable = format!("Disable{what}");
        let disable = operation::ALL.iter().find(|other| other.method == disable);
        let disable = disable.expect("what is enabled can be disabled");
        perform(environment, disable, &request).await;
    }
    request
}

/// The response of a request that succeeds, with its events.
async fn perform(
    environment: &Environment<'_>,
    operation: &Operation,
    request: &Value,
) -> (Response, Vec<AuditEvent>) {
    let caller = environment.caller(operation);
    let response = send_rest(caller, operation, request).await;
    let what = (operation.method, &response.body);
    assert!(response.status.is_success(), "{what:?}");
    let id = response.header("x-correlation-id").to_owned();
    let events = events_of_request(environment.service, id).await;
    (response, events)
}

async fn events_of_request(service: &Service, correlation_id: String) -> Vec<AuditEvent> {
    let query = Query {
        correlation_id: Some(correlation_id),
        size: 10,
        ..Query::default()
    };
    let page = service.store().await.audit(&query).await;
    let page = page.expect("storage responds").into_iter();
    page.map(|recorded| recorded.event).collect()
}

/// What is wrong unless the events have the kinds and the details, and no others.
fn difference_of(
    what: &str,
    request: &Value,
    expected: Events,
    events: &[AuditEvent],
) -> Option<String> {
    let mut found: Vec<_> = events
        .iter()
        .map(|event| {
            let mut details = event.detail.clone();
            details.remove(CORRELATION_ID);
            (event.kind.name().to_owned(), details)
        })
        .collect();
    found.sort();
    let mut wanted = Vec::new();
    for (kind, details) in expected {
        let recorded = found.iter().find(|(found, _)| found == kind);
        let recorded = recorded.map(|(_, details)| details.clone());
        let recorded = recorded.unwrap_or_default();
        let values = details.iter().map(|(name, value)| {
            let value = match (*value, value.strip_prefix('{')) {
                ("*", _) => recorded.get(*name).cloned().unwrap_or_default(),
                (_, Some(field)) => {
                    let value = &request[field.trim_end_matches('}')];
                    value.as_str().expect("a text of the request").to_owned()
                }
                (value, None) => value.to_owned(),
            };
            ((*name).to_owned(), value)
        });
        wanted.push(((*kind).to_owned(), values.collect::<BTreeMap<_, _>>()));
    }
    wanted.sort();
    (found != wanted).then(|| format!("{what}: found {found:?}, expected {wanted:?}"))
}
