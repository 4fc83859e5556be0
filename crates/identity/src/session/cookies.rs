//! The session cookie, the CSRF cookie and the device cookie.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};

use crate::lifetimes::{DEVICE_LIFETIME, SESSION_LIFETIME};
use invoicing_storage::secret::Secret;

/// Maximum number of accounts that are signed in with one browser.
pub(crate) const MAX_ACCOUNTS: usize = 5;

/// A cookie of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// A session secret for each signed-in account, the most recent first, separated by dots.
    Session,
    /// The secret that binds CSRF tokens to the browser.
    Csrf,
    /// For each of the accounts that signed in with this browser last, a proof of it, separated by dots.
    Device,
}

impl Cookie {
    /// The name. Over HTTPS the prefix `__Host-` makes the browser reject cookies of other hosts or without encryption.
    const fn name(self, is_https: bool) -> &'static str {
        match (self, is_https) {
            (Self::Session, true) => "__Host-invoicing-session",
            (Self::Session, false) => "invoicing-session",
            (Self::Csrf, true) => "__Host-invoicing-page",
            (Self::Csrf, false) => "invoicing-page",
            (Self::Device, true) => "__Host-invoicing-device",
            (Self::Device, false) => "invoicing-device",
        }
    }

    /// Its value, if the browser sent one of the right form.
    pub(crate) fn read(self, headers: &HeaderMap, is_https: bool) -> Option<String> {
        let name = self.name(is_https);
        let lines = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let value = lines.flat_map(|line| line.split(';')).find_map(|pair| {
            let (key, value) = pair.trim().split_once('=')?;
            (key == name).then_some(value)
        })?;
        let max_parts = match self {
            Self::Session | Self::Device => MAX_ACCOUNTS,
            Self::Csrf => 1,
        };
        let parts: Vec<_> = value.split('.').collect();
        let well_formed = parts.len() <= max_parts && parts.iter().all(|part| is_secret(part));
        well_formed.then(|| value.to_owned())
    }

    /// A Set-Cookie header with one secret. SameSite is Lax, since applications open the pages by cross-site navigation.
    pub(crate) fn set(self, value: &Secret, is_https: bool) -> HeaderValue {
        self.header(value.expose(), self.max_age(), is_https)
    }

    const fn max_age(self) -> Duration {
        match self {
            Self::Session | Self::Csrf => SESSION_LIFETIME,
            Self::Device => DEVICE_LIFETIME,
        }
    }

    /// A Set-Cookie header with several secrets; removes the cookie if there are none.
    pub(crate) fn set_all(self, values: &[String], is_https: bool) -> HeaderValue {
        if values.is_empty() {
            return self.clear(is_https);
        }
        self.header(&values.join("."), self.max_age(), is_https)
    }

    /// A Set-Cookie header that removes the cookie.
    pub(crate) fn clear(self, is_https: bool) -> HeaderValue {
        self.header("", Duration::ZERO, is_https)
    }

    fn header(self, value: &str, max_age: Duration, is_https: bool) -> HeaderValue {
        let name = self.name(is_https);
        let secure = if is_https { "; Secure" } else { "" };
        let seconds = max_age.as_secs();
        let cookie =
            format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        let mut header =
            HeaderValue::from_str(&cookie).expect("names, base64url and numbers are ASCII");
        header.set_sensitive(true);
        header
    }
}

/// Whether `text` has the form of a [`Secret`]: 32 bytes in base64url.
fn is_secret(text: &str) -> bool {
    text.len() == 43
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
