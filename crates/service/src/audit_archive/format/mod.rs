//! The format of an archive file: gzip of lines of JSON, a header and then one line for each event.
//!
//! A hash chain runs over the lines: the hash after an event is SHA-256 of the hash before and its line, without the line
//! break. The header holds the hash before the first event and after the last one (decision 0094).

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead as _, BufReader, Read, Write as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use invoicing_contract::Timestamp;
use invoicing_storage::audit::{AuditEvent, AuditEventKind, RecordedEvent};
use invoicing_storage::audit_archives::ChainHash;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// What every archive file names as its format.
const FORMAT: &str = "invoicing-audit";
/// The version of the format. A later one is refused.
const VERSION: u32 = 1;
/// The longest line in bytes. No event is nearly as long.
const MAX_LINE: u64 = 1024 * 1024;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Header {
    format: String,
    version: u32,
    pub(super) first: i64,
    pub(super) last: i64,
    count: u64,
    previous_hash: String,
    hash: String,
}

/// The line of an event.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Line {
    id: i64,
    /// Milliseconds since 1970.
    at: i64,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    organization: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    detail: BTreeMap<String, String>,
}

/// Why a file is no intact archive.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// It cannot be read or decompressed to its end: it is truncated or damaged.
    #[error("it cannot be read to its end: {0}")]
    Unreadable(#[from] std::io::Error),
    /// A line is not JSON of this format.
    #[error("line {line} is not of this format: {source}")]
    Line {
        /// The number of the line, from 1.
        line: u64,
        /// What the parser said.
        source: serde_json::Error,
    },
    /// It has another format, or a version that this program does not know.
    #[error("its format is {format:?} version {version}, which this program does not know")]
    UnknownFormat {
        /// The format that it names.
        format: String,
        /// The version that it names.
        version: u32,
    },
    /// An event is of an unknown kind.
    #[error("the event {id} is of the unknown kind {kind:?}")]
    UnknownKind {
        /// The id of the event.
        id: i64,
        /// The kind that it names.
        kind: String,
    },
    /// An event is missing, or is not in its place.
    #[error("the event {expected} is missing or not in its place: {found} follows")]
    NotInOrder {
        /// The id that comes next.
        expected: i64,
        /// The id that the file has there; `None` at its end.
        found: MaybeEvent,
    },
    /// The events are not those of the hash.
    #[error("its events were changed: their hash is not that of the header")]
    OtherHash,
    /// Something follows the last event.
    #[error("something follows its last event")]
    Excess,
}

/// An event, or the end of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaybeEvent(pub Option<i64>);

impl fmt::Display for MaybeEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(id) => write!(formatter, "the event {id}"),
            None => formatter.write_str("the end"),
        }
    }
}

/// The content of an intact archive file.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) header: Header,
    pub(super) events: Vec<RecordedEvent>,
    /// The hash of the chain after each of the events.
    pub(super) hashes: Vec<ChainHash>,
}

impl Header {
    /// The hashes before and after the events, in the form of [`hash_text`].
    pub(super) fn hashes(&self) -> (&str, &str) {
        (&self.previous_hash, &self.hash)
    }
}

/// The hash of the chain after `event`.
pub(super) fn chain(previous: ChainHash, event: &RecordedEvent) -> ChainHash {
    chain_line(previous, line(event).as_bytes())
}

/// A hash in hexadecimal digits.
pub(super) fn hash_text(ChainHash(bytes): ChainHash) -> String {
    base16ct::lower::encode_string(&bytes)
}

/// The file of `events`, which follow `previous` in the chain, and the hash after them. The same events give the same file.
pub(super) fn encode(
    events: &[RecordedEvent],
    previous: ChainHash,
) -> std::io::Result<(Vec<u8>, ChainHash)> {
    let lines: Vec<_> = events.iter().map(line).collect();
    let hash = lines
        .iter()
        .fold(previous, |hash, line| chain_line(hash, line.as_bytes()));
    let id = |event: Option<&RecordedEvent>| event.map_or(0, |event| event.id);
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        first: id(events.first()),
        last: id(events.last()),
        count: u64::try_from(events.len()).unwrap_or(u64::MAX),
        previous_hash: hash_text(previous),
        hash: hash_text(hash),
    };
    let mut file = GzEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut file, &header)?;
    file.write_all(b"\n")?;
    for line in lines {
        file.write_all(line.as_bytes())?;
        file.write_all(b"\n")?;
    }
    Ok((file.finish()?, hash))
}

