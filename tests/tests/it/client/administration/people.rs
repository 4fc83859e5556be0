//! People, machine users and the plan of an organization.

use invoicing_client::views::{CommandError, NewUser, UserChange, UserState};

use super::ADMINISTRATOR;
use crate::fixtures::{HOME, Service, TestApp};

#[tokio::test]
async fn administrator_invites_changes_and_finds_people_and_sees_the_plan() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let (desktop, window) = (&app.desktop, &app.window);
    let invited = desktop
        .invite_user(
            window,
            binding.clone(),
            NewUser {
                username: "amal@alkhair.example".to_owned(),
                name: "Amal".to_owned(),
                email: "amal@alkhair.example".to_owned(),
                role: "viewer".to_owned(),
            },
        )
        .await
        .expect("invited");
    assert!(invited.page.ends_with("/account/set-password"));
    assert!(
        !format!("{invited:?}").contains(&serde_json::to_string(&invited.code).expect("a text")),
        "the code is not in the Debug output"
    );
    let listed = desktop
        .list_users(window, binding.clone(), "amal".to_owned(), String::new())
        .await
        .expect("a page");
    let [amal] = &listed.users[..] else {
        panic!("{listed:?}");
    };
    assert_eq!(
        (amal.state, &amal.roles[..]),
        (UserState::Invited, &["viewer".to_owned()][..])
    );
    let clerk = UserChange::GrantRole {
        role: "clerk".to_owned(),
    };
    desktop
        .change_user(window, binding.clone(), amal.id.clone(), clerk)
        .await
        .expect("granted");
    desktop
        .change_user(
            window,
            binding.clone(),
            amal.id.clone(),
            UserChange::Disable,
        )
        .await
        .expect("disabled");
    let listed = desktop
        .list_users(window, binding.clone(), "amal".to_owned(), String::new())
        .await
        .expect("a page");
    assert_eq!(listed.users[0].state, UserState::Disabled);
    assert!(listed.users[0].roles.contains(&"clerk".to_owned()));

    let created = desktop
        .create_machine_user(
            window,
            binding.clone(),
            "Import".to_owned(),
            "clerk".to_owned(),
        )
        .await
        .expect("created");
    assert!(!created.client_id.is_empty());
    let machines = desktop
        .list_machine_users(window, binding.clone())
        .await
        .expect("a list");
    assert!(machines.iter().any(|machine| machine.name == "Import"));
    let plan = desktop
        .get_own_plan(window, binding.clone())
        .await
        .expect("a plan");
    assert_eq!((plan.name.as_str(), plan.documents.limit), ("", None));

    let denied = desktop
        .list_tenants(window, binding, String::new(), None, String::new())
        .await;
    assert!(
        matches!(denied, Err(CommandError::PermissionDenied { .. })),
        "{denied:?}"
    );
}
