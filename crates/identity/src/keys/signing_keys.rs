//! The signing keys of id_tokens: generated at the first start, stored in the database, rotated every ninety days or by an
//! administrator. Running servers reload them.

use std::cmp::Reverse;
use std::time::Duration;

use aws_lc_rs::encoding::{AsDer as _, Pkcs8V1Der};
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{Ed25519KeyPair, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoicing_contract::Timestamp;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Validation};
use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

use super::signer::{Signer, SigningError};
use crate::error::{ProviderError, SigningKeyError};
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::kept_secrets::{EncryptionAtRest, KeptSecret};
use invoicing_storage::keys::{KeyRotation, KeyState, SigningAlgorithm, SigningKeyRecord};
use invoicing_storage::{Rng, Store};

/// A current key signs for this time. Then it is retired and the next key becomes the current one.
const SIGNING_PERIOD: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// A retired key is published for this time: the maximum lifetime of an authorization, whose id_token may be sent as an
/// `id_token_hint`.
const VERIFICATION_PERIOD: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// The audit actor of a rotation that the age of the key caused.
const AGE_ACTOR: &str = "age";

/// Where the keys are stored, and how (decision 0160).
#[derive(Clone, Copy)]
pub(crate) struct KeyStorage<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) encryption: &'a EncryptionAtRest,
    pub(crate) rng: &'a dyn Rng,
}

/// All published keys, in the order of [`sort`].
pub(crate) struct SigningKeys {
    keys: Vec<Key>,
}

struct Key {
    kid: String,
    algorithm: SigningAlgorithm,
    state: KeyState,
    signer: Signer,
    decoding_key: DecodingKey,
    jwk: Jwk,
}

impl SigningKeys {
    /// Reads the keys from storage. Generates missing ones, and rotates current keys whose signing period is over. Writes
    /// nothing if a stored key cannot be used.
    pub(crate) async fn load(
        storage: KeyStorage<'_>,
        now: Timestamp,
    ) -> Result<Self, ProviderError> {
        let records = storage.store.signing_keys().await?;
        let keys = Self::from_records(storage.encryption, &records)?;
        let mut changed = false;
        for algorithm in SigningAlgorithm::ALL {
            for state in [KeyState::Current, KeyState::Next] {
                if !records
                    .iter()
                    .any(|key| key.algorithm == algorithm && key.state == state)
                {
                    let key = generate(storage, algorithm, state, now)?;
                    storage.store.add_signing_key(&key).await?;
                    changed = true;
                }
            }
        }
        if records.iter().any(|key| is_old(key, now)) {
            // A concurrent process may have rotated them already; then this changes nothing.
            rotate(storage, now, AGE_ACTOR, |key| is_old(key, now)).await?;
            changed = true;
        }
        if !changed {
            return Ok(keys);
        }
        let records = storage.store.signing_keys().await?;
        Self::from_records(storage.encryption, &records)
    }

    fn from_records(
        encryption: &EncryptionAtRest,
        records: &[SigningKeyRecord],
    ) -> Result<Self, ProviderError> {
        let key = |record: &SigningKeyRecord| {
            let secret = KeptSecret::signing_key(&record.kid);
            let pkcs8 = encryption.read(&secret, &record.pkcs8)?;
            Ok(Key::new(record, &pkcs8)?)
        };
        let mut records: Vec<_> = records.iter().collect();
        sort(&mut records);
        let keys = records.into_iter().map(key);
        let keys = keys.collect::<Result<_, ProviderError>>()?;
        Ok(Self { keys })
    }

    /// Whether `records` are these keys in the same states.
    fn matches(&self, records: &[SigningKeyRecord]) -> bool {
        self.keys.len() == records.len()
            && records.iter().all(|record| {
                self.keys
                    .iter()
                    .any(|key| key.kid == record.kid && key.state == record.state)
            })
    }

    /// The stored keys, if they differ from these or a rotation is due.
    pub(crate) async fn reload_if_changed(
        &self,
        storage: KeyStorage<'_>,
        now: Timestamp,
    ) -> Result<Option<Self>, ProviderError> {
        let records = storage.store.signing_keys().await?;
        if self.matches(&records) && !records.iter().any(|key| is_old(key, now)) {
            return Ok(None);
        }
        Self::load(storage, now).await.map(Some)
    }

