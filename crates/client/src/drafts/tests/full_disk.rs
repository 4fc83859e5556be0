//! Drafts on a disk that is really full: a file system in memory of 256 KiB, where the tests may mount one.

use std::process::Command;

use super::*;
use crate::views::DiskProblem;

/// A mounted file system, which is unmounted at the end.
struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    /// `None` if this user may not mount.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "drafts-test"])
            .arg(folder.path())
            .output();
        mounted
            .is_ok_and(|output| output.status.success())
            .then(|| Self { folder })
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.folder.path()).output();
    }
}

#[tokio::test]
async fn full_disk_refuses_a_save_and_keeps_every_draft_that_was_saved() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("not run: this user may not mount a file system; faults are injected instead");
        return;
    };
    let vault = Arc::new(MemoryVault::default());
    let drafts = drafts(disk.folder.path(), &vault);
    let text = "typed ".repeat(2000);
    let mut saved = Vec::new();
    loop {
        let key = format!("0199f3a0-0000-7000-8000-{:012}", saved.len());
        let note = format!("{:03} {text}", saved.len());
        match drafts.save(owner(), draft(&key, &note)).await {
            Ok(()) => saved.push((note, DraftState::Editing)),
            Err(error) => {
                let CommandError::NotSaved { problem, .. } = error else {
                    panic!("{error:?}");
                };
                assert_eq!(problem, DiskProblem::NoSpace);
                break;
            }
        }
        assert!(saved.len() < 1000, "the disk is never full");
    }
    assert!(saved.len() > 3, "{}", saved.len());
    let restarted = super::drafts(disk.folder.path(), &vault);
    assert_eq!(listed(&restarted).await, saved);
    assert_eq!(restarted.unreadable(owner()).await.expect("a list"), []);
    // A discarded draft makes room for another.
    let first = DocumentKey::from("0199f3a0-0000-7000-8000-000000000000");
    drafts.discard(owner(), &first).await.expect("removed");
    drafts
        .save(owner(), draft(KEY, "small"))
        .await
        .expect("there is room");
}
