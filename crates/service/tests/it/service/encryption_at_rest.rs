//! Tests of the secrets that the service makes for itself: encrypted with the keys of the operator, or in clear (decision 0160).

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use invoicing_identity::ProviderError;
use invoicing_service::{
    Config, RunningService, StartError, SystemClock, SystemRng, read_key_file, serve,
};
use invoicing_storage::Store;
use invoicing_storage::audit::{AuditEventKind, Query};
use invoicing_storage::encryption::EncryptionKeys;
use invoicing_storage::kept_secrets::{
    EncryptionAtRest, KeptSecret, SecretSetting, UnreadableSecret,
};
use serde_json::json;
use std::sync::Arc;

use crate::fixtures::process::{Process, log};
use crate::fixtures::program::{kid_of, published_kids, run_json, run_program, service_command};
use crate::fixtures::{NOURA, Service, ServiceFolder, by_engine, config_in};

const DAY: i64 = 24 * 60 * 60;
/// Two keys of each of two algorithms, and the settings.
const SECRETS: usize = 4 + SecretSetting::ALL.len();

/// A key file in the folder of a service with one key for each name. The same name gives the same key.
fn key_file(folder: &ServiceFolder, names: &[&str]) -> PathBuf {
    let lines = names.iter().map(|name| {
        let file = folder.path().join(format!("key-{name}"));
        if !file.exists() {
            fs::write(&file, EncryptionKeys::new_file(&SystemRng).as_bytes())
                .expect("a key is written");
        }
        fs::read_to_string(file).expect("the key is read")
    });
    let content: String = lines.collect();
    let file = folder.path().join(format!("keys-{}", names.join("-")));
    fs::write(&file, content).expect("the keys are written");
    #[cfg(unix)]
    fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .expect("it is ours");
    file
}

/// A service on an empty database, with the encryption key `one`.
async fn start_encrypted() -> Service {
    let folder = ServiceFolder::new();
    let config = Config {
        encryption_key_file: Some(key_file(&folder, &["one"])),
        ..config_in(&folder)
    };
    Service::start_configured(folder, config).await
}

/// The same service with these encryption keys.
async fn restart_with(service: Service, names: &[&str]) -> Service {
    let file = Some(key_file(&service.folder, names));
    let changed = service.restart_with(|config| Config {
        encryption_key_file: file,
        ..config
    });
    changed.await
}

/// Starts a service with these encryption keys in the folder of another.
async fn serve_with(folder: &ServiceFolder, names: &[&str]) -> Result<RunningService, StartError> {
    let config = Config {
        encryption_key_file: (!names.is_empty()).then(|| key_file(folder, names)),
        ..config_in(folder)
    };
    serve(config, Arc::new(SystemClock), Arc::new(SystemRng)).await
}

/// The stored form of every secret.
async fn stored(folder: &ServiceFolder) -> Vec<(KeptSecret, Vec<u8>)> {
    let store: Arc<dyn Store> = folder.store().await.store();
    let keys = store
        .signing_keys()
        .await
        .expect("storage responds")
        .into_iter();
    let mut stored: Vec<_> = keys
        .map(|key| (KeptSecret::signing_key(&key.kid), key.pkcs8.to_vec()))
        .collect();
    for setting in SecretSetting::ALL {
        let value = store
            .setting(setting.name())
            .await
            .expect("storage responds");
        let value = value.unwrap_or_else(|| panic!("there is no {}", setting.name()));
        stored.push((KeptSecret::Setting(setting), value.into_bytes()));
    }
    stored
}

fn is_encrypted((secret, stored): &(KeptSecret, Vec<u8>)) -> bool {
    match secret {
        KeptSecret::SigningKey { .. } => stored.starts_with(b"IDS1"),
        KeptSecret::Setting(_) => stored.starts_with(b"encrypted:"),
    }
}

async fn count_encrypted(folder: &ServiceFolder) -> usize {
    let stored = stored(folder).await;
    stored.iter().filter(|one| is_encrypted(one)).count()
}

