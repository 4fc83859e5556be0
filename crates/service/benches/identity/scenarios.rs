//! The scenarios: introspection, userinfo, and the three grants.

use std::cell::{Cell, RefCell};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::load::client::{Load, find};
use crate::load::random::Numbers;
use crate::seed::{self, Numbering};

/// Introspection of a random access token by an API client.
pub(crate) struct Introspection {
    numbering: Numbering,
    numbers: Numbers,
    authorization: String,
}

/// Userinfo with a random access token.
pub(crate) struct Userinfo {
    numbering: Numbering,
    numbers: Numbers,
}

/// Client credentials grant of a random machine user.
pub(crate) struct ClientCredentials {
    numbers: Numbers,
    scope: String,
}

/// Refresh: each connection uses the refresh token of its previous response.
pub(crate) struct Refresh(RefCell<Vec<String>>);

/// Code exchange: each code is used once.
pub(crate) struct CodeExchange {
    numbering: Numbering,
    client: &'static str,
    next: Cell<usize>,
}

impl Introspection {
    pub(crate) fn new(numbering: Numbering) -> Self {
        let credentials = format!("{}:{}", seed::API, seed::CLIENT_SECRET);
        Self {
            numbering,
            numbers: Numbers::new(),
            authorization: format!("authorization: Basic {}\r\n", STANDARD.encode(credentials)),
        }
    }
}

impl Userinfo {
    pub(crate) fn new(numbering: Numbering) -> Self {
        Self {
            numbering,
            numbers: Numbers::new(),
        }
    }
}

impl ClientCredentials {
    pub(crate) fn new() -> Self {
        Self {
            numbers: Numbers::new(),
            scope: encoded(&seed::scope()),
        }
    }
}

impl Refresh {
    pub(crate) fn new(numbering: Numbering, connections: usize) -> Self {
        let tokens = (0..connections).map(|number| numbering.secret("refresh", number));
        Self(RefCell::new(tokens.collect()))
    }
}

impl CodeExchange {
    pub(crate) fn new(numbering: Numbering, client: &'static str) -> Self {
        Self {
            numbering,
            client,
            next: Cell::new(0),
        }
    }
}

impl Load for Introspection {
    fn request(&self, _connection: usize, into: &mut Vec<u8>) -> bool {
        let token = self
            .numbering
            .secret("access", self.numbers.below(seed::TOKENS));
        post(
            into,
            "/oauth/v2/introspect",
            &self.authorization,
            &format!("token={token}&token_type_hint=access_token"),
        );
        true
    }

    fn is_expected(&self, _connection: usize, body: &[u8]) -> bool {
        find(body, b"\"active\":true").is_some()
    }
}

impl Load for Userinfo {
    fn request(&self, _connection: usize, into: &mut Vec<u8>) -> bool {
        let token = self
            .numbering
            .secret("access", self.numbers.below(seed::TOKENS));
        into.extend_from_slice(
            format!("GET /oidc/v1/userinfo HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n")
                .as_bytes(),
        );
        true
    }

    fn is_expected(&self, _connection: usize, body: &[u8]) -> bool {
        find(body, b"\"sub\":").is_some()
    }
}

impl Load for ClientCredentials {
    fn request(&self, _connection: usize, into: &mut Vec<u8>) -> bool {
        let client = seed::machine(self.numbers.below(seed::MACHINES));
        let body = format!(
            "grant_type=client_credentials&client_id={client}&client_secret={}&scope={}",
            seed::CLIENT_SECRET,
            self.scope
        );
        post(into, "/oauth/v2/token", "", &body);
        true
    }

    fn is_expected(&self, _connection: usize, body: &[u8]) -> bool {
        find(body, b"\"access_token\":").is_some()
    }
}

impl Load for Refresh {
    fn request(&self, connection: usize, into: &mut Vec<u8>) -> bool {
        let body = format!(
            "grant_type=refresh_token&client_id={}&client_secret={}&refresh_token={}",
            seed::WEB,
            seed::CLIENT_SECRET,
            self.0.borrow()[connection]
        );
        post(into, "/oauth/v2/token", "", &body);
        true
    }

    fn is_expected(&self, connection: usize, body: &[u8]) -> bool {
        let marker = b"\"refresh_token\":\"";
        let Some(token) = find(body, marker).map(|at| &body[at + marker.len()..]) else {
            return false;
        };
        let Some(end) = token.iter().position(|byte| *byte == b'"') else {
            return false;
        };
        self.0.borrow_mut()[connection] = String::from_utf8_lossy(&token[..end]).into_owned();
        true
    }
}

impl Load for CodeExchange {
    fn request(&self, _connection: usize, into: &mut Vec<u8>) -> bool {
        let number = self.next.get();
        if number == seed::CODES {
            return false;
        }
        self.next.set(number + 1);
        let body = format!(
            "grant_type=authorization_code&client_id={}&client_secret={}&code={}&redirect_uri={}&code_verifier={}",
            self.client,
            seed::CLIENT_SECRET,
            self.numbering.secret(self.client, number),
            encoded(seed::CALLBACK),
            seed::VERIFIER
        );
        post(into, "/oauth/v2/token", "", &body);
        true
    }

    fn is_expected(&self, _connection: usize, body: &[u8]) -> bool {
        find(body, b"\"id_token\":").is_some() && find(body, b"\"refresh_token\":").is_some()
    }
}

fn post(into: &mut Vec<u8>, path: &str, headers: &str, body: &str) {
    into.extend_from_slice(
        format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\n{headers}content-type: application/x-www-form-urlencoded\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )
        .as_bytes(),
    );
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