    /// The JSON Web Key Set for `jwks_uri`.
    pub(crate) fn jwk_set(&self) -> JwkSet {
        JwkSet {
            keys: self.keys.iter().map(|key| key.jwk.clone()).collect(),
        }
    }

    /// Signs `claims`, a serialized JSON object, with the current key of `algorithm`.
    pub(crate) fn sign(
        &self,
        algorithm: SigningAlgorithm,
        claims: &[u8],
    ) -> Result<String, SigningError> {
        let is_current = |key: &&Key| key.algorithm == algorithm && key.state == KeyState::Current;
        let key = self
            .keys
            .iter()
            .find(is_current)
            .ok_or(SigningError::NoCurrentKey)?;
        key.signer.sign(claims)
    }

    /// The claims of an id_token that this service signed for `issuer`, expired or not.
    pub(crate) fn verify_id_token_hint<Claims: DeserializeOwned + Clone>(
        &self,
        token: &str,
        issuer: &str,
    ) -> Option<Claims> {
        let kid = jsonwebtoken::decode_header(token).ok()?.kid?;
        let key = self.keys.iter().find(|key| key.kid == kid)?;
        // The algorithm is taken from the key and never from the header, against algorithm confusion.
        let mut validation = Validation::new(jws_algorithm(key.algorithm));
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.set_required_spec_claims(&["iss", "sub", "aud"]);
        validation.set_issuer(&[issuer]);
        jsonwebtoken::decode(token, &key.decoding_key, &validation)
            .ok()
            .map(|verified| verified.claims)
    }
}

impl Key {
    /// The key of a record, whose private part in clear is `pkcs8`.
    fn new(record: &SigningKeyRecord, pkcs8: &[u8]) -> Result<Self, SigningKeyError> {
        let encoding_key = encoding_key(record.algorithm, pkcs8)?;
        let mut jwk = Jwk::from_encoding_key(&encoding_key, jws_algorithm(record.algorithm))?;
        jwk.common.key_id = Some(record.kid.clone());
        jwk.common.public_key_use = Some(PublicKeyUse::Signature);
        let decoding_key = DecodingKey::from_jwk(&jwk)?;
        let signer = Signer::new(record.algorithm, &record.kid, pkcs8)?;
        Ok(Self {
            kid: record.kid.clone(),
            algorithm: record.algorithm,
            state: record.state,
            signer,
            decoding_key,
            jwk,
        })
    }
}

/// Brings keys into the order of the JWKS: current, next, and retired ones, the latest of these first; RS256 before EdDSA. Every
/// process publishes the same order, and a client that takes the first key of its algorithm takes the one that signs.
fn sort(keys: &mut [&SigningKeyRecord]) {
    keys.sort_by_key(|key| {
        let state = match key.state {
            KeyState::Current => 0,
            KeyState::Next => 1,
            KeyState::Previous => 2,
        };
        let algorithm = SigningAlgorithm::ALL
            .iter()
            .position(|algorithm| *algorithm == key.algorithm);
        (state, algorithm, Reverse(key.changed_at), key.kid.clone())
    });
}

fn is_old(key: &SigningKeyRecord, now: Timestamp) -> bool {
    key.state == KeyState::Current && now.since(key.changed_at) > SIGNING_PERIOD
}

/// Rotates the current keys that `selects` accepts: the next key becomes the current one. False if there is none, or if a
/// concurrent process rotated them. Stored keys are encrypted with the first encryption key before (decision 0160).
pub(crate) async fn rotate(
    storage: KeyStorage<'_>,
    now: Timestamp,
    actor: &str,
    selects: impl Fn(&SigningKeyRecord) -> bool,
) -> Result<bool, ProviderError> {
    let KeyStorage {
        store,
        encryption,
        rng,
    } = storage;
    let records = store.signing_keys().await?;
    let rotations = records
        .iter()
        .filter(|key| key.state == KeyState::Current && selects(key))
        .map(|key| {
            Ok(KeyRotation {
                current: key.kid.clone(),
                next: generate(storage, key.algorithm, KeyState::Next, now)?,
                retired_before: now.minus(VERIFICATION_PERIOD),
            })
        })
        .collect::<Result<Vec<_>, ProviderError>>()?;
    if rotations.is_empty() {
        return Ok(false);
    }
    encryption
        .renew_signing_keys(store, rng, now, actor)
        .await?;
    let mut event = AuditEvent::new(now, audit::AuditEventKind::KeysRotated).actor(actor);
    for rotation in &rotations {
        event = event.detail(rotation.next.algorithm.name(), &*rotation.current);
    }
    Ok(store.rotate_signing_keys(&rotations, now, &event).await?)
}