/// Reads a file, and checks that no event is missing, changed or out of its place.
pub(super) fn decode(file: impl Read) -> Result<Content, FormatError> {
    let mut file = BufReader::new(GzDecoder::new(file));
    let mut text = Vec::new();
    let mut number = 0;
    let mut next_line = |text: &mut Vec<u8>| -> Result<bool, FormatError> {
        text.clear();
        number += 1;
        let read = (&mut file).take(MAX_LINE).read_until(b'\n', text)?;
        if text.pop_if(|last| *last == b'\n').is_none() && read > 0 {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
        }
        Ok(read > 0)
    };
    next_line(&mut text)?;
    let parsed = |source| FormatError::Line { line: 1, source };
    let header: Header = serde_json::from_slice(&text).map_err(parsed)?;
    if header.format != FORMAT || header.version != VERSION {
        let Header {
            format, version, ..
        } = header;
        return Err(FormatError::UnknownFormat { format, version });
    }
    let (mut events, mut hashes) = (Vec::new(), Vec::new());
    let mut hash = parse_hash(&header.previous_hash).ok_or(FormatError::OtherHash)?;
    for (expected, line) in (header.first..=header.last).zip(2..) {
        let missing = |found| FormatError::NotInOrder {
            expected,
            found: MaybeEvent(found),
        };
        if !next_line(&mut text)? {
            return Err(missing(None));
        }
        hash = chain_line(hash, &text);
        let parsed = serde_json::from_slice(&text);
        let event = event(parsed.map_err(|source| FormatError::Line { line, source })?)?;
        if event.id != expected {
            return Err(missing(Some(event.id)));
        }
        events.push(event);
        hashes.push(hash);
    }
    if next_line(&mut text)? || header.count != u64::try_from(events.len()).unwrap_or(u64::MAX) {
        return Err(FormatError::Excess);
    }
    if hash_text(hash) != header.hash {
        return Err(FormatError::OtherHash);
    }
    Ok(Content {
        header,
        events,
        hashes,
    })
}

/// A hash from its hexadecimal digits.
pub(super) fn parse_hash(text: &str) -> Option<ChainHash> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
    }
    Some(ChainHash(bytes))
}

fn chain_line(ChainHash(previous): ChainHash, line: &[u8]) -> ChainHash {
    let hash = Sha256::new().chain_update(previous).chain_update(line);
    ChainHash(hash.finalize().into())
}

fn line(RecordedEvent { id, event }: &RecordedEvent) -> String {
    let text = |text: &dyn AsRef<str>| text.as_ref().to_owned();
    let line = Line {
        id: *id,
        at: event.at.as_millis(),
        kind: event.kind.name().to_owned(),
        subject: event.subject.as_ref().map(|id| text(id)),
        actor: event.actor.clone(),
        organization: event.organization.as_ref().map(|id| text(id)),
        client_id: event.client_id.as_ref().map(|id| text(id)),
        address: event.address.clone(),
        detail: event.detail.clone(),
    };
    serde_json::to_string(&line).expect("a line is made of texts and numbers")
}

fn event(line: Line) -> Result<RecordedEvent, FormatError> {
    let Line { id, kind, .. } = line;
    let Some(known) = AuditEventKind::named(&kind) else {
        return Err(FormatError::UnknownKind { id, kind });
    };
    let event = AuditEvent {
        at: Timestamp::from_millis(line.at),
        kind: known,
        subject: line.subject.map(Into::into),
        actor: line.actor,
        organization: line.organization.map(Into::into),
        client_id: line.client_id.map(Into::into),
        address: line.address,
        detail: line.detail,
    };
    Ok(RecordedEvent { id, event })
}
