//! What numbered credit notes correct: found from the documents that they name, also across notes that name several.

use std::collections::BTreeSet;

use invoice::{Currency, Money};
use invoicing_contract::messages::documents::Kind;
use sqlx::{QueryBuilder, SqliteConnection};
use uuid::Uuid;

use invoicing_storage::StorageError;
use invoicing_storage::documents::{Credited, Entry, credits_of};

/// Rows in one statement, of three values each.
const ROWS: usize = 500;

/// An original with its total, and a note with its total: either may be missing.
type Row = (
    Vec<u8>,
    Option<String>,
    Option<i64>,
    Option<Vec<u8>>,
    Option<String>,
    Option<i64>,
);

/// The documents with these keys, all notes that correct them, and whatever else those correct, and so on.
pub(super) async fn credited(
    connection: &mut SqliteConnection,
    organization: &str,
    originals: &BTreeSet<Uuid>,
) -> Result<Credited, StorageError> {
    let mut credited = Credited::default();
    if originals.is_empty() {
        return Ok(credited);
    }
    let mut query = QueryBuilder::<sqlx::Sqlite>::new("WITH RECURSIVE originals (key) AS (");
    query.push_values(originals, |mut row, key| {
        row.push_bind(key.as_bytes().as_slice());
    });
    query
        .push(
            " UNION SELECT other.original FROM originals
                JOIN document_credits mine ON mine.original = originals.key AND mine.organization_id = ",
        )
        .push_bind(organization)
        .push(" JOIN document_credits other ON other.note = mine.note AND other.organization_id = ")
        .push_bind(organization)
        .push(
            ") SELECT originals.key, o.currency, o.gross, c.note, n.currency, n.gross FROM originals
                LEFT JOIN documents o ON o.key = originals.key AND o.organization_id = ",
        )
        .push_bind(organization)
        .push(" LEFT JOIN document_credits c ON c.original = originals.key AND c.organization_id = ")
        .push_bind(organization)
        .push(" LEFT JOIN documents n ON n.key = c.note AND n.organization_id = ")
        .push_bind(organization);
    let rows: Vec<Row> = query.build_query_as().fetch_all(connection).await?;
    for (original, currency, gross, note, note_currency, note_gross) in rows {
        let original = key(&original)?;
        let total = currency.zip(gross).map(money).transpose()?;
        credited.originals.insert(original, total);
        if let Some((note, total)) = note.zip(note_currency.zip(note_gross)) {
            let known = credited.notes.entry(key(&note)?);
            known
                .or_insert((money(total)?, BTreeSet::new()))
                .1
                .insert(original);
        }
    }
    Ok(credited)
}

/// Remembers what numbered credit notes correct. Other documents correct nothing.
pub(super) async fn remember(
    write: &mut SqliteConnection,
    entries: &[Entry],
) -> Result<(), StorageError> {
    let notes = entries
        .iter()
        .filter(|entry| entry.kind == Kind::CreditNote && !entry.number.is_empty());
    let pairs: Vec<_> = notes
        .flat_map(|entry| {
            let originals = credits_of(&entry.document).into_iter();
            originals.map(|original| (entry.organization.as_str(), original, entry.key))
        })
        .collect();
    insert(write, &pairs).await
}

async fn insert(
    write: &mut SqliteConnection,
    pairs: &[(&str, Uuid, Uuid)],
) -> Result<(), StorageError> {
    for pairs in pairs.chunks(ROWS) {
        let mut statement = QueryBuilder::<sqlx::Sqlite>::new(
            "INSERT INTO document_credits (organization_id, original, note) ",
        );
        statement.push_values(pairs, |mut row, (organization, original, note)| {
            row.push_bind(*organization)
                .push_bind(original.as_bytes().as_slice())
                .push_bind(note.as_bytes().as_slice());
        });
        statement.push(" ON CONFLICT (organization_id, original, note) DO NOTHING");
        statement.build().execute(&mut *write).await?;
    }
    Ok(())
}

fn key(bytes: &[u8]) -> Result<Uuid, StorageError> {
    Uuid::from_slice(bytes).map_err(|error| StorageError::corrupt(error.to_string()))
}

fn money((currency, minor): (String, i64)) -> Result<Money, StorageError> {
    Currency::parse(&currency)
        .and_then(|currency| Money::from_minor(minor, currency))
        .ok_or_else(|| StorageError::corrupt(format!("{currency} {minor}")))
}
