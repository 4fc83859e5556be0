//! The keys that sign id_tokens: made at the first start, kept in the database, replaced every ninety days or when an
//! administrator says so. Running servers notice.

use aws_lc_rs::encoding::{AsDer as _, Pkcs8V1Der};
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{Ed25519KeyPair, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Validation};

use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

use super::signer::{Signer, SigningError};
use crate::ProviderError;
use invoicing_storage::Store;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::keys::{KeyRotation, KeyState, SigningAlgorithm, SigningKeyRecord};

/// After this a key stops signing and the next one begins.
const SIGNS_FOR_MS: i64 = 90 * 24 * 60 * 60 * 1000;
/// A key that signs no more is published this long: as long as an authorization can live, whose id_token may come back as a
/// hint.
const VERIFIES_FOR_MS: i64 = 90 * 24 * 60 * 60 * 1000;
/// The actor of a rotation that nobody asked for, in the audit.
const BY_AGE: &str = "age";

/// All keys that are published.
pub(crate) struct SigningKeys {
    keys: Vec<Key>,
}

struct Key {
    kid: String,
    algorithm: SigningAlgorithm,
    state: KeyState,
    signer: Signer,
    public: DecodingKey,
    published: Jwk,
}

impl SigningKeys {
    /// Reads the keys; makes what is missing, and lets the next keys sign when the current ones are old.
    pub(crate) async fn load(store: &dyn Store, now: i64) -> Result<Self, ProviderError> {
        let mut records = store.signing_keys().await?;
        let mut changed = false;
        for algorithm in SigningAlgorithm::ALL {
            for state in [KeyState::Current, KeyState::Next] {
                if !records
                    .iter()
                    .any(|key| key.algorithm == algorithm && key.state == state)
                {
                    store
                        .add_signing_key(&generate(algorithm, state, now)?)
                        .await?;
                    changed = true;
                }
            }
        }
        if records.iter().any(|key| is_old(key, now)) {
            // Whoever comes second to this finds it done.
            rotate(store, now, BY_AGE, |key| is_old(key, now)).await?;
            changed = true;
        }
        if changed {
            records = store.signing_keys().await?;
        }
        Self::of(&records)
    }

    fn of(records: &[SigningKeyRecord]) -> Result<Self, ProviderError> {
        let keys = records
            .iter()
            .map(Key::from_record)
            .collect::<Result<_, _>>()?;
        Ok(Self { keys })
    }

    /// Whether these are the keys that are kept, in their states.
    fn are(&self, records: &[SigningKeyRecord]) -> bool {
        self.keys.len() == records.len()
            && records.iter().all(|record| {
                self.keys
                    .iter()
                    .any(|key| key.kid == record.kid && key.state == record.state)
            })
    }

    /// Newer keys than these, if another process rotated them or their time has come.
    pub(crate) async fn renewed(
        &self,
        store: &dyn Store,
        now: i64,
    ) -> Result<Option<Self>, ProviderError> {
        let records = store.signing_keys().await?;
        if self.are(&records) && !records.iter().any(|key| is_old(key, now)) {
            return Ok(None);
        }
        Self::load(store, now).await.map(Some)
    }

    /// The set behind `jwks_uri`.
    pub(crate) fn published(&self) -> JwkSet {
        JwkSet {
            keys: self.keys.iter().map(|key| key.published.clone()).collect(),
        }
    }

    /// Signs `claims`, a JSON object, with the current key.
    pub(crate) fn sign(
        &self,
        algorithm: SigningAlgorithm,
        claims: &[u8],
    ) -> Result<String, SigningError> {
        let current = |key: &&Key| key.algorithm == algorithm && key.state == KeyState::Current;
        let key = self.keys.iter().find(current).ok_or(SigningError)?;
        key.signer.sign(claims)
    }

    /// The claims of a token that this service signed for `issuer`, however long ago.
    pub(crate) fn verify_hint<Claims: DeserializeOwned + Clone>(
        &self,
        token: &str,
        issuer: &str,
    ) -> Option<Claims> {
        let kid = jsonwebtoken::decode_header(token).ok()?.kid?;
        let key = self.keys.iter().find(|key| key.kid == kid)?;
        // The algorithm is the key's, never the header's.
        let mut validation = Validation::new(jws(key.algorithm));
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.set_required_spec_claims(&["iss", "sub", "aud"]);
        validation.set_issuer(&[issuer]);
        jsonwebtoken::decode(token, &key.public, &validation)
            .ok()
            .map(|verified| verified.claims)
    }
}