/// The secrets in clear, as the key with this name decrypts them.
async fn in_clear(folder: &ServiceFolder, name: &str) -> Vec<Vec<u8>> {
    let keys = read_key_file(&key_file(folder, &[name])).expect("it is a key file");
    let encryption = EncryptionAtRest::Configured(keys);
    let store: Arc<dyn Store> = folder.store().await.store();
    let mut clear = Vec::new();
    for key in store.signing_keys().await.expect("storage responds") {
        let secret = KeptSecret::signing_key(&key.kid);
        let pkcs8 = encryption
            .read(&secret, &key.pkcs8)
            .expect("this key decrypts it");
        clear.push(pkcs8.to_vec());
    }
    for setting in SecretSetting::ALL {
        let value = encryption.setting_or(&*store, &SystemRng, setting, "new");
        clear.push(
            value
                .await
                .expect("this key decrypts it")
                .as_bytes()
                .to_vec(),
        );
    }
    clear
}

/// How many of the secrets are in the files of a database, at least in part. On PostgreSQL, which has files elsewhere, in the
/// values of the columns.
async fn found(folder: &ServiceFolder, clear: &[Vec<u8>]) -> usize {
    const PART: usize = 16;
    let places: Vec<Vec<u8>> = if by_engine(true, false) {
        let entries = fs::read_dir(folder.path()).expect("there is a folder");
        let files = entries.map(|entry| entry.expect("it is read"));
        let files = files.filter(|file| {
            let name = file.file_name();
            name == "invoicing.db" || name == "invoicing.db-wal"
        });
        files
            .map(|file| fs::read(file.path()).expect("it is a file"))
            .collect()
    } else {
        let stored = stored(folder).await.into_iter();
        stored.map(|(_, value)| value).collect()
    };
    assert!(!places.is_empty());
    let is_found = |secret: &&Vec<u8>| {
        let parts: Vec<&[u8]> = secret.chunks_exact(PART).collect();
        let mut windows = places.iter().flat_map(|place| place.windows(PART));
        windows.any(|window| parts.contains(&window))
    };
    clear.iter().filter(is_found).count()
}

async fn count_events(folder: &ServiceFolder) -> usize {
    let query = Query {
        kinds: vec![AuditEventKind::EncryptionRotated],
        size: 100,
        ..Query::default()
    };
    let store = folder.store().await.store();
    store.audit(&query).await.expect("storage responds").len()
}

/// Runs `keys …` with these encryption keys.
fn run_keys(service: &Service, command: &str, names: &[&str]) -> Output {
    let mut program = service_command(service, &["admin", "keys", command, "--json"]);
    if !names.is_empty() {
        let file = key_file(&service.folder, names);
        program.arg("--encryption-key-file").arg(file);
    }
    program.output().expect("the program runs")
}

/// Runs `keys rotate-encryption`. How many secrets were encrypted, and how many before.
#[track_caller]
fn rotate_encryption(service: &Service, names: &[&str]) -> (u64, u64) {
    let output = run_keys(service, "rotate-encryption", names);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let rotated: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let number = |name: &str| rotated[0][name].as_u64().expect("a number");
    (number("encrypted"), number("unchanged"))
}

#[tokio::test]
async fn database_of_a_service_with_encryption_keys_contains_no_secret_in_clear() {
    let service = start_encrypted().await;
    service.sign_in(NOURA).await;
    assert_eq!(count_encrypted(&service.folder).await, SECRETS);
    let clear = in_clear(&service.folder, "one").await;
    assert_eq!(clear.len(), SECRETS);
    assert!(clear[..4].iter().all(|pkcs8| pkcs8.starts_with(&[0x30])));
    assert_eq!(found(&service.folder, &clear).await, 0, "while it runs");

    let service = service.restart().await;
    service.sign_in(NOURA).await;
    assert_eq!(in_clear(&service.folder, "one").await, clear);
    let Service {
        running, folder, ..
    } = service;
    running.shutdown().await;
    assert_eq!(found(&folder, &clear).await, 0, "after it");
}

