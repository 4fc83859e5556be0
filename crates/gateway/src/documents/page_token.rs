//! Page tokens (AIP-158): the position of the next page, signed so that it is valid for its own list only.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use invoicing_storage::documents::{ListPosition, SortValue};
use invoicing_storage::{Rng, StorageError, Store};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The name of the setting that stores the key.
const KEY_SETTING: &str = "page-token-key";
/// Length of an HMAC-SHA-256 tag.
const TAG_BYTES: usize = 32;

/// Signs and verifies page tokens. The key is stored in the database, so that tokens are valid after a restart.
pub struct PageTokens(hmac::Key);

impl PageTokens {
    /// Reads the key from the database, or stores a new one at the first start.
    ///
    /// # Errors
    /// Storage failed, or the stored key is not base64url.
    pub async fn open(store: &dyn Store, rng: &dyn Rng) -> Result<Self, StorageError> {
        let mut new_key = [0; 32];
        rng.fill(&mut new_key);
        let key = store
            .setting_or(KEY_SETTING, &URL_SAFE_NO_PAD.encode(new_key))
            .await?;
        let key = URL_SAFE_NO_PAD
            .decode(key)
            .map_err(|error| StorageError::corrupt(format!("setting {KEY_SETTING}: {error}")))?;
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &key)))
    }

    /// A token for the list with the identity `list`.
    pub(super) fn sign(&self, (positions, key): &ListPosition, list: &[u8]) -> String {
        let payload = Payload {
            positions: positions.iter().map(Value::from).collect(),
            key: *key,
        };
        let mut token =
            serde_json::to_vec(&payload).expect("text, integers and a key have a JSON form");
        let tag = hmac::sign(&self.0, &signed_bytes(&token, list));
        token.extend_from_slice(tag.as_ref());
        URL_SAFE_NO_PAD.encode(token)
    }

    /// The position in a token. `None` if it was changed, or belongs to another list.
    pub(super) fn verify(&self, token: &str, list: &[u8]) -> Option<ListPosition> {
        let token = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (encoded, tag) = token.split_at_checked(token.len().checked_sub(TAG_BYTES)?)?;
        hmac::verify(&self.0, &signed_bytes(encoded, list), tag).ok()?;
        let payload: Payload = serde_json::from_slice(encoded).ok()?;
        Some((
            payload.positions.into_iter().map(SortValue::from).collect(),
            payload.key,
        ))
    }
}

/// The length separates payload and list, so that no other pair has the same bytes.
fn signed_bytes(payload: &[u8], list: &[u8]) -> Vec<u8> {
    let mut all = (payload.len() as u64).to_be_bytes().to_vec();
    all.extend_from_slice(payload);
    all.extend_from_slice(list);
    all
}

#[derive(Serialize, Deserialize)]
struct Payload {
    positions: Vec<Value>,
    key: Uuid,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Integer(i64),
}

impl From<&SortValue> for Value {
    fn from(position: &SortValue) -> Self {
        match position {
            SortValue::Text(text) => Self::Text(text.clone()),
            SortValue::Integer(integer) => Self::Integer(*integer),
        }
    }
}

impl From<Value> for SortValue {
    fn from(value: Value) -> Self {
        match value {
            Value::Text(text) => Self::Text(text),
            Value::Integer(integer) => Self::Integer(integer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_valid_for_its_own_list_only() {
        let tokens = PageTokens(hmac::Key::new(hmac::HMAC_SHA256, &[7; 32]));
        let after = (
            vec![SortValue::Text("2026-11-21".into()), SortValue::Integer(-3)],
            Uuid::from_u128(9),
        );
        let token = tokens.sign(&after, b"list");
        assert_eq!(tokens.verify(&token, b"list"), Some(after));
        assert_eq!(tokens.verify(&token, b"another"), None);
        for at in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            assert_eq!(tokens.verify(&changed, b"list"), None, "changed at {at}");
        }
        for text in ["", "A", "not base64!", &"A".repeat(100)] {
            assert_eq!(tokens.verify(text, b"list"), None, "{text:?}");
        }
    }
}