impl Key {
    fn from_record(record: &SigningKeyRecord) -> Result<Self, ProviderError> {
        let damaged =
            |error: jsonwebtoken::errors::Error| ProviderError::SigningKeys(error.to_string());
        let private = encoding_key(record.algorithm, &record.pkcs8).map_err(damaged)?;
        let mut published =
            Jwk::from_encoding_key(&private, jws(record.algorithm)).map_err(damaged)?;
        published.common.key_id = Some(record.kid.clone());
        published.common.public_key_use = Some(PublicKeyUse::Signature);
        let public = DecodingKey::from_jwk(&published).map_err(damaged)?;
        Ok(Self {
            kid: record.kid.clone(),
            algorithm: record.algorithm,
            state: record.state,
            signer: Signer::new(record.algorithm, &record.kid, &record.pkcs8)
                .map_err(|error| ProviderError::SigningKeys(error.to_string()))?,
            public,
            published,
        })
    }
}

fn is_old(key: &SigningKeyRecord, now: i64) -> bool {
    key.state == KeyState::Current && now - key.changed_at > SIGNS_FOR_MS
}

/// Lets the next keys sign where `which` says so of the current one. False when somebody else did meanwhile.
pub(crate) async fn rotate(
    store: &dyn Store,
    now: i64,
    actor: &str,
    which: impl Fn(&SigningKeyRecord) -> bool,
) -> Result<bool, ProviderError> {
    let records = store.signing_keys().await?;
    let rotations = records
        .iter()
        .filter(|key| key.state == KeyState::Current && which(key))
        .map(|key| {
            Ok(KeyRotation {
                current: key.kid.clone(),
                next: generate(key.algorithm, KeyState::Next, now)?,
                retired_before: now - VERIFIES_FOR_MS,
            })
        })
        .collect::<Result<Vec<_>, ProviderError>>()?;
    if rotations.is_empty() {
        return Ok(false);
    }
    let mut entry = Entry::new(now, audit::Kind::KeysRotated).by(actor);
    for rotation in &rotations {
        entry = entry.with(rotation.next.algorithm.name(), &*rotation.current);
    }
    Ok(store.rotate_signing_keys(&rotations, now, &entry).await?)
}

/// The key material comes from the library's own random source.
fn generate(
    algorithm: SigningAlgorithm,
    state: KeyState,
    now: i64,
) -> Result<SigningKeyRecord, ProviderError> {
    let failed =
        |_| ProviderError::SigningKeys(format!("no {} key could be made", algorithm.name()));
    let pkcs8: Pkcs8V1Der<'_> = match algorithm {
        SigningAlgorithm::Rs256 => {
            RsaKeyPair::generate(KeySize::Rsa2048).and_then(|pair| pair.as_der())
        }
        SigningAlgorithm::EdDsa => Ed25519KeyPair::generate().and_then(|pair| pair.as_der()),
    }
    .map_err(failed)?;
    let pkcs8 = Zeroizing::new(pkcs8.as_ref().to_vec());
    let unusable =
        |error: jsonwebtoken::errors::Error| ProviderError::SigningKeys(error.to_string());
    let published = encoding_key(algorithm, &pkcs8)
        .and_then(|private| Jwk::from_encoding_key(&private, jws(algorithm)))
        .map_err(unusable)?;
    // RFC 7638: the id follows from the key, so two keys never share one.
    let kid = published
        .thumbprint(ThumbprintHash::SHA256)
        .map_err(unusable)?;
    Ok(SigningKeyRecord {
        kid,
        algorithm,
        pkcs8,
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

/// The library takes an RSA key in PKCS #8 only as PEM.
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

const fn jws(algorithm: SigningAlgorithm) -> Algorithm {
    match algorithm {
        SigningAlgorithm::Rs256 => Algorithm::RS256,
        SigningAlgorithm::EdDsa => Algorithm::EdDSA,
    }
}
