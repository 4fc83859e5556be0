//! Drafts on disk: durability, encryption and ownership.

use invoicing_client::vault::VaultError;
use invoicing_client::views::{CommandError, Draft, SessionView};

use crate::fixtures::{Browser, CLERK, Desk, HOME, NOURA, Service, content};

fn files_of(desk: &Desk) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![desk.folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path)
            } else {
                found.push((path.clone(), std::fs::read(path).expect("a file")))
            }
        }
    }
    found
}

#[tokio::test]
async fn draft_is_readable_after_a_kill_and_after_signing_in_again() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = desk
        .desktop
        .new_draft(&desk.window, binding, Some(content()))
        .await
        .expect("a draft");
    let again = desk.restarted();
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
    again
        .desktop
        .sign_out(&again.window)
        .await
        .expect("signed out");
    again.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = again
        .desktop
        .switch_organization(&again.window, HOME.into())
        .await
        .expect("granted");
    let list = again
        .desktop
        .drafts(&again.window, binding)
        .await
        .expect("a list");
    assert_eq!((list.len(), list[0].gross.as_deref()), (1, Some("1255.23")));
}

#[tokio::test]
async fn draft_is_visible_only_to_its_author_in_its_organization() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = desk
        .desktop
        .new_draft(&desk.window, binding, Some(content()))
        .await
        .expect("a draft");
    let other = desk
        .desktop
        .switch_organization(&desk.window, "274893002".into())
        .await
        .expect("granted");
    assert_eq!(
        desk.desktop
            .open_draft(&desk.window, other, draft.key.clone())
            .await,
        Err(CommandError::DraftNotFound)
    );
    desk.desktop
        .sign_out(&desk.window)
        .await
        .expect("signed out");
    desk.sign_in(&service, CLERK, &mut Browser::new()).await;
    let binding = desk
        .desktop
        .switch_organization(&desk.window, HOME.into())
        .await
        .expect("granted");
    assert_eq!(
        desk.desktop
            .open_draft(&desk.window, binding, draft.key)
            .await,
        Err(CommandError::DraftNotFound)
    );
}

#[tokio::test]
async fn draft_files_do_not_contain_the_plaintext() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    desk.desktop
        .new_draft(&desk.window, binding, Some(content()))
        .await
        .expect("a draft");
    for (path, bytes) in files_of(&desk) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            !text.contains("Noor") && !text.contains("1091"),
            "{}",
            path.display()
        );
    }
}

#[tokio::test]
async fn damaged_draft_file_is_renamed_and_the_others_are_listed() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let good = desk
        .desktop
        .new_draft(&desk.window, binding.clone(), Some(content()))
        .await
        .expect("a draft");
    let bad = desk
        .desktop
        .new_draft(&desk.window, binding.clone(), Some(content()))
        .await
        .expect("a draft");
    let (path, bytes) = files_of(&desk)
        .into_iter()
        .find(|(path, _)| path.to_string_lossy().contains(bad.key.as_str()))
        .expect("its file");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("cut short");
    let list = desk
        .desktop
        .drafts(&desk.window, binding)
        .await
        .expect("a list");
    assert_eq!(
        list.iter()
            .map(|draft| draft.key.as_str())
            .collect::<Vec<_>>(),
        [good.key.as_str()]
    );
    let aside = files_of(&desk).into_iter().find(|(path, _)| {
        path.to_string_lossy()
            .contains(&format!("{}.draft.unreadable", bad.key))
    });
    assert_eq!(aside.expect("it was deleted").1.len(), bytes.len() / 2);
}

#[tokio::test]
async fn interrupted_write_leaves_the_previous_draft() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = desk
        .desktop
        .new_draft(&desk.window, binding.clone(), Some(content()))
        .await
        .expect("a draft");
    let (path, bytes) = files_of(&desk)
        .into_iter()
        .find(|(path, _)| path.to_string_lossy().contains(draft.key.as_str()))
        .expect("its file");
    // As a kill in the middle of writing leaves it: the new file is begun, and the old one not yet replaced.
    let begun = path.with_file_name(format!(".{}.draft.1.0.new", draft.key));
    std::fs::write(&begun, &bytes[..10]).expect("begun");
    assert_eq!(
        desk.desktop
            .drafts(&desk.window, binding.clone())
            .await
            .expect("a list")
            .len(),
        1
    );
    assert_eq!(
        desk.desktop
            .open_draft(&desk.window, binding, draft.key.clone())
            .await,
        Ok(draft)
    );
}

#[tokio::test]
async fn drafts_without_a_keyring_stay_in_memory_and_are_written_after_unlocking() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.vault.set_error(Some(VaultError::Unavailable));
    desk.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = desk
        .desktop
        .switch_organization(&desk.window, HOME.into())
        .await
        .expect("granted");
    let draft = desk
        .desktop
        .new_draft(&desk.window, binding.clone(), Some(content()))
        .await
        .expect("a draft");
    assert_eq!(
        desk.desktop
            .drafts(&desk.window, binding.clone())
            .await
            .expect("a list")
            .len(),
        1
    );
    assert!(
        files_of(&desk)
            .iter()
            .all(|(path, _)| path.extension().is_none_or(|end| end != "draft")),
        "kept without a key"
    );
    desk.vault.set_error(None);
    desk.desktop
        .unlock_vault(&desk.window)
        .await
        .expect("there is a keyring now");
    let again = desk.restarted();
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
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    for key in ["", "../../x", "a/b"] {
        let draft = Draft {
            key: key.into(),
            ..desk
                .desktop
                .new_draft(&desk.window, binding.clone(), None)
                .await
                .expect("a draft")
        };
        let answer = desk
            .desktop
            .save_draft(&desk.window, binding.clone(), draft)
            .await;
        assert!(
            matches!(answer, Err(CommandError::InvalidCall { .. })),
            "{key}: {answer:?}"
        );
    }
}
