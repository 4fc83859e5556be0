//! Tests of stored secrets without a database.

use super::*;
use crate::SystemRng;

fn keys(files: &[&str]) -> EncryptionAtRest {
    let keys = EncryptionKeys::parse(&files.join("\n"));
    EncryptionAtRest::Configured(keys.unwrap())
}

fn self_made(file: &str) -> EncryptionAtRest {
    EncryptionAtRest::SelfMade(EncryptionKeys::parse(file).unwrap())
}

#[test]
fn secret_is_encrypted_with_keys_of_the_operator_only() {
    let file = EncryptionKeys::new_file(&SystemRng);
    let secret = KeptSecret::signing_key("a");
    let encrypted = keys(&[&file]).store(&SystemRng, &secret, b"hush");
    assert!(!encrypted.windows(4).any(|part| part == b"hush"));
    for reader in [keys(&[&file]), self_made(&file)] {
        let read = reader.read(&secret, &encrypted).unwrap();
        assert_eq!(read.as_slice(), b"hush");
        // What was stored before there were keys.
        let read = reader.read(&secret, b"hush").unwrap();
        assert_eq!(read.as_slice(), b"hush");
    }
    for writer in [EncryptionAtRest::None, self_made(&file)] {
        let stored = writer.store(&SystemRng, &secret, b"hush");
        assert_eq!(stored.as_slice(), b"hush");
        assert_eq!(writer.encrypt(&SystemRng, &secret, b"hush"), None);
    }
}

#[test]
fn record_of_one_secret_is_not_read_as_another() {
    let encryption = keys(&[&EncryptionKeys::new_file(&SystemRng)]);
    let secret = KeptSecret::signing_key("page_key");
    let record = encryption.store(&SystemRng, &secret, b"hush");
    for other in [
        KeptSecret::signing_key("b"),
        KeptSecret::Setting(SecretSetting::CsrfKey),
    ] {
        let expected = UnreadableSecret::Undecryptable {
            secret: other.clone(),
            source: DecryptError::NotAuthentic,
        };
        assert_eq!(encryption.read(&other, &record).unwrap_err(), expected);
    }
}

#[test]
fn missing_and_wrong_keys_are_errors_that_say_what_to_do() {
    let secret = KeptSecret::signing_key("a");
    let file = EncryptionKeys::new_file(&SystemRng);
    let record = keys(&[&file]).store(&SystemRng, &secret, b"hush");
    let other = EncryptionKeys::new_file(&SystemRng);
    for (encryption, expected) in [
        (EncryptionAtRest::None, "there are no encryption keys"),
        (keys(&[&other]), "encrypted with another key"),
        (self_made(&other), "encrypted with another key"),
    ] {
        let error = encryption.read(&secret, &record).unwrap_err();
        assert_eq!(
            encryption.rewrap(&SystemRng, &secret, &record),
            Err(error.clone())
        );
        for part in [expected, "the signing key a", "--encryption-key-file"] {
            assert!(error.to_string().contains(part), "{error}");
        }
        let shown = format!("{error:?} {error} {encryption:?}");
        for secret in ["hush", file.trim(), other.trim()] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}

#[test]
fn value_of_a_setting_is_in_clear_or_a_record() {
    let encryption = keys(&[&EncryptionKeys::new_file(&SystemRng)]);
    let secret = KeptSecret::Setting(SecretSetting::PageTokenKey);
    // Begins as a record does, which a key in base64url may.
    assert_eq!(record_in(&secret, "IDS1hush"), Ok(None));
    let record = encryption.store(&SystemRng, &secret, b"hush").to_vec();
    let text = encrypted_text(&record);
    assert_eq!(record_in(&secret, &text), Ok(Some(record)));
    for damaged in ["encrypted:", "encrypted:%", "encrypted:aHVzaA=="] {
        let error = record_in(&secret, damaged).unwrap_err();
        assert!(!error.to_string().contains(damaged), "{error}");
    }
}

#[test]
fn secrets_have_the_names_under_which_they_are_stored() {
    let names = SecretSetting::ALL.map(SecretSetting::name);
    assert_eq!(names, ["page-token-key", "page_key", "device_key"]);
}
