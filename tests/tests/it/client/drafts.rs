//! Drafts on disk: durability, encryption and ownership.

use invoicing_client::vault::VaultError;
use invoicing_client::views::{CommandError, Draft, SessionView, UnreadableReason};

use super::attachments::{PDF, add, list};
use super::windows::open_window;
use crate::fixtures::{Browser, CLERK, HOME, NOURA, Service, TestApp, files_below};

fn files_of(app: &TestApp) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let with_content = |path: std::path::PathBuf| {
        let bytes = std::fs::read(&path).expect("a file");
        (path, bytes)
    };
    let paths = files_below(app.folder.path()).into_iter();
    paths.map(with_content).collect()
}

#[tokio::test]
async fn draft_is_readable_after_a_kill_and_after_signing_in_again() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let again = app.restart();
    again
        .wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
    let binding = again.binding().await;
    let opened = again
        .desktop
        .open_draft(&again.window, binding, draft.key.clone())
        .await
        .expect("it is there after a kill");
    assert_eq!(opened, draft);
    again.sign_out().await;
    again.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = again.switch_organization(HOME).await;
    let list = again
        .desktop
        .drafts(&again.window, binding)
        .await
        .expect("a list");
    assert_eq!((list.len(), list[0].gross.as_deref()), (1, Some("1255.23")));
}

#[tokio::test]
async fn new_draft_without_a_source_is_written_with_its_first_input_or_file_and_not_before() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, same) = open_window(&app, HOME).await;
    let new = || app.desktop.new_draft(&app.window, binding.clone(), None);
    let open = |key| app.desktop.open_draft(&app.window, binding.clone(), key);
    let draft = new().await.expect("a draft");
    let key = draft.key.clone();
    assert_eq!(app.draft_states(&binding).await, []);
    let counts = app.desktop.draft_counts(&app.window).await;
    assert_eq!(counts, Ok(Vec::new()));
    let elsewhere = app.desktop.open_draft(&second, same, key.clone()).await;
    let refused = Err(CommandError::DraftInOtherWindow { key: key.clone() });
    assert_eq!(elsewhere, refused, "its window has it from the start");
    assert_eq!(open(key.clone()).await, Ok(draft.clone()), "loaded again");
    let files = list(&app, &binding, &key).await;
    assert_eq!(files.attachments, [], "the service is not asked for them");
    let saved = app
        .desktop
        .save_draft(&app.window, binding.clone(), draft.clone());
    saved.await.expect("saved");
    assert_eq!(app.draft_states(&binding).await.len(), 1);

    let with_file = new().await.expect("a draft");
    let added = add(&app, &binding, &with_file.key, "offer.pdf", PDF).await;
    added.expect("it waits");
    let found = app.desktop.drafts(&app.window, binding.clone()).await;
    let found = found.expect("a list").into_iter();
    assert!(found.map(|it| it.key).any(|key| key == with_file.key));

    let left = new().await.expect("a draft").key;
    let closed = app
        .desktop
        .close_draft(&app.window, binding.clone(), left.clone());
    closed.await.expect("closed");
    assert_eq!(open(left).await, Err(CommandError::DraftNotFound));
    let again = app.restart();
    let binding = again.binding().await;
    assert_eq!(again.draft_states(&binding).await.len(), 2);
}

#[tokio::test]
async fn draft_is_visible_only_to_its_author_in_its_organization() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let other = app.switch_organization("274893002").await;
    assert_eq!(
        app.desktop
            .open_draft(&app.window, other, draft.key.clone())
            .await,
        Err(CommandError::DraftNotFound)
    );
    app.sign_out().await;
    app.sign_in(&service, CLERK, &mut Browser::new()).await;
    let binding = app.switch_organization(HOME).await;
    assert_eq!(
        app.desktop
            .open_draft(&app.window, binding, draft.key)
            .await,
        Err(CommandError::DraftNotFound)
    );
}

