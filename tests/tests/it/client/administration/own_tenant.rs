//! The details of the own organization, which its documents state about the seller.

use invoicing_client::views::{
    AddressFields, CommandError, IdentifierContent, OwnTenantFields, TenantFields,
};

use super::ADMINISTRATOR;
use crate::fixtures::{Fault, HOME, Service, TestApp};

/// What an administrator can change of these fields.
fn own(fields: &TenantFields) -> OwnTenantFields {
    OwnTenantFields {
        registration_number: fields.registration_number.clone(),
        address: fields.address.clone(),
    }
}

#[tokio::test]
async fn administrator_changes_the_own_tenant_once_although_an_answer_is_lost() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let (desktop, window) = (&app.desktop, &app.window);
    let may = desktop.permissions(window, binding.clone()).await;
    assert!(may.expect("permissions").own_tenant);
    let read = desktop.get_own_tenant(window, binding.clone()).await;
    let read = read.expect("the tenant");
    assert_eq!(read.id.as_str(), HOME);
    assert_eq!(read.fields.registration_number.scheme, "CRN");

    let wrong = OwnTenantFields {
        address: AddressFields {
            building: "742".to_owned(),
            ..read.fields.address.clone()
        },
        ..own(&read.fields)
    };
    let refused = desktop.update_own_tenant(window, binding.clone(), read.clone(), wrong);
    let Err(CommandError::InvalidArgument { violations, .. }) = refused.await else {
        panic!("a building has 4 digits");
    };
    let [violation] = &violations[..] else {
        panic!("{violations:?}");
    };
    assert_eq!(
        (violation.path.as_str(), violation.rule.as_str()),
        ("tenant.address.building", "BR-KSA-37")
    );

    // In the digits of an Arabic keyboard.
    let typed = OwnTenantFields {
        registration_number: IdentifierContent {
            scheme: "700".to_owned(),
            value: "٧٠٠١٧٥٣٩٧٠".to_owned(),
        },
        address: AddressFields {
            building: "٧٤٢٢".to_owned(),
            ..read.fields.address.clone()
        },
    };
    service
        .gateway
        .fault("PATCH /api/v2/identity/tenant", Fault::DropResponse);
    let changing = desktop.update_own_tenant(window, binding.clone(), read.clone(), typed);
    let changed = app.run_through_retries(changing).await.0;
    let changed = changed.expect("an attempt has changed it");
    assert_eq!(changed.fields.registration_number.value, "7001753970");
    assert_eq!(changed.fields.address.building, "7422");
    assert_eq!(changed.fields.tax_id, read.fields.tax_id);

    let stale = OwnTenantFields {
        address: AddressFields {
            street: "Olaya Street".to_owned(),
            ..changed.fields.address.clone()
        },
        ..own(&changed.fields)
    };
    let stale = desktop.update_own_tenant(window, binding, read, stale);
    let stale = stale.await;
    assert!(
        matches!(stale, Err(CommandError::Aborted { .. })),
        "{stale:?}"
    );
}