/// Generates a key, as it is stored. The key material comes from the random source of the cryptographic library.
fn generate(
    storage: KeyStorage<'_>,
    algorithm: SigningAlgorithm,
    state: KeyState,
    now: Timestamp,
) -> Result<SigningKeyRecord, SigningKeyError> {
    let pkcs8: Pkcs8V1Der<'_> = match algorithm {
        SigningAlgorithm::Rs256 => {
            RsaKeyPair::generate(KeySize::Rsa2048).and_then(|pair| pair.as_der())
        }
        SigningAlgorithm::EdDsa => Ed25519KeyPair::generate().and_then(|pair| pair.as_der()),
    }
    .map_err(|source| SigningKeyError::Generation { algorithm, source })?;
    let pkcs8 = Zeroizing::new(pkcs8.as_ref().to_vec());
    let jwk = encoding_key(algorithm, &pkcs8)
        .and_then(|key| Jwk::from_encoding_key(&key, jws_algorithm(algorithm)))?;
    // The id is derived from the key, so two keys never share one (RFC 7638).
    let kid = jwk.thumbprint(ThumbprintHash::SHA256)?;
    let secret = KeptSecret::signing_key(&kid);
    let KeyStorage {
        encryption, rng, ..
    } = storage;
    Ok(SigningKeyRecord {
        pkcs8: encryption.store(rng, &secret, &pkcs8),
        kid,
        algorithm,
        state,
        changed_at: now,
    })
}

fn encoding_key(
    algorithm: SigningAlgorithm,
    pkcs8: &[u8],
) -> jsonwebtoken::errors::Result<EncodingKey> {
    match algorithm {
        SigningAlgorithm::Rs256 => EncodingKey::from_rsa_pem(pem(pkcs8).as_bytes()),
        SigningAlgorithm::EdDsa => Ok(EncodingKey::from_ed_der(pkcs8)),
    }
}

/// An RSA key in PEM, since jsonwebtoken accepts PKCS #8 only in that form.
fn pem(pkcs8: &[u8]) -> Zeroizing<String> {
    let encoded = Zeroizing::new(STANDARD.encode(pkcs8));
    let mut pem = Zeroizing::new(String::from("-----BEGIN PRIVATE KEY-----\n"));
    for line in encoded.as_bytes().chunks(64) {
        pem.push_str(std::str::from_utf8(line).expect("base64 is ASCII"));
        pem.push('\n');
    }
    pem.push_str("-----END PRIVATE KEY-----\n");
    pem
}

const fn jws_algorithm(algorithm: SigningAlgorithm) -> Algorithm {
    match algorithm {
        SigningAlgorithm::Rs256 => Algorithm::RS256,
        SigningAlgorithm::EdDsa => Algorithm::EdDSA,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn current_keys_are_first_and_the_order_does_not_depend_on_that_of_the_records() {
        let record = |kid: &str, algorithm, state, millis| SigningKeyRecord {
            kid: kid.to_owned(),
            algorithm,
            pkcs8: Zeroizing::default(),
            state,
            changed_at: Timestamp::from_millis(millis),
        };
        let (rs256, eddsa) = (SigningAlgorithm::Rs256, SigningAlgorithm::EdDsa);
        // Rotated at the same time.
        let records = [
            record("retired before", rs256, KeyState::Previous, 1),
            record("d", eddsa, KeyState::Next, 2),
            record("a", rs256, KeyState::Previous, 2),
            record("b", rs256, KeyState::Previous, 2),
            record("e", eddsa, KeyState::Current, 2),
            record("z", rs256, KeyState::Current, 2),
            record("c", rs256, KeyState::Next, 2),
        ];
        let sorted = |mut records: Vec<&SigningKeyRecord>| {
            sort(&mut records);
            let ids = records.into_iter().map(|record| record.kid.clone());
            ids.collect::<Vec<_>>()
        };
        let expected = ["z", "e", "c", "d", "a", "b", "retired before"];
        assert_eq!(sorted(records.iter().collect()), expected);
        assert_eq!(sorted(records.iter().rev().collect()), expected);
    }
}
