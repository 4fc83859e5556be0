//! Tests of what Saudi Arabia requires of the details of a tenant: of new values, and of all of them when a document is issued (decision
//! 0184).

use invoicing_contract::FieldMask;
use invoicing_contract::messages::identity::tenants_client::TenantsClient;
use invoicing_contract::messages::identity::{
    GetOwnTenantRequest, OwnTenantChanges, RegistrationNumber, UpdateOwnTenantRequest,
};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::identity::{signed_in, with_administrator};
use super::tenants::{OWN, patch};
use crate::fixtures::gateway::{channel, invoice, violation_fields};
use crate::fixtures::{HOME, NOURA};

#[tokio::test]
async fn saudi_draft_is_issued_only_with_the_complete_details_of_its_seller() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let draft = noura.create_draft(invoice("Dates", "10.00")).await;
    let change = async |tenant: Value, mask: &str| {
        let read = noura.get(OWN).await;
        let stamp = &read.json["concurrencyStamp"];
        let change = json!({"tenant": tenant, "updateMask": mask, "concurrencyStamp": stamp});
        patch(&noura, OWN, change).await
    };
    // As a former version has stored them.
    let former = format!(
        "UPDATE tenants SET building = '742', district = '', registration_number_scheme = '', registration_number_value = ''
            WHERE organization_id = '{HOME}'"
    );
    service.execute_sql(&former).await;
    let refused = noura.try_perform(&draft, "issue").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    let paths = [
        "seller.address",
        "seller.address.building",
        "seller.otherIds",
    ];
    assert_eq!(
        violation_fields(&refused),
        paths.map(|path| format!("changes.content.invoice.{path}"))
    );
    for part in ["BR-KSA-09", "BR-KSA-37", "BR-KSA-08", "UpdateOwnTenant"] {
        assert!(refused.body.contains(part), "{part}: {}", refused.body);
    }

    // What is not changed stands in the way of no other change.
    let moved = json!({"address": {"street": "Olaya Street"}});
    let moved = change(moved, "address.street").await;
    assert_eq!(moved.status, StatusCode::OK, "{}", moved.body);
    let wrong = json!({
        "address": {"building": "74", "postalCode": "1221"},
        "registrationNumber": {"scheme": "NAT", "value": "1010175397"},
    });
    let mask = "address.building,address.postalCode,registrationNumber";
    assert_eq!(
        violation_fields(&change(wrong, mask).await),
        [
            "tenant.address.building",
            "tenant.address.postalCode",
            "tenant.registrationNumber.scheme",
        ]
    );
    // The draft was written before the details were completed.
    let number = json!({"scheme": "CRN", "value": "1010175397"});
    let right = json!({
        "address": {"building": "7421", "district": "Al Olaya"},
        "registrationNumber": number,
    });
    let mask = "address.building,address.district,registrationNumber";
    let completed = change(right, mask).await;
    assert_eq!(completed.status, StatusCode::OK, "{}", completed.body);
    let stored = &completed.json["profile"];
    assert_eq!(stored["registrationNumber"], number, "{}", completed.body);
    let issued = noura.perform(&draft, "issue").await;
    let seller = &issued["content"]["invoice"]["seller"];
    assert_eq!(seller["otherIds"], json!([number]), "{issued}");
    let history = noura.get(&format!("{OWN}/history")).await;
    let changes = &history.json["items"][0]["changes"];
    let expected =
        json!({"field": "profile.registrationNumber.value", "before": "", "after": "1010175397"});
    assert_eq!(changes[1], expected, "{}", history.body);

    // A program that does not know the number sends neither it nor a mask.
    let stamp = &completed.json["concurrencyStamp"];
    let unaware = json!({"tenant": {"address": stored["address"]}, "concurrencyStamp": stamp});
    let kept = patch(&noura, OWN, unaware).await;
    let kept_number = &kept.json["profile"]["registrationNumber"];
    assert_eq!(*kept_number, number, "{}", kept.body);

    // Over gRPC.
    let mut client = TenantsClient::new(channel(&service).await);
    let own = client.get_own_tenant(noura.grpc(GetOwnTenantRequest {}));
    let concurrency_stamp = own.await.unwrap().into_inner().concurrency_stamp;
    let update = |value: &str| UpdateOwnTenantRequest {
        tenant: Some(OwnTenantChanges {
            registration_number: Some(RegistrationNumber {
                scheme: "700".to_owned(),
                value: value.to_owned(),
            }),
            ..OwnTenantChanges::default()
        }),
        concurrency_stamp: concurrency_stamp.clone(),
        update_mask: Some(FieldMask::of(["registration_number"])),
        validate_only: false,
    };
    let refused = client
        .update_own_tenant(noura.grpc(update("1010175397")))
        .await;
    let refused = refused.expect_err("such a number begins with 7");
    assert_eq!(refused.code(), tonic::Code::InvalidArgument);
    let updated = client
        .update_own_tenant(noura.grpc(update("7001753970")))
        .await;
    let profile = updated.unwrap().into_inner().profile.unwrap_or_default();
    assert_eq!(
        profile.registration_number.unwrap_or_default().value,
        "7001753970"
    );

    // The path of all fields removes what is absent (decision 0129).
    let removed = change(json!({"address": stored["address"]}), "*").await;
    assert_eq!(removed.status, StatusCode::OK, "{}", removed.body);
    assert_eq!(removed.json["profile"]["registrationNumber"], Value::Null);
    service.running.shutdown().await;
}

#[tokio::test]
async fn demo_tenant_of_a_former_version_has_its_registration_number_after_a_start() {
    let service = with_administrator().await;
    let former =
        "UPDATE tenants SET registration_number_scheme = '', registration_number_value = ''";
    service.execute_sql(former).await;
    let service = service.restart().await;
    let noura = signed_in(&service, NOURA).await;
    let read = noura.get(OWN).await;
    assert_eq!(
        read.json["profile"]["registrationNumber"],
        json!({"scheme": "CRN", "value": "1010175397"}),
        "{}",
        read.body
    );
    let history = noura.get(&format!("{OWN}/history")).await;
    let newest = &history.json["items"][0];
    assert_eq!(newest["actor"], json!("seed"), "{}", history.body);
    service.running.shutdown().await;
}
