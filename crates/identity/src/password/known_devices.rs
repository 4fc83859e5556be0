//! Browsers in which an account has signed in before: a cookie that only this service can make (decision 0093).

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use invoicing_storage::Rng;
use subtle::ConstantTimeEq as _;

/// Bytes of the random id of a device.
const ID_LENGTH: usize = 8;
/// Bytes of the whole value: those of a secret, so that the cookies of the provider have one form.
const LENGTH: usize = 32;

/// A browser in which an account has signed in before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct KnownDevice([u8; ID_LENGTH]);

impl KnownDevice {
    /// What tells it from the other devices of its account.
    pub(super) const fn id(&self) -> &[u8] {
        &self.0
    }
}

/// Makes and recognizes the values of the device cookie: a random id, and an HMAC of the id and the account, of 192 bits.
pub(crate) struct KnownDevices {
    key: hmac::Key,
}

impl KnownDevices {
    /// With a key that is stored in the database, so that devices stay known after a restart.
    pub(crate) fn new(key: &str) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()),
        }
    }

    /// The device of `username`, if `cookie` has a value for it.
    pub(crate) fn find(&self, username: &str, cookie: &str) -> Option<KnownDevice> {
        cookie
            .split('.')
            .find_map(|value| self.recognize(username, value))
    }

    /// The values of the cookie after `username` has signed in: its own first, then those of other accounts in `cookie`, at
    /// most `limit` in all.
    pub(crate) fn remember(
        &self,
        username: &str,
        cookie: &str,
        limit: usize,
        rng: &dyn Rng,
    ) -> Vec<String> {
        let device = self.find(username, cookie).unwrap_or_else(|| {
            let mut id = [0; ID_LENGTH];
            rng.fill(&mut id);
            KnownDevice(id)
        });
        let others = cookie
            .split('.')
            .filter(|value| !value.is_empty() && self.recognize(username, value).is_none());
        let mut values = vec![self.value(username, device)];
        values.extend(others.map(str::to_owned));
        values.truncate(limit);
        values
    }

    fn recognize(&self, username: &str, value: &str) -> Option<KnownDevice> {
        let decoded = URL_SAFE_NO_PAD.decode(value).ok()?;
        let id = decoded.first_chunk::<ID_LENGTH>()?;
        let device = KnownDevice(*id);
        let expected = self.bytes(username, device);
        let is_equal: bool = expected.as_slice().ct_eq(decoded.as_slice()).into();
        is_equal.then_some(device)
    }

    fn value(&self, username: &str, device: KnownDevice) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes(username, device))
    }

    fn bytes(&self, username: &str, device: KnownDevice) -> Vec<u8> {
        let mut bytes = device.0.to_vec();
        let message = [&device.0[..], username.to_lowercase().as_bytes()].concat();
        bytes.extend_from_slice(hmac::sign(&self.key, &message).as_ref());
        bytes.truncate(LENGTH);
        bytes
    }
}

#[cfg(test)]
impl KnownDevice {
    /// A device of a test.
    pub(super) fn of_test(id: u8) -> Self {
        Self([id; ID_LENGTH])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use invoicing_storage::SystemRng;

    #[test]
    fn device_is_known_to_the_accounts_that_signed_in_there() {
        let devices = KnownDevices::new("key");
        let cookie = devices
            .remember("Noura@a.example", "", 5, &SystemRng)
            .join(".");
        let noura = devices.find("noura@a.example", &cookie).unwrap();
        assert_eq!(devices.find("salem@a.example", &cookie), None);
        assert_eq!(
            KnownDevices::new("other").find("noura@a.example", &cookie),
            None
        );

        let both = devices
            .remember("salem@a.example", &cookie, 5, &SystemRng)
            .join(".");
        assert_eq!(devices.find("noura@a.example", &both), Some(noura));
        assert!(devices.find("salem@a.example", &both).is_some());
        let again = devices.remember("noura@a.example", &both, 5, &SystemRng);
        assert_eq!(again.len(), 2, "each account once");
        assert_eq!(
            devices.find("noura@a.example", &again[0]),
            Some(noura),
            "the same device"
        );
    }

    #[test]
    fn cookie_holds_the_latest_accounts_and_values_of_one_form() {
        let devices = KnownDevices::new("key");
        let mut cookie = String::new();
        for number in 0..8 {
            let values = devices.remember(&format!("person-{number}"), &cookie, 5, &SystemRng);
            assert!(values.iter().all(|value| value.len() == 43), "{values:?}");
            cookie = values.join(".");
        }
        let known =
            (0..8).filter(|number| devices.find(&format!("person-{number}"), &cookie).is_some());
        assert_eq!(known.collect::<Vec<_>>(), [3, 4, 5, 6, 7]);
    }

    #[test]
    fn changed_value_is_not_recognized() {
        let devices = KnownDevices::new("key");
        let cookie = devices.remember("noura", "", 5, &SystemRng).remove(0);
        for position in 0..cookie.len() {
            let mut changed = cookie.clone().into_bytes();
            changed[position] = if changed[position] == b'A' {
                b'B'
            } else {
                b'A'
            };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(devices.find("noura", &changed), None, "{position}");
        }
        assert_eq!(devices.find("noura", ""), None);
    }
}
