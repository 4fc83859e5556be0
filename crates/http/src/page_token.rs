//! Page tokens (AIP-158): the position of the next page, signed so that it is valid for its own list only.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use invoicing_contract::FieldViolation;
use invoicing_storage::kept_secrets::{EncryptionAtRest, KeptSecretError, SecretSetting};
use invoicing_storage::{DirectoryStore, Rng, StorageError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

/// Length of an HMAC-SHA-256 tag.
const TAG_BYTES: usize = 32;
/// Rows of a page if the request does not say (decision 0017).
const DEFAULT_PAGE_SIZE: u32 = 50;
/// The most rows of a page (decision 0017).
const MAX_PAGE_SIZE: u32 = 500;

/// Signs and verifies page tokens. The key is stored in the database, so that tokens are valid after a restart.
#[derive(Clone)]
pub struct PageTokens(hmac::Key);

/// The page that a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest<Position> {
    /// The position of the last row of the page before; `None` for the first page.
    pub after: Option<Position>,
    /// Rows of the page, 1 to 500.
    pub size: u32,
}

impl PageTokens {
    /// Reads the key from the database, or stores a new one at the first start.
    ///
    /// # Errors
    /// Storage failed, or the stored key is not base64url or cannot be decrypted.
    pub async fn open(
        store: &(impl DirectoryStore + ?Sized),
        encryption: &EncryptionAtRest,
        rng: &dyn Rng,
    ) -> Result<Self, KeptSecretError> {
        let setting = SecretSetting::PageTokenKey;
        let mut new_key = Zeroizing::new([0; 32]);
        rng.fill(&mut *new_key);
        let new_key = Zeroizing::new(URL_SAFE_NO_PAD.encode(*new_key));
        let key = encryption.setting_or(store, rng, setting, &new_key).await?;
        let key = URL_SAFE_NO_PAD.decode(&*key).map_err(|error| {
            StorageError::corrupt(format!("setting {}: {error}", setting.name()))
        })?;
        Ok(Self::with_key(&Zeroizing::new(key)))
    }

    /// Tokens under a key, which the caller keeps.
    #[must_use]
    pub fn with_key(key: &[u8]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    /// A token for the position after which the next page of `list` begins. `list` identifies organization, filter and order.
    ///
    /// # Panics
    /// If `position` has no JSON form, which a position of text and numbers always has.
    pub fn sign(&self, position: &impl Serialize, list: &[u8]) -> String {
        let mut token =
            serde_json::to_vec(position).expect("text, integers and a key have a JSON form");
        let tag = hmac::sign(&self.0, &signed_bytes(&token, list));
        token.extend_from_slice(tag.as_ref());
        URL_SAFE_NO_PAD.encode(token)
    }

    /// The position in a token. `None` if it was changed, or belongs to another list.
    #[must_use]
    pub fn verify<Position: DeserializeOwned>(&self, token: &str, list: &[u8]) -> Option<Position> {
        let token = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (encoded, tag) = token.split_at_checked(token.len().checked_sub(TAG_BYTES)?)?;
        hmac::verify(&self.0, &signed_bytes(encoded, list), tag).ok()?;
        serde_json::from_slice(encoded).ok()
    }

    /// The page of a request with the fields `page_size` and `page_token`.
    ///
    /// # Errors
    /// The violations of `pageSize` and `pageToken`.
    pub fn read_request<Position: DeserializeOwned>(
        &self,
        page_size: i32,
        page_token: &str,
        list: &[u8],
    ) -> Result<PageRequest<Position>, Vec<FieldViolation>> {
        let mut violations = Vec::new();
        let size = read_page_size(page_size).unwrap_or_else(|violation| {
            violations.push(violation);
            DEFAULT_PAGE_SIZE
        });
        let after = if page_token.is_empty() {
            None
        } else {
            let after = self.verify(page_token, list);
            if after.is_none() {
                violations.push(FieldViolation::new(
                    "pageToken",
                    "is not a token of this list with this filter and sort",
                ));
            }
            after
        };
        if violations.is_empty() {
            Ok(PageRequest { after, size })
        } else {
            Err(violations)
        }
    }
}

/// The rows of a page (decision 0017).
///
/// # Errors
/// The violation of `pageSize`.
pub fn read_page_size(page_size: i32) -> Result<u32, FieldViolation> {
    match u32::try_from(page_size) {
        Ok(0) => Ok(DEFAULT_PAGE_SIZE),
        Ok(size) if size <= MAX_PAGE_SIZE => Ok(size),
        _ => Err(FieldViolation::new(
            "pageSize",
            format!("must lie between 1 and {MAX_PAGE_SIZE}"),
        )),
    }
}

/// Cuts rows to a page of `size`, and returns its last row if there are more: the next page begins after it. A store is asked for one
/// row more than a page has.
pub fn truncate_page<Row>(rows: &mut Vec<Row>, size: u32) -> Option<&Row> {
    let size = size as usize;
    if rows.len() <= size {
        return None;
    }
    rows.truncate(size);
    rows.last()
}

/// The length separates payload and list, so that no other pair has the same bytes.
fn signed_bytes(payload: &[u8], list: &[u8]) -> Vec<u8> {
    let mut all = (payload.len() as u64).to_be_bytes().to_vec();
    all.extend_from_slice(payload);
    all.extend_from_slice(list);
    all
}

impl std::fmt::Debug for PageTokens {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PageTokens").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Position = (Vec<i64>, String);

    #[test]
    fn token_is_valid_for_its_own_list_only() {
        let tokens = PageTokens(hmac::Key::new(hmac::HMAC_SHA256, &[7; 32]));
        let after: Position = (vec![-3], "2026-11-21".to_owned());
        let token = tokens.sign(&after, b"list");
        assert_eq!(tokens.verify(&token, b"list"), Some(after));
        assert_eq!(tokens.verify::<Position>(&token, b"another"), None);
        for at in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            assert_eq!(
                tokens.verify::<Position>(&changed, b"list"),
                None,
                "changed at {at}"
            );
        }
        for text in ["", "A", "not base64!", &"A".repeat(100)] {
            assert_eq!(tokens.verify::<Position>(text, b"list"), None, "{text:?}");
        }
    }

    #[test]
    fn page_request_reports_size_and_token_at_once() {
        let tokens = PageTokens(hmac::Key::new(hmac::HMAC_SHA256, &[7; 32]));
        let first = tokens.read_request::<Position>(0, "", b"list");
        assert_eq!(
            first,
            Ok(PageRequest {
                after: None,
                size: 50
            })
        );
        let violations = tokens
            .read_request::<Position>(501, "changed", b"list")
            .expect_err("both are wrong");
        let fields: Vec<_> = violations.iter().map(|each| &*each.field).collect();
        assert_eq!(fields, ["pageSize", "pageToken"]);
    }

    #[test]
    fn page_is_followed_by_another_only_if_a_row_was_cut_off() {
        for (found, next) in [(0, None), (2, None), (3, Some(2))] {
            let mut rows: Vec<_> = (1..=found).collect();
            assert_eq!(truncate_page(&mut rows, 2).copied(), next, "{found}");
            assert!(rows.len() <= 2, "{rows:?}");
        }
    }
}
