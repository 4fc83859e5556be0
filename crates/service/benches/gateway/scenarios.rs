//! The scenarios: Get, List of 50, Create.

use std::cell::Cell;

use crate::load::client::{Load, find};
use crate::load::random::Numbers;

/// Get of a random document.
pub(crate) struct Get {
    numbers: Numbers,
    keys: Vec<String>,
    token: String,
}

/// The first page of 50 simple invoices.
pub(crate) struct List {
    token: String,
}

/// The same page with a request that was never sent before: its answer is read from the store (decision 0157).
pub(crate) struct ListAnew {
    token: String,
    sent: Cell<u32>,
}

/// Creation of a document with three lines.
pub(crate) struct Create {
    token: String,
    body: String,
}

impl Get {
    pub(crate) const fn new(keys: Vec<String>, token: String) -> Self {
        Self {
            numbers: Numbers::new(),
            keys,
            token,
        }
    }
}

impl List {
    pub(crate) const fn new(token: String) -> Self {
        Self { token }
    }
}

impl ListAnew {
    pub(crate) const fn new(token: String) -> Self {
        Self {
            token,
            sent: Cell::new(0),
        }
    }
}

impl Create {
    pub(crate) fn new(token: String) -> Self {
        let lines: Vec<_> = (1..=3)
            .map(|number| {
                serde_json::json!({
                    "description": {"en": format!("Item {number}"), "ar": format!("صنف {number}")},
                    "quantity": number.to_string(),
                    "unitPrice": "100.00",
                    "tax": {"category": "S", "rate": "15"},
                })
            })
            .collect();
        let invoice = serde_json::json!({
            "buyer": {"name": {"ar": "شركة النخيل", "en": "Palm Company"}},
            "lines": lines,
        });
        let body = serde_json::json!({"changes": {"content": {"invoice": invoice}}});
        Self {
            token,
            body: body.to_string(),
        }
    }
}

impl Load for Get {
    fn request(&self, _connection: usize, into: &mut Vec<u8>) -> bool {
        let key = &self.keys[self.numbers.below(self.keys.len())];
        into.extend_from_slice(
            format!(
                "GET /api/v2/documents/{key} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\r\n",
                self.token
            )
            .as_bytes(),
        );
        true
    }

    fn is_expected(&self, _connection: usize, body: &[u8]) -> bool {
        find(body, b"\"documentKey\":").is_some()
    }
}

impl Load for List {
    fn request(&self, _connection: usize, into: &mut Vec<u8>) -> bool {
        post(
            into,
            "/api/v1/simple/invoices/list",
            &self.token,
            "{\"pageSize\":50}",
        );
        true
    }

    fn is_expected(&self, _connection: usize, body: &[u8]) -> bool {
        find(body, b"\"nextPageToken\":").is_some()
    }
}

impl Load for ListAnew {
    fn request(&self, _connection: usize, into: &mut Vec<u8>) -> bool {
        let number = self.sent.get();
        self.sent.set(number + 1);
        let body = format!("{{\"pageSize\":50{}}}", white_space(number));
        post(into, "/api/v1/simple/invoices/list", &self.token, &body);
        true
    }

    fn is_expected(&self, _connection: usize, body: &[u8]) -> bool {
        find(body, b"\"nextPageToken\":").is_some()
    }
}

/// A number in characters that JSON ignores.
pub(crate) fn white_space(number: u32) -> String {
    let digits = (0..16).map(|digit| number >> (2 * digit) & 3);
    digits
        .map(|digit| match digit {
            0 => ' ',
            1 => '\n',
            2 => '\t',
            _ => '\r',
        })
        .collect()
}

impl Load for Create {
    fn request(&self, _connection: usize, into: &mut Vec<u8>) -> bool {
        post(into, "/api/v2/documents", &self.token, &self.body);
        true
    }

    /// The bare insert answers without a body.
    fn is_expected(&self, _connection: usize, body: &[u8]) -> bool {
        body.is_empty() || find(body, b"\"concurrencyStamp\":").is_some()
    }
}

fn post(into: &mut Vec<u8>, path: &str, token: &str, body: &str) {
    into.extend_from_slice(
        format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )
        .as_bytes(),
    );
}
