//! Tests of the domains of organizations through the gateway (decisions 0115 and 0163).

use invoicing_contract::OrganizationId;
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
use crate::fixtures::{HESSA, HOME, NOURA, NOURA_ID, Response};

const DOMAINS: &str = "/api/v2/admin/identity/domains";
const ORGANIZATIONS: &str = "/api/v2/admin/identity/organizations";
/// An organization that a test creates.
const NAKHEEL: &str = "0199f0c4-7d2e-7a31-9c55-3f6b0a1d2e4f";
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
    assert_eq!(checked.json["verified"], json!(false));
    assert_eq!(
        checked.json["verificationText"],
        json!(""),
        "a token that nobody stored proves nothing"
    );
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
async fn operator_takes_a_sold_domain_from_an_organization_and_its_buyer_proves_it() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let operator = signed_in(&service, HESSA).await;
    let claimed = noura
        .post(DOMAINS, json!({"domain": "proved.example"}))
        .await;
    assert_eq!(claimed.status, StatusCode::OK, "{}", claimed.body);

    // It is the primary and only domain of the seller.
    let sold = format!("{ORGANIZATIONS}/{GULF_PEARL}/domains");
    let body = json!({"domain": "proved.example", "validateOnly": true});
    let checked = operator.post(&sold, body).await;
    assert_eq!(checked.status, StatusCode::OK, "{}", checked.body);
    for (path, body) in [
        (sold.clone(), json!({"domain": "proved.example"})),
        (format!("{sold}/proved.example:setPrimary"), json!({})),
    ] {
        let given = operator.post(&path, body).await;
        assert_eq!(given.status, StatusCode::OK, "{}", given.body);
        assert_eq!(given.json["verified"], json!(true));
    }
    let again = operator
        .post(&sold, json!({"domain": "alkhair.example"}))
        .await;
    assert_eq!(reason(&again.json), "DOMAIN_TAKEN", "{}", again.body);
    let verify = format!("{DOMAINS}/proved.example:verify");
    let refused = noura.post(&verify, json!({})).await;
    assert_eq!(reason(&refused.json), "DOMAIN_TAKEN", "{}", refused.body);

    let remove = async |domain: &str| {
        let request = operator.request(Method::DELETE, &format!("{sold}/{domain}"));
        Response::read(request.send().await.expect("a response")).await
    };
    let refused = remove("proved.example").await;
    assert_eq!(reason(&refused.json), "DOMAIN_IS_PRIMARY");
    let first = operator
        .post(&format!("{sold}/gulfpearl.example:setPrimary"), json!({}))
        .await;
    assert_eq!(first.json["primary"], json!(true), "{}", first.body);
    assert_eq!(remove("proved.example").await.status, StatusCode::OK);
    assert_eq!(
        reason(&remove("proved.example").await.json),
        "DOMAIN_NOT_FOUND"
    );
    let left = operator.get(&sold).await;
    assert_eq!(names(&left), ["gulfpearl.example"], "{}", left.body);
    let nowhere = operator
        .get(&format!("{ORGANIZATIONS}/nobody/domains"))
        .await;
    assert_eq!(nowhere.status, StatusCode::NOT_FOUND, "{}", nowhere.body);
    assert_eq!(reason(&nowhere.json), "ORGANIZATION_NOT_FOUND");

    service.clock.advance(10);
    let proved = noura.post(&verify, json!({})).await;
    assert_eq!(proved.json["verified"], json!(true), "{}", proved.body);
    let removed = audited(&service, AuditEventKind::DomainRemoved).await;
    let organization = removed[0].organization.as_ref();
    assert_eq!(organization.map(OrganizationId::as_str), Some(GULF_PEARL));
    service.running.shutdown().await;
}

#[tokio::test]
async fn organization_that_is_no_tenant_is_given_domains() {
    let service = with_administrator().await;
    let operator = signed_in(&service, HESSA).await;
    let organization =
        json!({"organizationId": NAKHEEL, "name": "Nakheel", "domain": "nakheel.example"});
    let created = operator.post(ORGANIZATIONS, organization).await;
    assert_eq!(created.status, StatusCode::OK, "{}", created.body);
    let domains = format!("{ORGANIZATIONS}/{NAKHEEL}/domains");
    for (path, body) in [
        (domains.clone(), json!({"domain": "palms.example"})),
        (format!("{domains}/palms.example:setPrimary"), json!({})),
    ] {
        let given = operator.post(&path, body).await;
        assert_eq!(given.status, StatusCode::OK, "{}", given.body);
    }
    let page = operator.get(&format!("{domains}?pageSize=1")).await;
    assert_eq!(names(&page), ["nakheel.example"], "{}", page.body);
    let token = page.text("nextPageToken");
    let elsewhere = format!("{ORGANIZATIONS}/{HOME}/domains?pageSize=1&pageToken={token}");
    let foreign = operator.get(&elsewhere).await;
    assert_eq!(
        violation_fields(&foreign),
        ["pageToken"],
        "{}",
        foreign.body
    );
    let next = format!("{domains}?pageSize=1&pageToken={token}");
    let next = operator.get(&next).await;
    assert_eq!(names(&next), ["palms.example"], "{}", next.body);
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

#[tokio::test]
async fn organization_has_a_limited_number_of_domains() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let mut refused = None;
    // It has one, and at most twenty.
    for number in 0..20 {
        let mut body = json!({"domain": format!("d{number}.example"), "validateOnly": true});
        let checked = noura.post(DOMAINS, body.clone()).await;
        body["validateOnly"] = json!(false);
        let added = noura.post(DOMAINS, body).await;
        assert_eq!(checked.status, added.status, "{}", checked.body);
        if added.status != StatusCode::OK {
            refused = Some(reason(&added.json));
            assert_eq!(refused, Some(reason(&checked.json)));
            break;
        }
    }
    assert_eq!(refused.as_deref(), Some("TOO_MANY_DOMAINS"));
    service.running.shutdown().await;
}
