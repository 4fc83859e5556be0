//! What migrations derive from rows, derived again of the rows that programs of the version before wrote after them (decision 0104).

use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;

use crate::directory::derive_domains;
use crate::documents::{classify_sums, derive_rows};
use crate::engine::{Engine, EngineError, Parameter};

/// The first migration that derives rows from documents.
const FIRST: i32 = 12;
/// By which the clocks of processes differ at most, and after which a transaction has ended.
const MARGIN: Duration = Duration::from_secs(24 * 60 * 60);

const SELECT_SINCE: &str = "SELECT min(coalesce(derived_until, applied_at)) AS since FROM schema_migrations WHERE version >= $1";
const SET_UNTIL: &str = "UPDATE schema_migrations SET derived_until = $2 WHERE version >= $1";

/// Derives what is missing, also that of a run before that was interrupted. As the role that owns the tables. Programs of the version
/// before may write more of it meanwhile, for the next run.
pub(super) async fn derive(engine: &Engine, now: Timestamp) -> Result<(), StorageError> {
    let row = engine.row(None, SELECT_SINCE, &[&FIRST]).await?;
    let since = row.map(|row| row.try_get::<_, Option<i64>>("since"));
    let since = since.transpose().map_err(EngineError::from)?.flatten();
    let since = since.map_or(Timestamp::MIN, Timestamp::from_millis);
    derive_domains(engine).await?;
    derive_rows(engine, since.minus(MARGIN)).await?;
    classify_sums(engine).await?;
    let until: [Parameter<'_>; 2] = [&FIRST, &now.as_millis()];
    engine.write_statement(&[], SET_UNTIL, &until).await?;
    Ok(())
}
