//! Several windows: each works in its organization, and drafts are edited in one of them.

use std::sync::Arc;

use invoicing_client::WindowKey;
use invoicing_client::views::{
    ApplicationMenu, BilledPeriod, ChangeCounts, CommandError, Frequency, Notice, Notifications,
    Preferences, Schedule, SessionView, WindowBinding,
};

use crate::fixtures::{Browser, HOME, NOURA, Service, TestApp, content, page};

pub(super) const OTHER: &str = "274893002";
/// An organization in which nobody has a role.
pub(super) const FOREIGN: &str = "274893999";

/// Opens another window for an organization.
pub(super) async fn open_window(app: &TestApp, organization: &str) -> (WindowKey, WindowBinding) {
    app.desktop
        .new_window(&app.window, organization.into())
        .await
        .expect("opened");
    let window = app.host.windows().pop().expect("the host opened it");
    let binding = binding_of(app, &window).await;
    (window, binding.expect("a new window is bound at once"))
}

pub(super) async fn binding_of(app: &TestApp, window: &WindowKey) -> Option<WindowBinding> {
    let snapshot = app.desktop.watch(window, 0).await;
    snapshot.expect("it answers").binding
}

#[tokio::test]
async fn each_window_works_in_its_organization_and_refuses_the_binding_of_another() {
    let service = Service::start().await;
    let (app, first) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, binding) = open_window(&app, OTHER).await;
    assert_eq!(binding.organization, OTHER);
    let list = app.desktop.list_invoices(&second, binding, page()).await;
    list.expect("the second window works");
    let list = app.desktop.list_invoices(&second, first.clone(), page());
    assert_eq!(list.await.err(), Some(CommandError::StaleBinding));
    let list = app.desktop.list_invoices(&app.window, first, page()).await;
    list.expect("the first window is as before");
}

#[tokio::test]
async fn write_is_told_to_the_other_windows_of_its_organization_and_to_no_other() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, _) = open_window(&app, HOME).await;
    let (third, other) = open_window(&app, OTHER).await;
    let changes = async |window: &WindowKey| {
        let snapshot = app.desktop.watch(window, 0).await;
        snapshot.expect("it answers").changed_data
    };
    let unchanged = ChangeCounts::default();
    let draft = app.new_draft(&binding).await;
    let told = changes(&second).await;
    assert!(told.drafts > 0 && told.documents == 0, "{told:?}");

    let sent = app
        .desktop
        .create_document(&app.window, binding.clone(), draft.key);
    sent.await.expect("created");
    let told = changes(&second).await;
    assert!(told.documents > 0, "{told:?}");
    assert_eq!(changes(&app.window).await, unchanged, "its own writes");
    assert_eq!(changes(&third).await, unchanged, "another organization");

    let elsewhere = app.desktop.new_draft(&third, other, None).await;
    elsewhere.expect("a draft of the other organization");
    assert_eq!(changes(&second).await, told);
    assert_eq!(changes(&app.window).await, unchanged);
}

#[tokio::test]
async fn recurring_draft_that_one_window_makes_is_told_to_the_others_once() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, same) = open_window(&app, HOME).await;
    let changes = async |window: &WindowKey| {
        let snapshot = app.desktop.watch(window, 0).await;
        snapshot.expect("it answers").changed_data
    };
    let template =
        app.desktop
            .save_template(&app.window, binding.clone(), "Rent".to_owned(), content());
    let template = template.await.expect("saved");
    let today = app.wall().to_zoned(jiff::tz::TimeZone::UTC).date();
    let weekly = Schedule {
        frequency: Frequency::Weekly,
        day: None,
        from: today.to_string(),
        until: String::new(),
        period: BilledPeriod::Current,
    };
    let scheduled =
        app.desktop
            .schedule_template(&app.window, binding.clone(), template, Some(weekly));
    scheduled.await.expect("scheduled");

    let before = changes(&second).await;
    let made = app.desktop.recurring_drafts(&app.window, binding).await;
    let made = made.expect("made");
    assert_eq!(made.ready.len(), 1);
    let told = changes(&second).await;
    assert!(told.drafts > before.drafts, "{told:?}");
    assert!(told.templates > before.templates, "{told:?}");

    // The other window asks for them now. It has made none, and tells nobody.
    let own = changes(&app.window).await;
    let found = app.desktop.recurring_drafts(&second, same).await;
    assert_eq!(found, Ok(made));
    assert_eq!(changes(&app.window).await, own);
    assert_eq!(changes(&second).await, told);
}

