//! The codes with which people set a password, one for each.

use invoicing_contract::SubjectId;
use invoicing_storage::users::{CodePurpose, PasswordCode};
use rusqlite::{Connection, params};

/// Deletes the code of a person, who has a password now.
pub(super) fn delete_code(connection: &Connection, subject: &str) -> rusqlite::Result<()> {
    let delete = "DELETE FROM password_codes WHERE subject = ?1";
    connection
        .prepare_cached(delete)?
        .execute([subject])
        .map(drop)
}

/// Stores the code of a subject in place of one before, whose purpose it keeps.
pub(super) fn upsert_code(
    connection: &Connection,
    id: &SubjectId,
    purpose: CodePurpose,
    epoch: i64,
    code: &PasswordCode,
) -> rusqlite::Result<()> {
    let upsert = "INSERT INTO password_codes (subject, hash, purpose, epoch, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (subject) DO UPDATE SET hash = excluded.hash, epoch = excluded.epoch, created_at = excluded.created_at,
            expires_at = excluded.expires_at";
    connection.prepare_cached(upsert)?.execute(params![
        id.as_str(),
        code.hash.as_bytes(),
        purpose.name(),
        epoch,
        code.created_at.as_millis(),
        code.expires_at.as_millis()
    ])?;
    Ok(())
}
