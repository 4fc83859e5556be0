//! The stored form of cached answers: the time of the answer, then the message of the contract in its binary form. IPC types
//! are made when an entry is read.

use invoicing_contract::messages::{documents, simple};
use jiff::Timestamp;
use prost::Message;
use zeroize::Zeroizing;

use super::Cached;

/// A document as an operation returned it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CachedDocument {
    /// From the simple API.
    Simple(Box<simple::Invoice>),
    /// The whole document.
    Whole(Box<documents::Document>),
}

/// The first byte of a stored document.
const SIMPLE: u8 = 1;
const WHOLE: u8 = 2;

pub(super) fn write_message(as_of: Timestamp, message: &impl Message) -> Zeroizing<Vec<u8>> {
    write(as_of, &[], message)
}

pub(super) fn read_message<M: Message + Default>(bytes: &[u8]) -> Option<Cached<M>> {
    let (as_of, message) = split(bytes)?;
    let value = M::decode(message).ok()?;
    Some(Cached { value, as_of })
}

pub(super) fn write_document(as_of: Timestamp, document: &CachedDocument) -> Zeroizing<Vec<u8>> {
    match document {
        CachedDocument::Simple(invoice) => write(as_of, &[SIMPLE], invoice.as_ref()),
        CachedDocument::Whole(document) => write(as_of, &[WHOLE], document.as_ref()),
    }
}

pub(super) fn read_document(bytes: &[u8]) -> Option<Cached<CachedDocument>> {
    let (as_of, rest) = split(bytes)?;
    let (kind, message) = rest.split_first()?;
    let value = match *kind {
        SIMPLE => CachedDocument::Simple(Box::new(simple::Invoice::decode(message).ok()?)),
        WHOLE => CachedDocument::Whole(Box::new(documents::Document::decode(message).ok()?)),
        _ => return None,
    };
    Some(Cached { value, as_of })
}

fn write(as_of: Timestamp, kind: &[u8], message: &impl Message) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(17 + message.encoded_len()));
    bytes.extend_from_slice(&as_of.as_nanosecond().to_le_bytes());
    bytes.extend_from_slice(kind);
    bytes.extend_from_slice(&message.encode_to_vec());
    bytes
}

fn split(bytes: &[u8]) -> Option<(Timestamp, &[u8])> {
    let (time, rest) = bytes.split_first_chunk::<16>()?;
    let as_of = Timestamp::from_nanosecond(i128::from_le_bytes(*time)).ok()?;
    Some((as_of, rest))
}
