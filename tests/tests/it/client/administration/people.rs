//! People, machine users and the plan of an organization.

use invoicing_client::views::{
    CommandError, CreatedMachineUser, NewUser, UserChange, UserState, WindowBinding,
};

use super::ADMINISTRATOR;
use crate::fixtures::{Defect, Fault, HOME, Service, TestApp};

/// The end of the path of a machine user to add.
const ADD_MACHINE_USER: &str = "/machine-users";

async fn add_machine_user(
    app: &TestApp,
    binding: &WindowBinding,
    name: &str,
) -> Result<CreatedMachineUser, CommandError> {
    let (name, role) = (name.to_owned(), "clerk".to_owned());
    let adding = app
        .desktop
        .create_machine_user(&app.window, binding.clone(), name, role);
    app.run_through_retries(adding).await.0
}

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

#[tokio::test]
async fn machine_user_whose_answer_was_lost_is_added_once_and_gets_another_secret() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let internal = Defect::Replace {
        status: 500,
        content_type: "application/json",
        body: r#"{"code":13,"message":"","details":[]}"#.to_owned(),
    };
    for (name, fault) in [
        ("By night", Fault::DropResponse),
        ("By day", Fault::Deliver(internal)),
    ] {
        service.gateway.fault(ADD_MACHINE_USER, fault);
        let created = add_machine_user(&app, &binding, name).await.expect("added");
        assert_eq!(created.user.name, name);
        let machines = app
            .desktop
            .list_machine_users(&app.window, binding.clone())
            .await
            .expect("a list");
        let added = machines.iter().filter(|machine| machine.name == name);
        assert_eq!(added.count(), 1, "{name}");
        let replaced = format!("/{}:rotateSecret", created.client_id);
        assert_eq!(service.gateway.exchanges(&replaced).len(), 1, "{name}");
    }
}

#[tokio::test]
async fn machine_user_whose_lost_secret_cannot_be_replaced_is_not_added_again() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    service.gateway.fault(ADD_MACHINE_USER, Fault::DropResponse);
    let refused = Fault::status(403, 7, "");
    service.gateway.fault(":rotateSecret", refused);
    let answer = add_machine_user(&app, &binding, "By night").await;
    assert!(
        matches!(answer, Err(CommandError::AlreadyExists { .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn repetition_that_is_refused_does_not_hide_that_an_answer_was_lost() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    service.gateway.fault(ADD_MACHINE_USER, Fault::DropResponse);
    let refused = Fault::status(403, 7, "");
    service.gateway.fault(ADD_MACHINE_USER, refused);
    let answer = add_machine_user(&app, &binding, "By night").await;
    assert!(
        matches!(answer, Err(CommandError::UnknownOutcome { key: None, .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn person_whose_invitation_lost_its_answer_is_invited_once_and_gets_another_code() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    service.gateway.fault("/users:invite", Fault::DropResponse);
    let user = NewUser {
        username: "amal@alkhair.example".to_owned(),
        name: "Amal".to_owned(),
        email: "amal@alkhair.example".to_owned(),
        role: "viewer".to_owned(),
    };
    let invited = app.desktop.invite_user(&app.window, binding.clone(), user);
    let code = serde_json::to_value(invited.await.expect("invited").code);
    assert_ne!(code.expect("a text"), "");
    let (text, first_page) = ("amal".to_owned(), String::new());
    let users = app
        .desktop
        .list_users(&app.window, binding, text, first_page);
    assert_eq!(users.await.expect("a page").users.len(), 1);
}
