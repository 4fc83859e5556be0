//! Tests of the bindings of windows.

use super::*;

fn user() -> AccountKey {
    AccountKey::new("local", "u")
}

fn other_user() -> AccountKey {
    AccountKey::new("local", "v")
}

fn organizations(ids: &[&str]) -> Vec<OrganizationId> {
    ids.iter().map(|id| (*id).into()).collect()
}

fn bindings(folder: &tempfile::TempDir) -> WindowBindings {
    WindowBindings::open(folder.path().join("windows.json"))
}

#[test]
fn binding_is_valid_until_its_window_switches_or_closes() {
    let folder = tempfile::tempdir().expect("a folder");
    let bindings = bindings(&folder);
    let (one, two) = (WindowKey::from("one"), WindowKey::from("two"));
    let first = bindings.switch(&one, &user(), "a".into());
    assert_eq!(bindings.check(&one, &user(), &first), Ok(()));
    assert_eq!(
        bindings.check(&two, &user(), &first),
        Err(CommandError::StaleBinding),
        "a binding of another window"
    );
    assert_eq!(
        bindings.check(&one, &other_user(), &first),
        Err(CommandError::StaleBinding),
        "a binding of another user"
    );
    let second = bindings.switch(&one, &user(), "a".into());
    assert_eq!(
        bindings.check(&one, &user(), &first),
        Err(CommandError::StaleBinding),
        "a switch to the same organization is a switch"
    );
    assert_eq!(bindings.check(&one, &user(), &second), Ok(()));
    bindings.close_window(&one);
    assert_eq!(
        bindings.check(&one, &user(), &second),
        Err(CommandError::StaleBinding)
    );
}

#[tokio::test]
async fn window_returns_to_its_last_organization_while_that_is_granted() {
    let folder = tempfile::tempdir().expect("a folder");
    let window = WindowKey::from("main");
    bindings(&folder)
        .save_last(&window, &user(), &"b".into())
        .await;
    let bound_to = |account: AccountKey, granted: &[&str]| {
        let bindings = bindings(&folder);
        bindings.open_window(&window);
        bindings.bind_open_windows(&account, &organizations(granted), |_| false);
        let binding = bindings.current(&window, &account);
        binding.map(|binding| binding.organization.into_string())
    };
    assert_eq!(bound_to(user(), &["a", "b"]).as_deref(), Some("b"));
    assert_eq!(bound_to(user(), &["a", "c"]).as_deref(), Some("a"));
    assert_eq!(bound_to(user(), &[]), None);
    assert_eq!(
        bound_to(other_user(), &["a", "b"]).as_deref(),
        Some("a"),
        "the last organization of another user"
    );
}

#[test]
fn bound_window_keeps_its_binding_until_its_organization_is_revoked() {
    let folder = tempfile::tempdir().expect("a folder");
    let bindings = bindings(&folder);
    let window = WindowKey::from("main");
    bindings.open_window(&window);
    assert!(bindings.bind_open_windows(&user(), &organizations(&["a", "b"]), |_| false));
    let bound = bindings.current(&window, &user());
    assert!(!bindings.bind_open_windows(&user(), &organizations(&["b", "a"]), |_| false));
    assert_eq!(bindings.current(&window, &user()), bound);
    assert!(bindings.bind_open_windows(&user(), &organizations(&["b"]), |_| false));
    let rebound = bindings.current(&window, &user()).expect("bound");
    assert_eq!(rebound.organization, "b");
}

#[test]
fn reading_the_binding_of_an_unbound_window_does_not_bind_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let bindings = bindings(&folder);
    let window = WindowKey::from("main");
    bindings.open_window(&window);
    assert_eq!(bindings.current(&window, &user()), None);
    assert_eq!(bindings.current(&window, &user()), None);
}

#[tokio::test]
async fn open_windows_are_opened_again_and_closed_ones_are_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = bindings(&folder);
    let main = WindowKey::from("main");
    first.switch(&main, &user(), "a".into());
    first.save_last(&main, &user(), &"a".into()).await;
    let mut others = Vec::new();
    for organization in ["b", "c"] {
        let other = first.open_another(&user(), organization.into());
        let other = other.expect("opened");
        first.save_last(&other, &user(), &organization.into()).await;
        others.push(other);
    }
    assert_eq!(others, ["window-2".into(), "window-3".into()]);
    assert!(first.close_window(&others[0]), "it is forgotten");
    first.forget_window(&others[0]).await;
    let saved = || bindings(&folder).saved_windows();
    assert_eq!(saved(), [main.clone(), others[1].clone()].into());
    let again = first.open_another(&user(), "b".into());
    assert_eq!(again, Some(others[0].clone()), "the label is free");

    first.begin_exit();
    for window in [&main, &others[0], &others[1]] {
        assert!(!first.close_window(window), "the next start opens it");
    }
    assert_eq!(saved(), [main, others[1].clone()].into());
}