#[tokio::test]
async fn quitting_keeps_all_windows_for_the_next_start() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, _) = open_window(&app, OTHER).await;
    app.desktop.quit(&second).await.expect("it ends");
    assert!(app.host.has_quit());
    app.desktop.close_window(&app.window);
    app.desktop.close_window(&second);
    let saved = app.restart().desktop.saved_windows();
    assert_eq!(saved, [app.window.clone(), second].into());
}

#[tokio::test]
async fn quitting_keeps_a_first_window_that_never_switched_its_organization() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let (second, _) = open_window(&app, OTHER).await;
    app.desktop.quit(&second).await.expect("it ends");
    let saved = app.restart().desktop.saved_windows();
    assert_eq!(saved, [app.window.clone(), second].into());
}

#[tokio::test]
async fn choice_of_the_menu_goes_to_its_window_alone_and_in_order() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, _) = open_window(&app, OTHER).await;
    app.desktop.choose_menu_item(&second, "zoomIn");
    app.desktop.choose_menu_item(&second, "print");
    let snapshot = app.desktop.watch(&second, 0).await;
    assert!(snapshot.expect("it answers").menu_choice_waits);
    assert!(!app.snapshot().await.menu_choice_waits);
    let take = async |window: &WindowKey| {
        let taken = app.desktop.take_menu_choice(window).await;
        taken.expect("it answers")
    };
    assert_eq!(take(&app.window).await, None);
    assert_eq!(take(&second).await.as_deref(), Some("zoomIn"));
    assert_eq!(take(&second).await.as_deref(), Some("print"));
    assert_eq!(take(&second).await, None);
    let menu = ApplicationMenu::default();
    let shown = app.desktop.show_menu(&second, menu).await;
    assert_eq!(shown, Ok(false), "this system has no menu bar");
}

#[tokio::test]
async fn notification_is_shown_once_without_the_focus_and_not_at_all_if_the_user_wants_none() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, _) = open_window(&app, HOME).await;
    let notice = |id: &str| Notice {
        id: id.to_owned(),
        title: "Al-Khair Trading".to_owned(),
        text: "2 documents are issued.".to_owned(),
    };
    let tell = async |window: &WindowKey, id: &str| {
        let told = app.desktop.notify(window, HOME.into(), notice(id));
        told.await.expect("told or not");
        app.host.notices().len()
    };
    assert_eq!(tell(&app.window, "bulk:1").await, 1);
    assert_eq!(tell(&second, "bulk:1").await, 1, "by one window");
    app.host.set_focus(Some(&second));
    assert_eq!(tell(&app.window, "bulk:2").await, 1, "it is seen");
    let (third, _) = open_window(&app, OTHER).await;
    app.host.set_focus(Some(&third));
    assert_eq!(tell(&third, "bulk:3").await, 2, "by any window");
    let organization = FOREIGN.into();
    let refused = Err(CommandError::OrganizationNotGranted { organization });
    let told = app.desktop.notify(&third, FOREIGN.into(), notice("bulk:4"));
    assert_eq!(told.await, refused);
    let preferences = Preferences {
        notifications: Notifications::Off,
        ..Preferences::default()
    };
    let saved = app.desktop.save_preferences(&app.window, preferences);
    saved.await.expect("saved");
    assert_eq!(tell(&app.window, "bulk:5").await, 2);
}

#[tokio::test]
async fn windows_and_their_organizations_are_restored_and_closed_ones_are_not() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, _) = open_window(&app, OTHER).await;
    let (third, _) = open_window(&app, HOME).await;
    app.desktop.close_window(&third);
    while app.desktop.saved_windows().len() > 2 {
        tokio::task::yield_now().await;
    }
    app.desktop.begin_exit();
    app.desktop.close_window(&app.window);
    app.desktop.close_window(&second);

    let again = app.restart();
    let saved = again.desktop.saved_windows();
    assert_eq!(saved, [app.window.clone(), second.clone()].into());
    again.desktop.open_window(&second);
    again
        .wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
    assert_eq!(again.binding().await.organization, HOME);
    let restored = binding_of(&again, &second).await.expect("bound");
    assert_eq!(restored.organization, OTHER);
}