#[tokio::test]
async fn secrets_in_clear_are_read_and_encrypted_by_the_command_while_the_service_runs() {
    let service = Service::start().await;
    let signing = kid_of(service.sign_in(NOURA).await.text("id_token"));
    let published = published_kids(&service).await;
    let clear = in_clear(&service.folder, "one").await;

    let service = restart_with(service, &["one"]).await;
    assert_eq!(published_kids(&service).await, published);
    assert_eq!(count_encrypted(&service.folder).await, 0);
    let all = found(&service.folder, &clear).await;
    assert_eq!(all, SECRETS, "the search finds what is there");

    let secrets = u64::try_from(SECRETS).unwrap();
    assert_eq!(rotate_encryption(&service, &["one"]), (secrets, 0));
    assert_eq!(rotate_encryption(&service, &["one"]), (0, secrets));
    assert_eq!(count_events(&service.folder).await, SECRETS);
    assert_eq!(count_encrypted(&service.folder).await, SECRETS);
    assert_eq!(in_clear(&service.folder, "one").await, clear);
    // The process that has read them in clear, and one that begins now.
    service.sign_in(NOURA).await;
    let replica = serve_with(&service.folder, &["one"]).await;
    replica.expect("a replica starts").shutdown().await;

    let service = service.restart().await;
    assert_eq!(published_kids(&service).await, published);
    let signed = service.sign_in(NOURA).await;
    assert_eq!(kid_of(signed.text("id_token")), signing, "the same signs");
    let Service {
        running, folder, ..
    } = service;
    running.shutdown().await;
    assert_eq!(found(&folder, &clear).await, 0);
}

#[tokio::test]
async fn missing_or_wrong_encryption_key_fails_the_start_and_changes_nothing() {
    let service = start_encrypted().await;
    let Service {
        running, folder, ..
    } = service;
    running.shutdown().await;
    let before = stored(&folder).await;
    // Without a file, a local environment on SQLite makes keys of its own.
    for (names, makes_keys) in [(&[][..], by_engine(true, false)), (&["two"][..], true)] {
        let refused = serve_with(&folder, names).await.map(|_| ()).unwrap_err();
        let StartError::Provider(ProviderError::Unreadable(error)) = &refused else {
            panic!("{refused}")
        };
        let without_keys = matches!(error, UnreadableSecret::NoKeys { .. });
        assert_eq!(without_keys, !makes_keys, "{refused}");
        assert_eq!(refused.exit_code(), 65);
        let text = refused.to_string();
        assert!(text.contains("--encryption-key-file"), "{text}");
        assert_eq!(stored(&folder).await, before);
    }
    let again = serve_with(&folder, &["one"]).await;
    again.expect("the service starts").shutdown().await;
    assert_eq!(stored(&folder).await, before);
}

/// The statements of the block that follows `<!-- tested: name -->` in docs/operations.md.
fn documented_sql(name: &str) -> String {
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operations.md");
    let document = fs::read_to_string(document).expect("the document is read");
    let begin = format!("<!-- tested: {name} -->\n  ```sql\n");
    let (_, block) = document.split_once(&begin).expect("it has the block");
    let (block, _) = block.split_once("```").expect("the block ends");
    block.to_owned()
}

#[tokio::test]
async fn service_starts_with_new_secrets_when_what_lost_keys_encrypted_is_deleted_as_documented() {
    let service = start_encrypted().await;
    let signed = kid_of(service.sign_in(NOURA).await.text("id_token"));
    let Service {
        running, folder, ..
    } = service;
    running.shutdown().await;
    assert!(serve_with(&folder, &["two"]).await.is_err());

    folder
        .execute_sql(documented_sql("lost-encryption-keys").trim_end())
        .await;
    let config = Config {
        encryption_key_file: Some(key_file(&folder, &["two"])),
        ..config_in(&folder)
    };
    let service = Service::start_configured(folder, config).await;
    assert_ne!(
        kid_of(service.sign_in(NOURA).await.text("id_token")),
        signed
    );
    assert_eq!(count_encrypted(&service.folder).await, SECRETS);
    service.running.shutdown().await;
}