#[tokio::test]
async fn draft_files_do_not_contain_the_plaintext() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.new_draft(&binding).await;
    for (path, bytes) in files_of(&app) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            !text.contains("Noor") && !text.contains("1091"),
            "{}",
            path.display()
        );
    }
}

#[tokio::test]
async fn damaged_draft_is_counted_and_kept_and_the_others_are_listed() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let good = app.new_draft(&binding).await;
    let bad = app.new_draft(&binding).await;
    let (path, bytes) = files_of(&app)
        .into_iter()
        .find(|(path, _)| path.to_string_lossy().contains(bad.key.as_str()))
        .expect("its file");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("cut short");
    let list = app
        .desktop
        .drafts(&app.window, binding.clone())
        .await
        .expect("a list");
    assert_eq!(
        list.iter()
            .map(|draft| draft.key.as_str())
            .collect::<Vec<_>>(),
        [good.key.as_str()]
    );
    let unreadable = app
        .desktop
        .unreadable_drafts(&app.window, binding.clone())
        .await
        .expect("a list");
    assert_eq!(unreadable.len(), 1);
    assert_eq!(unreadable[0].reason, UnreadableReason::Damaged);
    let export = app
        .desktop
        .export_unreadable_drafts(&app.window, binding.clone())
        .await
        .expect("copied");
    assert_eq!(export.files, 1);
    assert_eq!(
        std::fs::read(&path).expect("it stays").len(),
        bytes.len() / 2
    );
    app.desktop
        .delete_unreadable_draft(&app.window, binding.clone(), unreadable[0].file.clone())
        .await
        .expect("deleted");
    let unreadable = app.desktop.unreadable_drafts(&app.window, binding).await;
    assert_eq!(unreadable.expect("a list"), []);
}

#[tokio::test]
async fn interrupted_write_leaves_the_previous_draft() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let (path, bytes) = files_of(&app)
        .into_iter()
        .find(|(path, _)| path.to_string_lossy().contains(draft.key.as_str()))
        .expect("its file");
    // The state after a kill during a write: the temporary file is incomplete and has not replaced the old file.
    let temporary = path.with_file_name(format!(".{}.draft.1.0.new", draft.key));
    std::fs::write(&temporary, &bytes[..10]).expect("written");
    assert_eq!(
        app.desktop
            .drafts(&app.window, binding.clone())
            .await
            .expect("a list")
            .len(),
        1
    );
    assert_eq!(
        app.desktop
            .open_draft(&app.window, binding, draft.key.clone())
            .await,
        Ok(draft)
    );
}

#[tokio::test]
async fn drafts_without_a_keyring_stay_in_memory_and_are_written_after_unlocking() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.vault.set_error(Some(VaultError::Unavailable));
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = app.switch_organization(HOME).await;
    let draft = app.new_draft(&binding).await;
    assert_eq!(
        app.desktop
            .drafts(&app.window, binding.clone())
            .await
            .expect("a list")
            .len(),
        1
    );
    assert!(
        files_of(&app)
            .iter()
            .all(|(path, _)| path.extension().is_none_or(|end| end != "draft")),
        "a draft was written without a key"
    );
    app.vault.set_error(None);
    app.desktop
        .unlock_vault(&app.window)
        .await
        .expect("there is a keyring now");
    let again = app.restart();
    again
        .wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
    let binding = again.binding().await;
    assert_eq!(
        again
            .desktop
            .open_draft(&again.window, binding, draft.key.clone())
            .await,
        Ok(draft)
    );
}

#[tokio::test]
async fn key_that_is_no_uuid_is_refused_before_any_file_access() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    for key in ["", "../../x", "a/b"] {
        let draft = Draft {
            key: key.into(),
            ..app
                .desktop
                .new_draft(&app.window, binding.clone(), None)
                .await
                .expect("a draft")
        };
        let answer = app
            .desktop
            .save_draft(&app.window, binding.clone(), draft)
            .await;
        assert!(
            matches!(answer, Err(CommandError::InvalidCall { .. })),
            "{key}: {answer:?}"
        );
    }
}
