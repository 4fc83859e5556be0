//! Rows of `settings`. They are read at the start and not cached.

use crate::engine::Engine;
use invoicing_storage::StorageError;

const SELECT: &str = "SELECT value FROM settings WHERE name = ?1";

/// The value of a setting. Inserts `value` if there is none.
pub(super) async fn get_or_insert(
    engine: &Engine,
    name: &str,
    value: &str,
) -> Result<String, StorageError> {
    let (name, value) = (name.to_owned(), value.to_owned());
    engine
        .write(move |transaction| {
            let insert =
                "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING";
            transaction
                .prepare_cached(insert)?
                .execute((&name, &value))?;
            let mut select = transaction.prepare_cached(SELECT)?;
            Ok(select.query_row([&name], |row| row.get(0))?)
        })
        .await
}

/// The value of a setting.
pub(super) async fn get(engine: &Engine, name: &str) -> Result<Option<String>, StorageError> {
    engine.lookup_one(SELECT, [name], |row| row.get(0)).await
}
