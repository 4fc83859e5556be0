//! Tests of the domains of organizations through the gateway (decision 0115).

use invoicing_contract::messages::identity::domains_client::DomainsClient;
use invoicing_contract::messages::identity::{
    AddDomainRequest, ListDomainsRequest, RemoveDomainRequest, SetPrimaryDomainRequest,
    VerifyDomainRequest,
};
use invoicing_storage::audit::AuditEventKind;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::identity::{signed_in, with_administrator};
use super::platform::audited;
use crate::fixtures::gateway::{GatewayClient, channel, reason, violation_fields};
use crate::fixtures::user_agent::unverified_claims;
use crate::fixtures::{HOME, NOURA, NOURA_ID, Response};

const DOMAINS: &str = "/api/v2/admin/identity/domains";
const GULF_PEARL: &str = "274893002";

async fn delete(client: &GatewayClient<'_>, domain: &str) -> Response {
    let request = client.request(Method::DELETE, &format!("{DOMAINS}/{domain}"));
    Response::read(request.send().await.expect("a response")).await
}

fn names(list: &Response) -> Vec<&str> {
    let items = list.json["items"].as_array().expect("items");
    items
        .iter()
        .map(|item| item["domain"].as_str().expect("a name"))
        .collect()
}

#[tokio::test]
async fn domain_is_claimed_verified_and_made_primary_and_claims_name_it() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let checked = json!({"domain": "proved.example", "validateOnly": true});
    let checked = noura.post(DOMAINS, checked).await;
    assert_eq!(checked.status, StatusCode::OK, "{}", checked.body);
    let added = noura
        .post(DOMAINS, json!({"domain": "Proved.Example"}))
        .await;
    assert_eq!(added.status, StatusCode::OK, "{}", added.body);
    assert_eq!(added.json["domain"], json!("proved.example"));
    assert_eq!(added.json["verified"], json!(false));
    assert_eq!(
        added.json["verificationUrl"],
        json!("https://proved.example/.well-known/invoice-desk-domain-verification.txt")
    );
    let text = added.text("verificationText");
    let token = text.strip_prefix("invoice-desk-domain-verification=");
    assert_eq!(token.map(str::len), Some(22), "{text}");
    let again = noura
        .post(DOMAINS, json!({"domain": "proved.example"}))
        .await;
    assert_eq!(reason(&again.json), "DOMAIN_TAKEN", "{}", again.body);
    for wrong in [
        "",
        "localhost",
        "10.0.0.1",
        "a b.example",
        "proved.example.",
    ] {
        let wrong = noura.post(DOMAINS, json!({"domain": wrong})).await;
        assert_eq!(violation_fields(&wrong), ["domain"], "{}", wrong.body);
    }

    let path = format!("{DOMAINS}/proved.example");
    let early = noura.post(&format!("{path}:setPrimary"), json!({})).await;
    assert_eq!(reason(&early.json), "DOMAIN_NOT_VERIFIED");
    let verified = noura.post(&format!("{path}:verify"), json!({})).await;
    assert_eq!(verified.status, StatusCode::OK, "{}", verified.body);
    assert_eq!(verified.json["verified"], json!(true));
    assert_eq!(verified.json["verificationText"], json!(""));
    let primary = noura.post(&format!("{path}:setPrimary"), json!({})).await;
    assert_eq!(primary.json["primary"], json!(true), "{}", primary.body);

    let tokens = service.sign_in(NOURA).await;
    let claims = unverified_claims(tokens.text("id_token"));
    let roles = &claims[service.names.roles()];
    assert_eq!(
        roles["administrator"][HOME],
        json!("proved.example"),
        "{claims}"
    );
    let userinfo = service.userinfo(&noura.token).await;
    let name = service.names.home_organization_domain();
    assert_eq!(
        userinfo.json[name],
        json!("proved.example"),
        "{}",
        userinfo.body
    );
    let own = noura.get("/api/v2/identity/tenant").await;
    assert_eq!(own.json["domain"], json!("proved.example"));
    let history = noura.get("/api/v2/identity/tenant/history").await;
    assert_eq!(
        history.json["items"][0]["changes"],
        json!([{"field": "domain", "before": "alkhair.example", "after": "proved.example"}])
    );

    let list = noura.get(&format!("{DOMAINS}?pageSize=1")).await;
    assert_eq!(names(&list), ["alkhair.example"], "{}", list.body);
    let token = list.text("nextPageToken");
    let next = noura
        .get(&format!("{DOMAINS}?pageSize=1&pageToken={token}"))
        .await;
    assert_eq!(names(&next), ["proved.example"], "{}", next.body);
    let refused = delete(&noura, "proved.example").await;
    assert_eq!(reason(&refused.json), "DOMAIN_IS_PRIMARY");
    assert_eq!(
        delete(&noura, "alkhair.example").await.status,
        StatusCode::OK
    );
    let gone = delete(&noura, "alkhair.example").await;
    assert_eq!(reason(&gone.json), "DOMAIN_NOT_FOUND");
    let events = audited(&service, AuditEventKind::DomainVerified).await;
    assert_eq!(events[0].actor.as_deref(), Some(NOURA_ID));
    service.running.shutdown().await;
}

