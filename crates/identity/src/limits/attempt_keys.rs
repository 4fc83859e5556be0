//! The keys by which all processes count failed attempts: keyed hashes, so that their table does not tell what people typed, and nobody
//! outside can choose two that are equal (decision 0192).

use aws_lc_rs::hmac;
use invoicing_storage::failed_attempts::AttemptKey;

/// What the key of the hashes is derived by. A username has no U+0000, so that no cookie of a device has the same MAC
/// ([`KnownDevices`](crate::password::KnownDevices)).
const LABEL: &[u8] = b"failed attempts\0";

/// Makes keys.
#[derive(Clone)]
pub(crate) struct AttemptKeys {
    key: hmac::Key,
}

impl AttemptKeys {
    /// With a key that is stored in the database, so that they are the same in all processes and after a restart.
    pub(crate) fn new(stored: &str) -> Self {
        let stored = hmac::Key::new(hmac::HMAC_SHA256, stored.as_bytes());
        let derived = hmac::sign(&stored, LABEL);
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, derived.as_ref()),
        }
    }

    /// The key of what is counted as `kind`, of which `parts` tell one from another.
    pub(crate) fn key(&self, kind: &str, parts: &[&[u8]]) -> AttemptKey {
        let mut message = Vec::new();
        for part in [kind.as_bytes()].iter().chain(parts) {
            let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
            message.extend(length.to_be_bytes());
            message.extend_from_slice(part);
        }
        let mut key = [0; 16];
        let mac = hmac::sign(&self.key, &message);
        key.copy_from_slice(&mac.as_ref()[..16]);
        AttemptKey(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_every_process_and_differ_by_kind_and_parts() {
        let keys = AttemptKeys::new("key");
        let [a, b, ab]: [&[u8]; 3] = [b"a", b"b", b"ab"];
        let different = [
            keys.key("account", &[a, b]),
            keys.key("account", &[ab]),
            keys.key("account", &[b, a]),
            keys.key("device", &[a, b]),
            AttemptKeys::new("other").key("account", &[a, b]),
        ];
        for (at, key) in different.iter().enumerate() {
            assert!(!different[..at].contains(key), "{at}");
        }
        let other_process = AttemptKeys::new("key").key("account", &[a, b]);
        assert_eq!(other_process, different[0]);
    }
}
