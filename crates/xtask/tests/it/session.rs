//! The private desktop session of the end-to-end tests: display, message bus, home folder and keyring of its own.

use std::path::Path;

use xtask::session::Session;

fn variable<'session>(session: &'session Session, name: &str) -> &'session str {
    session
        .environment()
        .find(|(found, _)| *found == name)
        .expect("the session sets it")
        .1
}

#[test]
fn two_sessions_share_no_display_bus_or_home() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let one =
        Session::start(&folder.path().join("one"), 640, 480).expect("the first session starts");
    let two =
        Session::start(&folder.path().join("two"), 640, 480).expect("the second session starts");
    for name in [
        "DISPLAY",
        "DBUS_SESSION_BUS_ADDRESS",
        "HOME",
        "XDG_RUNTIME_DIR",
    ] {
        assert_ne!(
            variable(&one, name),
            variable(&two, name),
            "{name} is shared"
        );
    }
}

#[test]
fn screenshot_of_a_session_is_a_picture() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let session =
        Session::start(&folder.path().join("home"), 640, 480).expect("the session starts");
    let picture = folder.path().join("picture.png");
    session
        .screenshot(&picture)
        .expect("import takes the picture");
    assert!(
        Path::new(&picture)
            .metadata()
            .is_ok_and(|about| about.len() > 100),
        "the picture is empty"
    );
}

#[test]
fn session_without_a_screen_has_a_bus_and_a_keyring_and_no_display() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut session =
        Session::start_without_screen(&folder.path().join("home")).expect("the session starts");
    assert!(
        session.environment().all(|(name, _)| name != "DISPLAY"),
        "it has a display"
    );
    assert_ne!(variable(&session, "DBUS_SESSION_BUS_ADDRESS"), "");
    session.stop_keyring().expect("it runs");
}

#[test]
fn keyring_of_a_session_can_be_stopped_and_restarted() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut session =
        Session::start(&folder.path().join("home"), 640, 480).expect("the session starts");
    session.stop_keyring().expect("it runs");
    let stopped = session.stop_keyring();
    assert!(stopped.is_err(), "another program was stopped in its place");
    session.start_keyring().expect("it starts again");
    session.start_keyring().expect_err("it runs");
}
