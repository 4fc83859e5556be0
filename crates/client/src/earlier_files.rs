//! Files that earlier versions wrote are read. Each format has a file in `fixtures/earlier_files`, named by its version; those
//! of drafts are in `drafts/fixtures`.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::WindowKey;
use crate::account_key::AccountKey;
use crate::environments::Environments;
use crate::organizations::{Aliases, WindowBindings};
use crate::preferences::PreferenceStore;
use crate::views::{Digits, Language, Preferences, Theme};

/// A copy of an earlier file, since reading can rename one.
fn copy(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let from = format!(
        "{}/fixtures/earlier_files/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let path = folder.path().join(name);
    std::fs::copy(from, &path).expect("copied");
    (folder, path)
}

#[tokio::test]
async fn environments_of_each_version_are_read_and_kept() {
    for name in ["environments_1.json", "environments_2.json"] {
        let (_folder, path) = copy(name);
        let environments = Environments::open(path.clone(), None);
        let environment = environments.get("staging").await.expect(name);
        let view = environment.view();
        assert_eq!(
            (view.auth_url.as_str(), view.base_url.as_str()),
            ("https://id.example.com", "https://api.example.com"),
            "{name}"
        );
        let config = view.config.expect("a saved environment");
        assert_eq!(config.project_audience_id, "271", "{name}");
        environments.change(environment).await.expect("written");
        let reopened = Environments::open(path, None);
        assert_eq!(reopened.views().len(), 1, "{name}");
    }
}

#[test]
fn aliases_preferences_and_window_organizations_of_version_1_are_read() {
    let (_folder, path) = copy("organizations_1.json");
    let aliases = Aliases::open(path).of(&AccountKey::new("local", "u"));
    assert_eq!(aliases, [("274893001".into(), "Khair".to_owned())].into());

    let (_folder, path) = copy("preferences_1.json");
    let preferences = Preferences {
        language: Some(Language::Ar),
        theme: Theme::Dark,
        digits: Digits::Arabic,
        ..Preferences::default()
    };
    assert_eq!(PreferenceStore::open(path).get(), preferences);

    let (_folder, path) = copy("window-organizations_1.json");
    let bindings = WindowBindings::open(path);
    let (window, account) = (WindowKey::from("main"), AccountKey::new("local", "u"));
    bindings.open_window(&window);
    bindings.bind_open_windows(&account, &["274893001".into(), "274893002".into()], |_| {
        false
    });
    let bound = bindings.current(&window, &account).expect("bound");
    assert_eq!(bound.organization, "274893002");
}