#[tokio::test]
async fn saving_a_window_saves_the_open_ones_without_an_entry_and_overwrites_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = bindings(&folder);
    let [main, revoked] = ["main", "window-2"].map(WindowKey::from);
    first.save_last(&revoked, &user(), &"gone".into()).await;
    first.open_window(&main);
    first.open_window(&revoked);
    first.switch(&"window-3".into(), &other_user(), "c".into());
    first.bind_open_windows(&user(), &organizations(&["a", "b"]), |window| {
        window.as_str() == "window-3"
    });
    let other = first.open_another(&user(), "b".into()).expect("opened");
    first.save_last(&other, &user(), &"b".into()).await;

    let next = bindings(&folder);
    let saved = [main.clone(), revoked.clone(), other.clone()];
    assert_eq!(next.saved_windows(), saved.clone().into());
    saved.iter().for_each(|window| next.open_window(window));
    next.bind_open_windows(&user(), &organizations(&["a", "b", "gone"]), |_| false);
    let organizations = saved.map(|window| {
        let binding = next.current(&window, &user());
        binding.map(|binding| binding.organization.into_string())
    });
    assert_eq!(
        organizations.each_ref().map(Option::as_deref),
        [Some("a"), Some("gone"), Some("b")]
    );
}

#[tokio::test]
async fn last_window_that_closes_is_opened_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let bindings = bindings(&folder);
    let (main, other) = (WindowKey::from("main"), WindowKey::from("window-2"));
    bindings.open_window(&main);
    bindings.open_window(&other);
    assert!(bindings.close_window(&main));
    assert!(!bindings.close_window(&other));
}

#[tokio::test]
async fn edited_file_opens_no_other_labels_and_no_more_windows_than_the_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let bindings = bindings(&folder);
    for label in ["main", "window-x", "window-", "other", "../a"] {
        let window = WindowKey::from(label);
        bindings.save_last(&window, &user(), &"a".into()).await;
    }
    assert_eq!(bindings.saved_windows(), ["main".into()].into());
    for number in 2..40 {
        let window = WindowKey::from(format!("window-{number}"));
        bindings.save_last(&window, &user(), &"a".into()).await;
    }
    assert_eq!(bindings.saved_windows().len(), MAX_WINDOWS);
}

#[test]
fn no_more_windows_than_the_limit_are_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let bindings = bindings(&folder);
    bindings.open_window(&"main".into());
    for _ in 1..MAX_WINDOWS {
        assert!(bindings.open_another(&user(), "a".into()).is_some());
    }
    assert_eq!(bindings.open_another(&user(), "a".into()), None);
}

#[test]
fn window_whose_organization_is_revoked_says_which_it_was_until_it_is_switched() {
    let folder = tempfile::tempdir().expect("a folder");
    let bindings = bindings(&folder);
    let window = WindowKey::from("main");
    bindings.switch(&window, &user(), "b".into());
    bindings.bind_open_windows(&user(), &organizations(&["a", "b"]), |_| false);
    assert_eq!(bindings.lost_organization(&window), None);
    bindings.bind_open_windows(&user(), &organizations(&["a"]), |_| false);
    assert_eq!(bindings.lost_organization(&window), Some("b".into()));
    bindings.bind_open_windows(&user(), &organizations(&["a"]), |_| false);
    assert_eq!(bindings.lost_organization(&window), Some("b".into()));
    bindings.switch(&window, &user(), "a".into());
    assert_eq!(bindings.lost_organization(&window), None);
}

#[test]
fn window_of_an_organization_is_a_preferred_one_of_the_account() {
    let folder = tempfile::tempdir().expect("a folder");
    let bindings = bindings(&folder);
    for (label, organization) in [("main", "a"), ("window-2", "a"), ("window-3", "b")] {
        bindings.switch(&label.into(), &user(), organization.into());
    }
    let of = |account: AccountKey, organization: &str, preferred: &str| {
        let is_preferred = |window: &WindowKey| window.as_str() == preferred;
        bindings.window_of(&account, &organization.into(), is_preferred)
    };
    assert_eq!(of(user(), "a", "window-2"), Some("window-2".into()));
    assert_eq!(of(user(), "a", "window-3"), Some("main".into()));
    assert_eq!(of(user(), "b", "main"), Some("window-3".into()));
    assert_eq!(of(user(), "c", "main"), None);
    assert_eq!(of(other_user(), "a", "main"), None);
}

#[test]
fn change_is_noted_in_the_other_windows_of_the_organization_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let bindings = bindings(&folder);
    let windows = ["one", "two", "three"].map(WindowKey::from);
    let [one, two, three] = &windows;
    for (window, organization) in windows.iter().zip(["a", "a", "b"]) {
        bindings.switch(window, &user(), organization.into());
    }
    assert!(bindings.note_change(Some(one), &"a".into(), ChangedData::Documents));
    let counts = || windows.each_ref().map(|window| bindings.changes(window));
    assert_eq!(counts().map(|changes| changes.data.documents), [0, 1, 0]);

    bindings.switch(two, &user(), "b".into());
    assert_eq!(
        bindings.changes(two).data.documents,
        1,
        "a switch is no change of data"
    );
    assert!(!bindings.note_change(Some(one), &"a".into(), ChangedData::Drafts));
    assert!(bindings.note_change(None, &"b".into(), ChangedData::Delivery));
    assert_eq!(counts().map(|changes| changes.deliveries), [0, 1, 1]);
    assert_eq!(counts().map(|changes| changes.data.drafts), [0, 0, 0]);
    bindings.close_window(three);
    assert_eq!(bindings.changes(three).deliveries, 0);
}
