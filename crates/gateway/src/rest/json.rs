//! A JSON parser (RFC 8259) that keeps duplicate members, and numbers as text, and bounds the depth and the number of values.

use std::str::Utf8Error;

use invoicing_contract::request_values::MAX_REQUEST_VALUES;
use thiserror::Error;

/// Most levels of nesting. The deepest message has fewer than ten.
const MAX_DEPTH: usize = 64;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// The text of the number, which can have any size.
    Number(String),
    String(String),
    /// A string with an unpaired surrogate, which is not Unicode text.
    UnpairedSurrogate,
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Why a body is not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum JsonError {
    #[error("the body is not JSON: {expected} expected at byte {at}")]
    Syntax { expected: &'static str, at: usize },
    #[error("the body is nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
    #[error("the body has more than {MAX_REQUEST_VALUES} values")]
    TooManyValues,
    #[error("the body is not UTF-8")]
    NotUtf8(#[source] Utf8Error),
}

/// The value of a body. Only white space may follow it.
///
/// # Errors
/// [`JsonError`]
pub(super) fn parse(body: &[u8]) -> Result<Json, JsonError> {
    let text = std::str::from_utf8(body).map_err(JsonError::NotUtf8)?;
    let mut parser = Parser {
        text: text.as_bytes(),
        position: 0,
        values: 0,
    };
    let value = parser.parse_value(0)?;
    parser.skip_space();
    if parser.position < text.len() {
        Err(parser.expected("the end"))
    } else {
        Ok(value)
    }
}

struct Parser<'body> {
    text: &'body [u8],
    position: usize,
    /// How many have begun, at any depth.
    values: usize,
}

impl Parser<'_> {
    fn parse_value(&mut self, depth: usize) -> Result<Json, JsonError> {
        if depth > MAX_DEPTH {
            return Err(JsonError::TooDeep);
        }
        self.values += 1;
        if self.values > MAX_REQUEST_VALUES {
            return Err(JsonError::TooManyValues);
        }
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.parse_object(depth),
            Some(b'[') => self.parse_array(depth),
            Some(b'"') => Ok(self
                .parse_string()?
                .map_or(Json::UnpairedSurrogate, Json::String)),
            Some(b'-' | b'0'..=b'9') => self.parse_number(),
            Some(b't') => self.parse_literal("true", Json::Bool(true)),
            Some(b'f') => self.parse_literal("false", Json::Bool(false)),
            Some(b'n') => self.parse_literal("null", Json::Null),
            _ => Err(self.expected("a value")),
        }
    }

    fn parse_object(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.position += 1;
        let mut members = Vec::new();
        self.skip_space();
        if self.take(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.expected("a name"));
            }
            // A name with an unpaired surrogate is the name of no field.
            let name = self
                .parse_string()?
                .unwrap_or_else(|| char::REPLACEMENT_CHARACTER.to_string());
            self.skip_space();
            if !self.take(b':') {
                return Err(self.expected("a colon"));
            }
            members.push((name, self.parse_value(depth + 1)?));
            self.skip_space();
            if self.take(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.take(b',') {
                return Err(self.expected("a comma or a closing brace"));
            }
        }
    }

    fn parse_array(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.position += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.take(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.parse_value(depth + 1)?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Json::Array(items));
            }
            if !self.take(b',') {
                return Err(self.expected("a comma or a closing bracket"));
            }
        }
    }

    fn parse_number(&mut self) -> Result<Json, JsonError> {
        let begin = self.position;
        self.take(b'-');
        match self.peek() {
            Some(b'0') => self.position += 1,
            Some(b'1'..=b'9') => self.skip_digits(),
            _ => return Err(self.expected("a digit")),
        }
        if self.take(b'.') {
            self.require_digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _sign = self.take(b'+') || self.take(b'-');
            self.require_digits()?;
        }
        Ok(Json::Number(
            String::from_utf8_lossy(&self.text[begin..self.position]).into_owned(),
        ))
    }

    fn skip_digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.position += 1;
        }
    }

    fn require_digits(&mut self) -> Result<(), JsonError> {
        let begin = self.position;
        self.skip_digits();
        if self.position == begin {
            Err(self.expected("a digit"))
        } else {
            Ok(())
        }
    }

    /// `None` if it has an unpaired surrogate.
    fn parse_string(&mut self) -> Result<Option<String>, JsonError> {
        self.position += 1;
        let mut bytes = Vec::new();
        let mut unpaired = false;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.position += 1;
                    match self.parse_escape()? {
                        Some(letter) => {
                            bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes())
                        }
                        None => unpaired = true,
                    }
                }
                Some(0..=0x1f) | None => return Err(self.expected("the end of a string")),
                Some(byte) => {
                    bytes.push(byte);
                    self.position += 1;
                }
            }
        }
        self.position += 1;
        // The body is UTF-8 and each escape is a character, so the conversion only fails with an unpaired surrogate.
        Ok(if unpaired {
            None
        } else {
            String::from_utf8(bytes).ok()
        })
    }

    fn parse_escape(&mut self) -> Result<Option<char>, JsonError> {
        let letter = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.position += 1;
                return self.parse_unicode();
            }
            _ => return Err(self.expected("an escape")),
        };
        self.position += 1;
        Ok(Some(letter))
    }

    fn parse_unicode(&mut self) -> Result<Option<char>, JsonError> {
        let first = self.parse_hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first));
        }
        if !self.text[self.position..].starts_with(b"\\u") {
            return Ok(None);
        }
        let after_first = self.position;
        self.position += 2;
        let second = self.parse_hex()?;
        if !(0xdc00..0xe000).contains(&second) {
            self.position = after_first;
            return Ok(None);
        }
        Ok(char::from_u32(
            0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00),
        ))
    }

    fn parse_hex(&mut self) -> Result<u32, JsonError> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            value = value * 16 + digit.ok_or_else(|| self.expected("four hexadecimal digits"))?;
            self.position += 1;
        }
        Ok(value)
    }

    fn parse_literal(&mut self, literal: &'static str, value: Json) -> Result<Json, JsonError> {
        if !self.text[self.position..].starts_with(literal.as_bytes()) {
            return Err(self.expected(literal));
        }
        self.position += literal.len();
        Ok(value)
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let matches = self.peek() == Some(byte);
        self.position += usize::from(matches);
        matches
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    const fn expected(&self, expected: &'static str) -> JsonError {
        JsonError::Syntax {
            expected,
            at: self.position,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_that_is_not_json_is_refused_with_its_position() {
        for text in [
            "",
            "{",
            "{\"a\"}",
            "[1,]",
            "01",
            "1.",
            "+1",
            "nul",
            "\"\n\"",
            "\"\\x\"",
            "{} {}",
            "{,}",
            "'a'",
            "\"\\u12\"",
            "-",
        ] {
            assert!(
                matches!(parse(text.as_bytes()), Err(JsonError::Syntax { .. })),
                "{text:?}"
            );
        }
        assert!(matches!(parse(b"\xff"), Err(JsonError::NotUtf8(_))));
    }

    #[test]
    fn extreme_bodies_are_parsed_or_refused() {
        assert_eq!(
            parse("[".repeat(10_000).as_bytes()),
            Err(JsonError::TooDeep)
        );
        assert_eq!(parse(b"1e400"), Ok(Json::Number("1e400".into())));
        assert_eq!(parse(br#""\ud800""#), Ok(Json::UnpairedSurrogate));
        assert_eq!(parse(br#""\ud800\u0041""#), Ok(Json::UnpairedSurrogate));
        assert_eq!(parse(br#""\ud83d\ude00""#), Ok(Json::String("😀".into())));
        let duplicates = Json::Object(vec![("a".into(), Json::Null), ("a".into(), Json::Null)]);
        assert_eq!(parse(br#"{"a":null,"a":null}"#), Ok(duplicates));
    }

    #[test]
    fn body_has_a_bounded_number_of_values() {
        let zeros = |count| format!("[{}0]", "0,".repeat(count - 1));
        let most = MAX_REQUEST_VALUES - 1;
        assert!(parse(zeros(most).as_bytes()).is_ok(), "the array counts");
        let members = format!("{{{}}}", vec!["\"a\":{}"; most].join(","));
        assert!(parse(members.as_bytes()).is_ok());
        for more in [zeros(most + 1), members.replacen("{}", "[[]]", 1)] {
            assert_eq!(parse(more.as_bytes()), Err(JsonError::TooManyValues));
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn text_that_serde_json_accepts_is_accepted(text in r#"[\[\]{}",:0-9a-z\\ .-]{0,40}"#) {
            let ours = parse(text.as_bytes()).is_ok();
            let theirs = serde_json::from_str::<serde_json::Value>(&text).is_ok();
            // serde_json also refuses numbers that are out of range of its floats.
            prop_assert!(ours || !theirs, "{text:?}");
        }
    }
}