#[tokio::test]
async fn window_that_the_system_does_not_open_is_not_registered() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.host.refuse_windows();
    let opened = app.desktop.new_window(&app.window, OTHER.into()).await;
    let refused = Err(CommandError::WindowNotOpened { limit: None });
    assert_eq!(opened, refused);
    assert_eq!(binding_of(&app, &"window-2".into()).await, None);
    let opened = app.desktop.new_window(&app.window, FOREIGN.into()).await;
    let organization = FOREIGN.into();
    let refused = Err(CommandError::OrganizationNotGranted { organization });
    assert_eq!(opened, refused);
}

#[tokio::test]
async fn signing_out_in_one_window_signs_out_all_and_they_return_with_the_account() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, _) = open_window(&app, OTHER).await;
    app.sign_out().await;
    let snapshot = app.desktop.watch(&second, 0).await.expect("it answers");
    assert!(matches!(snapshot.session, SessionView::SignedOut { .. }));
    assert_eq!(snapshot.binding, None);
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = binding_of(&app, &second).await.expect("bound");
    assert_eq!(binding.organization, OTHER);
}

#[tokio::test]
async fn draft_is_edited_in_one_window_and_the_other_is_led_to_it() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, other) = open_window(&app, HOME).await;
    let draft = app.new_draft(&binding).await;
    let key = draft.key.clone();
    let refused = CommandError::DraftInOtherWindow { key: key.clone() };
    let open = |window: &WindowKey, binding: &WindowBinding| {
        let (desktop, window) = (Arc::clone(&app.desktop), window.clone());
        let (binding, key) = (binding.clone(), key.clone());
        async move { desktop.open_draft(&window, binding, key).await }
    };
    assert_eq!(open(&second, &other).await, Err(refused.clone()));
    let desktop = &app.desktop;
    let saved = desktop.save_draft(&second, other.clone(), draft.clone());
    assert_eq!(saved.await, Err(refused.clone()));
    let discarded = desktop.discard_draft(&second, other.clone(), key.clone());
    assert_eq!(discarded.await, Err(refused.clone()));
    let sent = desktop.create_document(&second, other.clone(), key.clone());
    assert_eq!(sent.await.err(), Some(refused));

    let shown = desktop.show_window_of_draft(&second, other.clone(), key.clone());
    assert_eq!(shown.await, Ok(true));
    assert_eq!(app.host.shown(), Some(app.window.clone()));
    let closed = desktop.close_draft(&app.window, binding.clone(), key.clone());
    closed.await.expect("closed");
    let shown = desktop.show_window_of_draft(&second, other.clone(), key.clone());
    assert_eq!(shown.await, Ok(false), "no window edits it");
    assert_eq!(open(&second, &other).await, Ok(draft.clone()));
    assert!(open(&app.window, &binding).await.is_err());
    desktop.close_window(&second);
    assert_eq!(open(&app.window, &binding).await, Ok(draft), "it is closed");
}

#[tokio::test]
async fn entries_of_the_palette_are_remembered_for_their_organization_after_a_restart() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    for entry in ["screen:today", "command:help"] {
        let desktop = &app.desktop;
        let entry = entry.to_owned();
        let remembered = desktop.remember_palette_entry(&app.window, binding.clone(), entry);
        remembered.await.expect("saved");
    }
    let again = app.restart();
    let binding = again.binding().await;
    let recents = again.desktop.palette_recents(&again.window, binding).await;
    let expected = ["command:help", "screen:today"].map(str::to_owned);
    assert_eq!(recents, Ok(expected.to_vec()));
    let binding = again.switch_organization(OTHER).await;
    let recents = again.desktop.palette_recents(&again.window, binding).await;
    assert_eq!(recents, Ok(Vec::new()));
}
