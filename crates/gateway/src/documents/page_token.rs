//! Page tokens: where the next page begins, sealed so that only the same list takes it back.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use invoicing_storage::documents::SortValue;
use invoicing_storage::world::World;
use invoicing_storage::{StorageError, Store};

const SETTING: &str = "page-token-key";
const TAG: usize = 32;

/// The values of the last row, and its key.
pub(super) type After = (Vec<SortValue>, Uuid);

/// Makes and reads page tokens. Its key is kept in the database, so that a token outlives a restart.
pub struct PageTokens(hmac::Key);

impl PageTokens {
    /// With the key of this database, made at the first start.
    ///
    /// # Errors
    /// When storage cannot answer.
    pub async fn open(store: &dyn Store, world: &World) -> Result<Self, StorageError> {
        let mut fresh = [0; 32];
        world.randomness.fill(&mut fresh);
        let key = store
            .setting_or(SETTING, &URL_SAFE_NO_PAD.encode(fresh))
            .await?;
        let key = URL_SAFE_NO_PAD
            .decode(key)
            .map_err(|_| StorageError::corrupt(SETTING.to_owned()))?;
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &key)))
    }

    /// A token for the list that `list` describes: its organization, filter and sort.
    pub(super) fn seal(&self, (positions, key): &After, list: &[u8]) -> String {
        let place = Place {
            positions: positions.iter().map(Value::from).collect(),
            key: *key,
        };
        let mut token =
            serde_json::to_vec(&place).expect("texts, integers and a key are always JSON");
        let tag = hmac::sign(&self.0, &sealed(&token, list));
        token.extend_from_slice(tag.as_ref());
        URL_SAFE_NO_PAD.encode(token)
    }

    /// Where a token of this very list points to. `None` if it was changed, or is another list's.
    pub(super) fn open_token(&self, token: &str, list: &[u8]) -> Option<After> {
        let token = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (place, tag) = token.split_at_checked(token.len().checked_sub(TAG)?)?;
        hmac::verify(&self.0, &sealed(place, list), tag).ok()?;
        let place: Place = serde_json::from_slice(place).ok()?;
        Some((
            place.positions.into_iter().map(SortValue::from).collect(),
            place.key,
        ))
    }
}

fn sealed(place: &[u8], list: &[u8]) -> Vec<u8> {
    let mut all = (place.len() as u64).to_be_bytes().to_vec();
    all.extend_from_slice(place);
    all.extend_from_slice(list);
    all
}

#[derive(Serialize, Deserialize)]
struct Place {
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
    fn a_token_opens_for_its_own_list_only() {
        let tokens = PageTokens(hmac::Key::new(hmac::HMAC_SHA256, &[7; 32]));
        let after = (
            vec![SortValue::Text("2026-11-21".into()), SortValue::Integer(-3)],
            Uuid::from_u128(9),
        );
        let token = tokens.seal(&after, b"list");
        assert_eq!(tokens.open_token(&token, b"list"), Some(after));
        assert_eq!(tokens.open_token(&token, b"another"), None);
        for at in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            assert_eq!(
                tokens.open_token(&changed, b"list"),
                None,
                "changed at {at}"
            );
        }
        for strange in ["", "A", "not base64!", &"A".repeat(100)] {
            assert_eq!(tokens.open_token(strange, b"list"), None, "{strange:?}");
        }
    }
}