#[tokio::test]
async fn start_warns_of_secrets_in_clear_until_they_are_encrypted() {
    const WARNING: &str = "Run keys rotate-encryption";
    let folder = ServiceFolder::new();
    Process::start(&folder, &[]).await.kill();
    let file = key_file(&folder, &["one"]).display().to_string();
    let file = ["--encryption-key-file", &file];
    Process::start(&folder, &file).await.kill();
    let warned = log(folder.path());
    assert_eq!(warned.matches(WARNING).count(), 1, "{warned}");
    assert!(warned.contains("the setting page_key"), "{warned}");
    assert_eq!(warned.matches("the signing key").count(), 4, "{warned}");

    let mut rotate = Command::new(env!("CARGO_BIN_EXE_invoicing-service"));
    rotate.args(["admin", "keys", "rotate-encryption", "--json"]);
    rotate
        .args(file)
        .arg("--database")
        .arg(folder.database_url());
    let rotated = rotate.output().expect("the program runs");
    assert!(rotated.status.success(), "{rotated:?}");
    Process::start(&folder, &file).await.kill();
    assert_eq!(log(folder.path()).matches(WARNING).count(), 1);
}

#[tokio::test]
async fn secrets_encrypted_with_a_new_key_do_not_need_the_old_one() {
    let service = start_encrypted().await;
    let clear = in_clear(&service.folder, "one").await;
    let service = restart_with(service, &["two", "one"]).await;
    let secrets = u64::try_from(SECRETS).unwrap();
    assert_eq!(rotate_encryption(&service, &["two", "one"]), (secrets, 0));
    let service = restart_with(service, &["two"]).await;
    service.sign_in(NOURA).await;
    assert_eq!(in_clear(&service.folder, "two").await, clear);
    let refused = run_keys(&service, "rotate-encryption", &["one"]);
    assert_eq!(refused.status.code(), Some(65));
    service.running.shutdown().await;
}

#[tokio::test]
async fn rotation_of_signing_keys_encrypts_those_in_clear() {
    let service = Service::start().await;
    let service = restart_with(service, &["one"]).await;
    service.clock.advance(91 * DAY);
    let service = service.restart().await;
    // Two current, two next and two previous ones.
    assert_eq!(count_encrypted(&service.folder).await, 6);
    service.sign_in(NOURA).await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn command_rotates_signing_keys_with_the_encryption_keys_only() {
    let service = start_encrypted().await;
    let before = stored(&service.folder).await;
    for names in [&[][..], &["two"]] {
        let refused = run_keys(&service, "rotate", names);
        assert_eq!(refused.status.code(), Some(65), "{names:?}");
        let error = String::from_utf8(refused.stderr).unwrap();
        assert!(error.contains("--encryption-key-file"), "{error}");
        assert_eq!(stored(&service.folder).await, before);
    }
    let rotated = run_keys(&service, "rotate", &["one"]);
    assert!(rotated.status.success());
    assert_eq!(count_encrypted(&service.folder).await, SECRETS + 2);
    while published_kids(&service).await.len() < 6 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    service.sign_in(NOURA).await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn without_keys_of_the_operator_secrets_stay_in_clear() {
    let service = Service::start().await;
    run_json(&service, &["admin", "keys", "rotate"]);
    // The keys that a local environment has made are for credentials of tax authorities.
    let output = run_program(&service, &["admin", "keys", "rotate-encryption"]);
    assert_eq!(output.status.success(), by_engine(true, false));
    if output.status.success() {
        let rotated: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(rotated[0], json!({"encrypted": 0, "unchanged": 0}));
    }
    assert_eq!(count_encrypted(&service.folder).await, 0);
    let service = service.restart().await;
    service.sign_in(NOURA).await;
    service.running.shutdown().await;
}
