//! The two cookies: the browser's session, and the one that ties a page to the browser.

use http::{HeaderMap, HeaderValue, header};

use invoicing_storage::secret::Secret;

/// How long a person stays signed in with a browser: a working day.
pub(super) const SESSION_SECONDS: i64 = 12 * 60 * 60;

/// Accounts that can be signed in with one browser.
pub(super) const ACCOUNTS: usize = 5;

/// A cookie by what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cookie {
    /// Who is signed in: a secret for each account, the latest first, with dots between them.
    Session,
    /// Which browser a page was given to.
    Page,
}

impl Cookie {
    /// With encryption the browser itself guards the name: this host only, never without encryption.
    const fn name(self, encrypted: bool) -> &'static str {
        match (self, encrypted) {
            (Self::Session, true) => "__Host-invoicing-session",
            (Self::Session, false) => "invoicing-session",
            (Self::Page, true) => "__Host-invoicing-page",
            (Self::Page, false) => "invoicing-page",
        }
    }

    /// Its value, if the browser sent one that can be one of ours.
    pub(super) fn read(self, headers: &HeaderMap, encrypted: bool) -> Option<String> {
        let name = self.name(encrypted);
        let all = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let value = all.flat_map(|line| line.split(';')).find_map(|pair| {
            let (key, value) = pair.trim().split_once('=')?;
            (key == name).then_some(value)
        })?;
        let most = match self {
            Self::Session => ACCOUNTS,
            Self::Page => 1,
        };
        let parts: Vec<_> = value.split('.').collect();
        let ours = parts.len() <= most && parts.iter().all(|part| is_secret(part));
        ours.then(|| value.to_owned())
    }

    /// The header that sets it. Lax, because the application opens the page from outside.
    pub(super) fn set(self, value: &Secret, encrypted: bool) -> HeaderValue {
        self.header(value.expose(), SESSION_SECONDS, encrypted)
    }

    /// The header that sets it to several secrets, or removes it if there are none.
    pub(super) fn set_all(self, values: &[String], encrypted: bool) -> HeaderValue {
        if values.is_empty() {
            return self.clear(encrypted);
        }
        self.header(&values.join("."), SESSION_SECONDS, encrypted)
    }

    /// The header that removes it.
    pub(super) fn clear(self, encrypted: bool) -> HeaderValue {
        self.header("", 0, encrypted)
    }

    fn header(self, value: &str, seconds: i64, encrypted: bool) -> HeaderValue {
        let name = self.name(encrypted);
        let secure = if encrypted { "; Secure" } else { "" };
        let cookie =
            format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        let mut header =
            HeaderValue::from_str(&cookie).expect("names, base64url and numbers are ASCII");
        header.set_sensitive(true);
        header
    }
}

/// Whether it has the form of the secrets that this service makes.
fn is_secret(text: &str) -> bool {
    text.len() == 43
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
