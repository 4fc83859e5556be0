//! JSON as it stands in a body (RFC 8259): members in order and duplicates kept, numbers as text, depth bounded.

use thiserror::Error;

/// Deepest nesting. The deepest message has less than ten levels.
const DEEPEST: usize = 64;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// As written: a number of any size is a number.
    Number(String),
    String(String),
    /// A string with half of a surrogate pair in it, which no text can hold.
    BrokenString,
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Why a body is not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum JsonError {
    #[error("the body is not JSON: {expected} expected at byte {at}")]
    Syntax { expected: &'static str, at: usize },
    #[error("the body is nested deeper than {DEEPEST} levels")]
    TooDeep,
    #[error("the body is not UTF-8")]
    NotUtf8,
}

/// Reads one value and nothing after it.
///
/// # Errors
/// [`JsonError`]
pub(super) fn parse(body: &[u8]) -> Result<Json, JsonError> {
    let text = std::str::from_utf8(body).map_err(|_| JsonError::NotUtf8)?;
    let mut parser = Parser {
        text: text.as_bytes(),
        at: 0,
    };
    let value = parser.value(0)?;
    parser.space();
    if parser.at < text.len() {
        Err(parser.expected("the end"))
    } else {
        Ok(value)
    }
}

struct Parser<'body> {
    text: &'body [u8],
    at: usize,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Result<Json, JsonError> {
        if depth > DEEPEST {
            return Err(JsonError::TooDeep);
        }
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(self.string()?.map_or(Json::BrokenString, Json::String)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            _ => Err(self.expected("a value")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.at += 1;
        let mut members = Vec::new();
        self.space();
        if self.take(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.expected("a name"));
            }
            // A broken name is no field's name.
            let name = self
                .string()?
                .unwrap_or_else(|| char::REPLACEMENT_CHARACTER.to_string());
            self.space();
            if !self.take(b':') {
                return Err(self.expected("a colon"));
            }
            members.push((name, self.value(depth + 1)?));
            self.space();
            if self.take(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.take(b',') {
                return Err(self.expected("a comma or a closing brace"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.take(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            if self.take(b']') {
                return Ok(Json::Array(items));
            }
            if !self.take(b',') {
                return Err(self.expected("a comma or a closing bracket"));
            }
        }
    }

    fn number(&mut self) -> Result<Json, JsonError> {
        let begin = self.at;
        self.take(b'-');
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.expected("a digit")),
        }
        if self.take(b'.') {
            self.some_digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _sign = self.take(b'+') || self.take(b'-');
            self.some_digits()?;
        }
        Ok(Json::Number(
            String::from_utf8_lossy(&self.text[begin..self.at]).into_owned(),
        ))
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), JsonError> {
        let begin = self.at;
        self.digits();
        if self.at == begin {
            Err(self.expected("a digit"))
        } else {
            Ok(())
        }
    }

    /// `None` if half of a surrogate pair is in it.
    fn string(&mut self) -> Result<Option<String>, JsonError> {
        self.at += 1;
        let mut bytes = Vec::new();
        let mut broken = false;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.at += 1;
                    match self.escape()? {
                        Some(letter) => {
                            bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes())
                        }
                        None => broken = true,
                    }
                }
                Some(0..=0x1f) | None => return Err(self.expected("the end of a string")),
                Some(byte) => {
                    bytes.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        // The body is UTF-8 and escapes are whole characters, so this only fails when it is broken.
        Ok(if broken {
            None
        } else {
            String::from_utf8(bytes).ok()
        })
    }

    fn escape(&mut self) -> Result<Option<char>, JsonError> {
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
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.expected("an escape")),
        };
        self.at += 1;
        Ok(Some(letter))
    }

    fn unicode(&mut self) -> Result<Option<char>, JsonError> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first));
        }
        if !self.text[self.at..].starts_with(b"\\u") {
            return Ok(None);
        }
        let back = self.at;
        self.at += 2;
        let second = self.hex()?;
        if !(0xdc00..0xe000).contains(&second) {
            self.at = back;
            return Ok(None);
        }
        Ok(char::from_u32(
            0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00),
        ))
    }

    fn hex(&mut self) -> Result<u32, JsonError> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            value = value * 16 + digit.ok_or_else(|| self.expected("four hexadecimal digits"))?;
            self.at += 1;
        }
        Ok(value)
    }

    fn word(&mut self, word: &'static str, value: Json) -> Result<Json, JsonError> {
        if !self.text[self.at..].starts_with(word.as_bytes()) {
            return Err(self.expected(word));
        }
        self.at += word.len();
        Ok(value)
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    const fn expected(&self, expected: &'static str) -> JsonError {
        JsonError::Syntax {
            expected,
            at: self.at,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_not_json_is_told_with_its_place() {
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
        assert_eq!(parse(b"\xff"), Err(JsonError::NotUtf8));
    }

    #[test]
    fn hostile_bodies_are_read_or_refused() {
        assert_eq!(
            parse("[".repeat(10_000).as_bytes()),
            Err(JsonError::TooDeep)
        );
        assert_eq!(parse(b"1e400"), Ok(Json::Number("1e400".into())));
        assert_eq!(parse(br#""\ud800""#), Ok(Json::BrokenString));
        assert_eq!(parse(br#""\ud800\u0041""#), Ok(Json::BrokenString));
        assert_eq!(parse(br#""\ud83d\ude00""#), Ok(Json::String("😀".into())));
        let duplicates = Json::Object(vec![("a".into(), Json::Null), ("a".into(), Json::Null)]);
        assert_eq!(parse(br#"{"a":null,"a":null}"#), Ok(duplicates));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn it_takes_what_another_parser_takes(text in r#"[\[\]{}",:0-9a-z\\ .-]{0,40}"#) {
            let ours = parse(text.as_bytes()).is_ok();
            let theirs = serde_json::from_str::<serde_json::Value>(&text).is_ok();
            // The other one also refuses numbers that its floats cannot hold.
            prop_assert!(ours || !theirs, "{text:?}");
        }
    }
}
