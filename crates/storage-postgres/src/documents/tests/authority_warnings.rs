//! The migration that stores the remarks of tax authorities beside their states, on a database with answers of before.

use invoicing_storage::suite::authority_answers::{ANSWERS, WITH_REMARKS};
use invoicing_test_postgres::Server;
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::open;

const MIGRATION: &str = include_str!("../../../migrations/0017_authority_warnings.sql");

/// Stores submissions with [`ANSWERS`], as versions before did: the first of the document with the key 1, and so on.
pub(super) async fn insert_answers(owner: &Client) {
    let organization = "SET app.organization = 'riyadh'";
    owner.batch_execute(organization).await.unwrap();
    for (index, (number, state, http_status, answer)) in (1..).zip(ANSWERS) {
        let id = Uuid::from_u128(index);
        let submission = "INSERT INTO document_submissions
                 (organization_id, id, document_key, issued_from, number, content, hash, state, created_at, answered_at)
             VALUES ('riyadh', $1, $1, '', $2, '', '', $3, 0, 0)";
        let stored = owner.execute(submission, &[&id, &number, &state]).await;
        assert_eq!(stored.unwrap(), 1);
        let attempt = "INSERT INTO document_submission_attempts
                 (organization_id, submission, id, started_at, ended_at, http_status, state, problem, answer)
             VALUES ('riyadh', $1, $1, 0, 0, $2, $3, '', $4)";
        let answer = answer.as_bytes();
        let values: [&(dyn ToSql + Sync); 4] = [&id, &http_status, &state, &answer];
        let stored = owner.execute(attempt, &values).await;
        assert_eq!(stored.unwrap(), 1);
    }
}

/// The numbers of the submissions that lists show as accepted with remarks.
pub(super) async fn with_remarks(owner: &Client) -> Vec<String> {
    let select = "SELECT number FROM document_submissions WHERE has_warnings ORDER BY number";
    let rows = owner.query(select, &[]).await.unwrap();
    rows.iter().map(|row| row.get("number")).collect()
}

#[tokio::test]
async fn submissions_that_were_answered_with_remarks_before_the_migration_say_so() {
    let (_store, database) = open().await;
    let owner = Server::shared().connect_as_owner(&database).await;
    let before = "ALTER TABLE document_submissions DROP COLUMN has_warnings";
    owner.batch_execute(before).await.unwrap();
    insert_answers(&owner).await;
    owner.batch_execute(MIGRATION).await.unwrap();
    assert_eq!(with_remarks(&owner).await, WITH_REMARKS);
}
