//! Documents of one organization that are replaced by others, in one statement.

use invoicing_storage::documents::{Action, DocumentRow};

use super::columns::{RevisionColumns, StoredColumns, array, arrays};
use super::rows::{RevisionId, row_columns};
use super::sums::{CountedDocument, SumsChange, slot, upsert_sums};
use crate::engine::{EngineError, Parameter, Transaction};

/// Rows, texts of buyers, history and sums. `$2` to `$26` are the arrays of the columns.
const REPLACE: &str = concat!(
    "WITH document AS (
        SELECT * FROM unnest($2::uuid[], $3::text[], $4::integer[], $5::integer[], $6::text[], $7::text[], $8::text[],
            $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::text[], $16::uuid[],
            $17::bigint[], $18::text[], $19::bigint[], $20::text[], $21::bytea[], $22::bytea[], $23::bytea[], $24::bytea[],
            $25::bytea[], $26::bytea[], $27::text[], $28::bigint[], $29::text[], $30::text[])
            AS document (key, ",
    row_columns!(),
    ", buyer_text, revision_id, subject, subject_name)
    ), replaced AS (
        UPDATE documents SET (",
    row_columns!(),
    ") = (SELECT ",
    row_columns!(),
    " FROM document WHERE document.key = documents.key)
        WHERE organization_id = $1 AND key = ANY ($2)
    ), text AS (
        INSERT INTO buyer_texts (organization_id, id, text)
        SELECT DISTINCT $1::text, buyer_text_id, buyer_text FROM document ORDER BY buyer_text_id
        ON CONFLICT (organization_id, id) DO NOTHING
    ), revision AS (
        INSERT INTO document_history (organization_id, key, revision, at, id, action, subject, subject_name, body)
        SELECT $1, document.key, 1 + coalesce((
                SELECT max(revision) FROM document_history WHERE organization_id = $1 AND key = document.key
            ), 0), updated_at, revision_id, $31::text, subject, subject_name, body
        FROM document
    ) ",
    upsert_sums!(
        "(SELECT $1::text AS organization_id)",
        "$32", "$33", "$34", "$35", "$36", "$37", "$38", "$39", "$40"
    )
);

/// A document in place of one that is locked.
pub(super) struct Replacement<'a> {
    pub(super) row: &'a DocumentRow,
    /// The one that it replaces.
    pub(super) stored: CountedDocument,
    /// The id of the revision.
    pub(super) id: RevisionId,
}

/// Replaces documents of one organization, each once, and appends the revisions to their histories.
pub(super) async fn replace_all(
    transaction: &Transaction,
    replacements: Vec<Replacement<'_>>,
    action: Action,
) -> Result<(), EngineError> {
    let Some(first) = replacements.first() else {
        return Ok(());
    };
    let organization = first.row.organization.as_str();
    // Any slot: they are added up.
    let slot = slot(first.row.key);
    let rows: Vec<_> = replacements.iter().map(|of| (of.row, of.id)).collect();
    let added: Vec<_> = rows
        .iter()
        .map(|(row, _)| CountedDocument::new(row))
        .collect();
    let sums = SumsChange::new(slot, added, replacements.into_iter().map(|of| of.stored));

    let columns: Vec<_> = rows
        .iter()
        .map(|(row, _)| StoredColumns::new(row))
        .collect();
    let revisions = rows
        .iter()
        .map(|(row, id)| RevisionColumns::new(row, action, *id));
    let revisions: Vec<_> = revisions.collect();
    let mut values = arrays(&columns);
    values.push(array(&rows, |(row, _)| &*row.buyer_text));
    values.push(array(&revisions, |of| of.id.0));
    values.push(array(&revisions, |of| of.subject));
    values.push(array(&revisions, |of| of.subject_name));

    let action = action.name();
    let mut parameters: Vec<Parameter<'_>> = vec![&organization];
    parameters.extend(values.iter().map(|array| &**array as Parameter<'_>));
    parameters.push(&action);
    parameters.extend(sums.parameters());
    transaction.execute(REPLACE, &parameters).await?;
    Ok(())
}
