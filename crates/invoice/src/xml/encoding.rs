//! Decodes input to UTF-8: UTF-16 is detected by its first bytes, ISO 8859-1 by the XML declaration.

use std::io::{self, BufRead, Read};

/// The number of bytes that are decoded at once.
const CHUNK: usize = 4_096;

/// A reader that passes UTF-8 through and decodes other encodings to UTF-8.
#[derive(Debug)]
pub(super) struct Utf8Decoder<R> {
    inner: R,
    encoding: Encoding,
    /// Decoded bytes, of which the first `consumed` have been consumed.
    decoded: Vec<u8>,
    consumed: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// Nothing has been read yet.
    Unknown,
    Utf8,
    Latin1,
    Utf16(Utf16State),
}

/// The state of the UTF-16 decoder between two chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Utf16State {
    big_endian: bool,
    /// The first byte of an incomplete code unit.
    half: Option<u8>,
    /// The high surrogate of an incomplete pair.
    high: Option<u16>,
}

impl<R: BufRead> Utf8Decoder<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            encoding: Encoding::Unknown,
            decoded: Vec::new(),
            consumed: 0,
        }
    }

    /// Applies the encoding of the XML declaration to the rest of the input. `false` if it contradicts the input or is unsupported.
    pub(super) fn apply_declaration(&mut self, name: &str) -> bool {
        let is = |known: &[&str]| known.iter().any(|one| name.eq_ignore_ascii_case(one));
        match self.encoding {
            Encoding::Utf16(_) => is(&["utf-16", "utf-16le", "utf-16be"]),
            Encoding::Unknown | Encoding::Utf8 | Encoding::Latin1
                if is(&["iso-8859-1", "latin1"]) =>
            {
                self.encoding = Encoding::Latin1;
                true
            }
            Encoding::Unknown | Encoding::Utf8 | Encoding::Latin1 => is(&["utf-8", "us-ascii"]),
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        let wide = |big_endian| {
            Encoding::Utf16(Utf16State {
                big_endian,
                half: None,
                high: None,
            })
        };
        self.encoding = match self.inner.fill_buf()? {
            [] => return Ok(()),
            [0xfe | 0x00, ..] => wide(true),
            [0xff, ..] | [b'<', 0x00, ..] => wide(false),
            _ => Encoding::Utf8,
        };
        Ok(())
    }

    /// Decodes the next chunk. `decoded` stays empty only at the end of the input.
    fn decode(&mut self) -> io::Result<()> {
        self.decoded.clear();
        self.consumed = 0;
        while self.decoded.is_empty() {
            let bytes = self.inner.fill_buf()?;
            let bytes = &bytes[..bytes.len().min(CHUNK)];
            let length = bytes.len();
            match &mut self.encoding {
                Encoding::Utf16(wide) => wide.decode(bytes, &mut self.decoded)?,
                Encoding::Unknown | Encoding::Utf8 | Encoding::Latin1 => {
                    let text: String = bytes.iter().copied().map(char::from).collect();
                    self.decoded.extend_from_slice(text.as_bytes());
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

impl Utf16State {
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

impl<R: BufRead> BufRead for Utf8Decoder<R> {
    #[inline(always)]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.encoding == Encoding::Utf8 {
            return self.inner.fill_buf();
        }
        if self.encoding == Encoding::Unknown {
            self.begin()?;
        }
        if matches!(self.encoding, Encoding::Utf8 | Encoding::Unknown) {
            return self.inner.fill_buf();
        }
        if self.consumed == self.decoded.len() {
            self.decode()?;
        }
        Ok(&self.decoded[self.consumed..])
    }

    #[inline(always)]
    fn consume(&mut self, bytes: usize) {
        match self.encoding {
            Encoding::Utf8 | Encoding::Unknown => self.inner.consume(bytes),
            Encoding::Latin1 | Encoding::Utf16(_) => self.consumed += bytes,
        }
    }
}

impl<R: BufRead> Read for Utf8Decoder<R> {
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

    fn decode_all(bytes: &[u8], at_once: usize) -> io::Result<String> {
        let mut text = String::new();
        Utf8Decoder::new(BufReader::with_capacity(at_once, bytes)).read_to_string(&mut text)?;
        Ok(text.trim_start_matches('\u{feff}').to_owned())
    }

    #[test]
    fn utf_16_is_detected_and_decoded_with_any_buffer_size() {
        let text = "<a>شركة 💶</a>";
        for bytes in [
            text.as_bytes().to_vec(),
            wide(text, b"\xff\xfe", u16::to_le_bytes),
            wide(text, b"\xfe\xff", u16::to_be_bytes),
            wide(text, b"", u16::to_be_bytes),
            wide(text, b"", u16::to_le_bytes),
        ] {
            for at_once in [2, 3, 5, 8_192] {
                assert_eq!(decode_all(&bytes, at_once).expect("it reads"), text);
            }
        }
    }

    #[test]
    fn incomplete_utf_16_is_rejected() {
        for bytes in [
            &b"\xff\xfe<\x00a"[..],
            b"\xff\xfe\x3d\xd8",
            b"\xff\xfe\x3d\xd8a\x00",
            b"\xff\xfe\x00\xdc",
        ] {
            assert!(decode_all(bytes, 64).is_err(), "{bytes:?}");
        }
    }
}
