//! A digest of records that does not depend on their order, because engines sort and group them in different ways.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::{ColumnKind, Record, Table, Value};

/// The number of records and the sum of their SHA-256 hashes, modulo 2^256.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Digest {
    records: u64,
    /// From the lowest.
    words: [u64; 4],
}

impl Digest {
    /// Adds a record.
    pub fn add(&mut self, table: &Table, record: &Record) {
        let mut hash = Sha256::new();
        hash.update(table.name);
        for (column, value) in table.columns.iter().zip(record) {
            match value {
                Value::Null => hash.update([0]),
                Value::Integer(integer) => {
                    let integer = match column.kind {
                        // Engines differ in what follows the time: SQLite stores one of two equal numbers beside the other.
                        ColumnKind::TokenNumber => integer >> 21,
                        ColumnKind::Integer | ColumnKind::Text | ColumnKind::Bytes => *integer,
                    };
                    hash.update([1]);
                    hash.update(integer.to_be_bytes());
                }
                Value::Text(text) => add_bytes(&mut hash, 2, text.as_bytes()),
                Value::Bytes(bytes) => add_bytes(&mut hash, 3, bytes),
            }
        }
        self.records += 1;
        let hash: [u8; 32] = hash.finalize().into();
        let mut carry = false;
        for (word, bytes) in self.words.iter_mut().zip(hash.rchunks(8)) {
            let added = bytes
                .iter()
                .fold(0, |added, byte| (added << 8) | u64::from(*byte));
            let (sum, first) = word.overflowing_add(added);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *word = sum;
            carry = first | second;
        }
    }

    /// How many records were added.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }
}

/// With the length, so that no two lists of values are the same bytes.
fn add_bytes(hash: &mut Sha256, kind: u8, bytes: &[u8]) {
    hash.update([kind]);
    hash.update(bytes.len().to_be_bytes());
    hash.update(bytes);
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third, fourth] = self.words;
        write!(
            formatter,
            "{fourth:016x}{third:016x}{second:016x}{first:016x}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::TABLES;
    use super::*;

    fn record(name: &str, value: &str) -> Record {
        vec![Value::Text(name.to_owned()), Value::Text(value.to_owned())]
    }

    fn digest(records: &[Record]) -> Digest {
        let mut digest = Digest::default();
        for record in records {
            digest.add(&TABLES[0], record);
        }
        digest
    }

    #[test]
    fn digest_depends_on_the_records_and_not_on_their_order() {
        let (a, b) = (record("a", "1"), record("b", "2"));
        let both = digest(&[a.clone(), b.clone()]);
        assert_eq!(both, digest(&[b.clone(), a.clone()]));
        assert_eq!(both.records(), 2);
        for other in [
            vec![a.clone()],
            vec![a.clone(), a.clone()],
            vec![a.clone(), record("b", "3")],
            vec![a.clone(), record("b2", "")],
            vec![a, b.clone(), b],
        ] {
            assert_ne!(both, digest(&other), "{other:?}");
        }
    }
}
