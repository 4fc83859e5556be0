//! Documents of one organization that are replaced by others, in one statement.

use invoicing_storage::documents::{Action, DocumentRow};

use super::amount_classes::Spread;
use super::columns::{Array, RevisionColumns, array, arrays};
use super::rows::{RevisionId, row_columns};
use super::sums::{CountedDocument, SumsChange, upsert_sums};
use crate::engine::{Parameter, Write};

/// Rows, texts of buyers, history and sums. `$2` to `$26` are the arrays of the columns, which are read by position as in
/// [`upsert_sums!`].
const REPLACE: &str = concat!(
    "WITH document (key, ",
    row_columns!(),
    ", buyer_text, revision_id, subject, subject_name) AS (
        SELECT ($2::uuid[])[position], ($3::text[])[position], ($4::integer[])[position], ($5::integer[])[position],
            ($6::text[])[position], ($7::text[])[position], ($8::text[])[position], ($9::text[])[position],
            ($10::text[])[position], ($11::bigint[])[position], ($12::bigint[])[position], ($13::bigint[])[position],
            ($14::bigint[])[position], ($15::text[])[position], ($16::uuid[])[position], ($17::bigint[])[position],
            ($18::text[])[position], ($19::bigint[])[position], ($20::text[])[position], ($21::bytea[])[position],
            ($22::bytea[])[position], ($23::bytea[])[position], ($24::bytea[])[position], ($25::bytea[])[position],
            ($26::bytea[])[position], ($27::text[])[position], ($28::bigint[])[position], ($29::text[])[position],
            ($30::text[])[position]
        FROM generate_subscripts($2::uuid[], 1) AS position
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

/// Documents of one organization, each once, with the revisions of their histories, as columns of a statement.
pub(super) struct ReplacementColumns<'a> {
    organization: &'a str,
    /// The parameters from `$2` on, up to the action.
    values: Vec<Array<'a>>,
    action: &'static str,
    sums: SumsChange,
}

impl<'a> ReplacementColumns<'a> {
    /// `None` if there are no documents.
    pub(super) fn new(replacements: Vec<Replacement<'a>>, action: Action) -> Option<Self> {
        let first = replacements.first()?.row;
        let rows: Vec<_> = replacements.iter().map(|of| of.row).collect();
        let revisions = replacements
            .iter()
            .map(|of| RevisionColumns::new(of.row, action, of.id));
        let revisions: Vec<_> = revisions.collect();
        let mut values = arrays(&rows);
        values.push(array(&rows, |row| &*row.buyer_text));
        values.push(array(&revisions, |of| of.id.0));
        values.push(array(&revisions, |of| of.subject));
        values.push(array(&revisions, |of| of.subject_name));
        let added: Vec<_> = rows.iter().map(|row| CountedDocument::new(row)).collect();
        let removed = replacements.into_iter().map(|of| of.stored);
        Some(Self {
            organization: first.organization.as_str(),
            values,
            action: action.name(),
            sums: SumsChange::new(Spread::of(first.key), added, removed),
        })
    }

    /// The statement that replaces them.
    pub(super) fn write(&self) -> Write<'_> {
        let mut parameters: Vec<Parameter<'_>> = vec![&self.organization];
        parameters.extend(self.values.iter().map(|array| &**array as Parameter<'_>));
        parameters.push(&self.action);
        parameters.extend(self.sums.parameters());
        Write {
            statement: REPLACE,
            parameters,
        }
    }
}
