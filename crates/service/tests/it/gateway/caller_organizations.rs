//! Tests of the names of a caller's organizations (decision 0162).

use reqwest::StatusCode;

use super::applications;
use super::identity::signed_in;
use super::platform::{add_person, person_signed_in};
use super::users::administrator;
use crate::fixtures::gateway::GatewayClient;
use crate::fixtures::{HOME, NOURA, Service};

const PATH: &str = "/api/v2/identity/callerOrganizations";

/// Id, names in English and in Arabic, domain, time zone, country and currency of each organization.
async fn told(caller: &GatewayClient<'_>) -> Vec<[String; 7]> {
    let answer = caller.get(PATH).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let items = answer.json["items"].as_array().expect("items").iter();
    items
        .map(|item| {
            let fields = [
                "organizationId",
                "name",
                "nameAr",
                "domain",
                "timeZone",
                "country",
                "currency",
            ];
            fields.map(|field| item[field].as_str().expect("a text").to_owned())
        })
        .collect()
}

#[tokio::test]
async fn accountant_is_told_the_names_of_each_organization_with_a_role() {
    let service = Service::start().await;
    let organizations = told(&signed_in(&service, NOURA).await).await;
    assert_eq!(organizations.len(), 4, "{organizations:?}");
    assert!(organizations.is_sorted(), "by id: {organizations:?}");
    let home = organizations.iter().find(|[id, ..]| id == HOME);
    let [_, told @ ..] = home.expect("the home organization");
    assert_eq!(
        told.each_ref().map(String::as_str),
        [
            "Al-Khair Trading",
            "الخير للتجارة",
            "alkhair.example",
            "Asia/Riyadh",
            "SA",
            "SAR"
        ]
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn role_that_the_rules_do_not_name_is_told_its_organization_alone() {
    let service = Service::start().await;
    add_person(&service, "96", HOME, "owner").await;
    let organizations = told(&person_signed_in(&service, "96").await).await;
    let ids: Vec<_> = organizations.iter().map(|[id, ..]| id.as_str()).collect();
    assert_eq!(ids, [HOME]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn token_that_is_confined_to_an_organization_is_told_that_one() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let (_, authorization) = applications::create(&noura, &service).await;
    let tokens = service.sign_in_to(&authorization, NOURA).await;
    let confined = GatewayClient {
        service: &service,
        token: tokens.text("access_token").to_owned(),
    };
    let organizations = told(&confined).await;
    let ids: Vec<_> = organizations.iter().map(|[id, ..]| id.as_str()).collect();
    assert_eq!(ids, [HOME]);
    service.running.shutdown().await;
}