#[tokio::test]
async fn domain_that_is_not_proved_belongs_to_nobody() {
    let service = with_administrator().await;
    service.grant(NOURA_ID, GULF_PEARL, "administrator").await;
    let noura = signed_in(&service, NOURA).await;
    let verify = async |domain: &str, body: Value| {
        noura
            .post(&format!("{DOMAINS}/{domain}:verify"), body)
            .await
    };
    // Of another organization: it may be claimed, so that a claim tells nothing, and is refused when it is proved.
    for domain in [
        "other.example",
        "unreachable.example",
        "gulfpearl.example",
        "proved.example",
    ] {
        let added = noura.post(DOMAINS, json!({"domain": domain})).await;
        assert_eq!(added.status, StatusCode::OK, "{}", added.body);
    }
    let refused = verify("other.example", json!({})).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    assert_eq!(reason(&refused.json), "DOMAIN_NOT_PROVED");
    let soon = verify("other.example", json!({})).await;
    assert_eq!(soon.status, StatusCode::TOO_MANY_REQUESTS, "{}", soon.body);
    assert_eq!(reason(&soon.json), "DOMAIN_CHECKED_JUST_NOW");
    assert_eq!(soon.header("retry-after"), "10");
    let unreachable = verify("unreachable.example", json!({})).await;
    assert_eq!(unreachable.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(reason(&unreachable.json), "DOMAIN_UNREACHABLE");
    let taken = verify("gulfpearl.example", json!({})).await;
    assert_eq!(reason(&taken.json), "DOMAIN_TAKEN", "{}", taken.body);

    // Another organization proves the domain that this one has claimed.
    let header = service.names.organization_header();
    for (path, body) in [
        (DOMAINS.to_owned(), json!({"domain": "proved.example"})),
        (format!("{DOMAINS}/proved.example:verify"), json!({})),
    ] {
        let request = noura.request(Method::POST, &path).json(&body);
        let request = request.header(header.clone(), GULF_PEARL);
        let done = Response::read(request.send().await.expect("a response")).await;
        assert_eq!(done.status, StatusCode::OK, "{}", done.body);
    }
    let taken = verify("proved.example", json!({})).await;
    assert_eq!(reason(&taken.json), "DOMAIN_TAKEN", "{}", taken.body);
    let request = noura
        .request(Method::GET, DOMAINS)
        .header(header, GULF_PEARL);
    let list = Response::read(request.send().await.expect("a response")).await;
    assert_eq!(
        names(&list),
        ["gulfpearl.example", "proved.example"],
        "of this organization only"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn domains_over_grpc_are_those_of_rest() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let mut client = DomainsClient::new(channel(&service).await);
    let domain = || "proved.example".to_owned();
    let add = AddDomainRequest {
        domain: domain(),
        validate_only: false,
    };
    let added = client
        .add_domain(noura.grpc(add))
        .await
        .unwrap()
        .into_inner();
    assert!(!added.verified && !added.verification_text.is_empty());
    let verify = VerifyDomainRequest { domain: domain() };
    let verified = client.verify_domain(noura.grpc(verify)).await.unwrap();
    assert!(verified.into_inner().verified);
    let primary = SetPrimaryDomainRequest { domain: domain() };
    let primary = client
        .set_primary_domain(noura.grpc(primary))
        .await
        .unwrap();
    assert!(primary.into_inner().primary);
    let list = ListDomainsRequest::default();
    let list = client.list_domains(noura.grpc(list)).await.unwrap();
    assert_eq!(list.into_inner().items.len(), 2);
    let remove = RemoveDomainRequest { domain: domain() };
    let refused = client.remove_domain(noura.grpc(remove)).await;
    let refused = refused.expect_err("the primary domain");
    assert_eq!(refused.code(), tonic::Code::FailedPrecondition);
    service.running.shutdown().await;
}
