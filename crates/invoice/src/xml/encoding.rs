//! Bytes in UTF-8, whatever they come in: UTF-16 by its first bytes, and ISO 8859-1 from where the declaration says so.

use std::io::{self, BufRead, Read};

/// Bytes that are turned into UTF-8 at once.
const CHUNK: usize = 4_096;

/// Passes on what is UTF-8 and turns the rest into it.
#[derive(Debug)]
pub(super) struct Decoded<R> {
    inner: R,
    form: Form,
    /// What was decoded and not yet taken.
    ready: Vec<u8>,
    taken: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Nothing was read yet.
    Unknown,
    Utf8,
    Latin1,
    Utf16(Wide),
}

/// UTF-16 between two chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wide {
    big_endian: bool,
    /// The first byte of a unit.
    half: Option<u8>,
    /// The first unit of a pair.
    high: Option<u16>,
}

impl<R: BufRead> Decoded<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            form: Form::Unknown,
            ready: Vec::new(),
            taken: 0,
        }
    }

    /// Whether what the declaration says of the encoding is so. What comes after it is read accordingly.
    pub(super) fn declared(&mut self, name: &str) -> bool {
        let is = |known: &[&str]| known.iter().any(|one| name.eq_ignore_ascii_case(one));
        match self.form {
            Form::Utf16(_) => is(&["utf-16", "utf-16le", "utf-16be"]),
            Form::Unknown | Form::Utf8 | Form::Latin1 if is(&["iso-8859-1", "latin1"]) => {
                self.form = Form::Latin1;
                true
            }
            Form::Unknown | Form::Utf8 | Form::Latin1 => is(&["utf-8", "us-ascii"]),
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        let wide = |big_endian| {
            Form::Utf16(Wide {
                big_endian,
                half: None,
                high: None,
            })
        };
        self.form = match self.inner.fill_buf()? {
            [] => return Ok(()),
            [0xfe | 0x00, ..] => wide(true),
            [0xff, ..] | [b'<', 0x00, ..] => wide(false),
            _ => Form::Utf8,
        };
        Ok(())
    }

    /// Decodes some more. Nothing is ready afterwards only at the end.
    fn decode(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.taken = 0;
        while self.ready.is_empty() {
            let bytes = self.inner.fill_buf()?;
            let bytes = &bytes[..bytes.len().min(CHUNK)];
            let length = bytes.len();
            match &mut self.form {
                Form::Utf16(wide) => wide.decode(bytes, &mut self.ready)?,
                Form::Unknown | Form::Utf8 | Form::Latin1 => {
                    let text: String = bytes.iter().copied().map(char::from).collect();
                    self.ready.extend_from_slice(text.as_bytes());
                }
            }
            self.inner.consume(length);
            if length == 0 {
                break;
            }
        }
        Ok(())
    }
}

impl Wide {
    fn decode(&mut self, bytes: &[u8], into: &mut Vec<u8>) -> io::Result<()> {
        let refused = || io::Error::new(io::ErrorKind::InvalidData, "is not UTF-16");
        if bytes.is_empty() && (self.half.is_some() || self.high.is_some()) {
            return Err(refused());
        }
        for byte in bytes.iter().copied() {
            let Some(first) = self.half.take() else {
                self.half = Some(byte);
                continue;
            };
            let unit = if self.big_endian {
                u16::from_be_bytes([first, byte])
            } else {
                u16::from_le_bytes([first, byte])
            };
            let letter = match (self.high.take(), unit) {
                (None, 0xd800..=0xdbff) => {
                    self.high = Some(unit);
                    continue;
                }
                (None, _) => char::from_u32(u32::from(unit)),
                (Some(high), _) => char::decode_utf16([high, unit]).next().and_then(Result::ok),
            };
            let mut buffer = [0; 4];
            let letter = letter.ok_or_else(refused)?;
            into.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
        }
        Ok(())
    }
}

impl<R: BufRead> BufRead for Decoded<R> {
    #[inline(always)]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.form == Form::Utf8 {
            return self.inner.fill_buf();
        }
        if self.form == Form::Unknown {
            self.begin()?;
        }
        if matches!(self.form, Form::Utf8 | Form::Unknown) {
            return self.inner.fill_buf();
        }
        if self.taken == self.ready.len() {
            self.decode()?;
        }
        Ok(&self.ready[self.taken..])
    }

    #[inline(always)]
    fn consume(&mut self, bytes: usize) {
        match self.form {
            Form::Utf8 | Form::Unknown => self.inner.consume(bytes),
            Form::Latin1 | Form::Utf16(_) => self.taken += bytes,
        }
    }
}

impl<R: BufRead> Read for Decoded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let length = bytes.len().min(into.len());
        into[..length].copy_from_slice(&bytes[..length]);
        self.consume(length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn wide(text: &str, mark: &[u8], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        let units = text.encode_utf16().flat_map(bytes);
        mark.iter().copied().chain(units).collect()
    }

    fn decoded(bytes: &[u8], at_once: usize) -> io::Result<String> {
        let mut text = String::new();
        Decoded::new(BufReader::with_capacity(at_once, bytes)).read_to_string(&mut text)?;
        Ok(text.trim_start_matches('\u{feff}').to_owned())
    }

    #[test]
    fn utf_16_is_known_by_its_first_bytes_and_read_however_few_come_at_once() {
        let text = "<a>شركة 💶</a>";
        for bytes in [
            text.as_bytes().to_vec(),
            wide(text, b"\xff\xfe", u16::to_le_bytes),
            wide(text, b"\xfe\xff", u16::to_be_bytes),
            wide(text, b"", u16::to_be_bytes),
            wide(text, b"", u16::to_le_bytes),
        ] {
            for at_once in [2, 3, 5, 8_192] {
                assert_eq!(decoded(&bytes, at_once).expect("it reads"), text);
            }
        }
    }

    #[test]
    fn half_a_letter_is_refused() {
        for bytes in [
            &b"\xff\xfe<\x00a"[..],
            b"\xff\xfe\x3d\xd8",
            b"\xff\xfe\x3d\xd8a\x00",
            b"\xff\xfe\x00\xdc",
        ] {
            assert!(decoded(bytes, 64).is_err(), "{bytes:?}");
        }
    }
}
