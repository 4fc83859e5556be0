//! Pages of events: one statement for each index that can find them.

use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::{AuditEventKind, Query};
use tokio_postgres::Row;

use super::columns;
use crate::engine::Engine;

/// Events that fulfil `$condition`, whose parameter is the ninth, and the other conditions of the query as far as it has them.
/// An index is only found by a condition that is always there.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT at, id, ",
            columns!(),
            " FROM audit_events WHERE ",
            $condition,
            " AND at >= $1 AND at < $2 AND (at, id) < ($3, $4)
                AND ($5::text[] IS NULL OR kind = ANY($5))
                AND ($6::text IS NULL OR actor = $6)
                AND ($7::text IS NULL OR organization_id = $7)
                AND ($10::text IS NULL OR subject = $10 OR actor = $10)
                AND ($11::text IS NULL OR client_id = $11)
                AND ($12::text IS NULL OR kind <> 'token_issued' AND detail::jsonb ->> 'correlation_id' = $12)
              ORDER BY at DESC, id DESC LIMIT $8"
        )
    };
}

pub(super) const BY_SUBJECT: &str = select!("subject = $9::text");
pub(super) const BY_ORGANIZATION: &str = select!("organization_id = $9::text");
pub(super) const BY_ACTOR: &str = select!("actor = $9::text");
pub(super) const BY_PERSON: &str = select!("(subject = $9::text OR actor = $9::text)");
// The order of the index is then that of the result.
pub(super) const BY_KIND: &str = select!("kind = $9::text AND kind <> 'token_issued'");
/// The latest of each kind, and of these the latest: an index has the order of the times within a kind.
pub(super) const BY_ORGANIZATION_AND_KINDS: &str = concat!(
    "SELECT page.* FROM (SELECT DISTINCT unnest($5::text[])) AS wanted (kind) CROSS JOIN LATERAL (",
    select!(
        "organization_id = $9::text AND audit_events.kind = wanted.kind AND kind <> 'token_issued'"
    ),
    ") AS page ORDER BY at DESC, id DESC LIMIT $8"
);
const BY_KINDS: &str = select!("$9::text IS NULL AND kind <> 'token_issued'");
pub(super) const BY_TIME: &str = select!("$9::text IS NULL");

/// The rows of the page that `query` asks for.
pub(super) async fn rows(engine: &Engine, query: &Query) -> Result<Vec<Row>, StorageError> {
    let subject = query.subject.as_ref().map(SubjectId::as_str);
    let actor = query.actor.as_deref();
    let organization = query.organization.as_ref().map(OrganizationId::as_str);
    let kinds: Vec<&str> = query.kinds.iter().map(|kind| kind.name()).collect();
    let person = query.person.as_ref().map(SubjectId::as_str);
    let client_id = query.client_id.as_ref().map(ClientId::as_str);
    let correlation_id = query.correlation_id.as_deref();
    // Issued tokens have no correlation id.
    let without_tokens = correlation_id.is_some()
        || !kinds.is_empty() && !query.kinds.contains(&AuditEventKind::TokenIssued);
    let (select, key) = match (subject, actor, person, organization, &*kinds) {
        (Some(_), _, _, _, _) => (BY_SUBJECT, subject),
        (None, Some(_), _, _, _) => (BY_ACTOR, actor),
        (None, None, Some(_), _, _) => (BY_PERSON, person),
        (None, None, None, Some(_), [_, ..]) if without_tokens => {
            (BY_ORGANIZATION_AND_KINDS, organization)
        }
        (None, None, None, Some(_), _) => (BY_ORGANIZATION, organization),
        (None, None, None, None, [kind]) if without_tokens => (BY_KIND, Some(*kind)),
        (None, None, None, None, _) if without_tokens => (BY_KINDS, None),
        (None, None, None, None, _) => (BY_TIME, None),
    };
    let kinds = (!kinds.is_empty()).then_some(kinds);
    let from = query.from.map_or(i64::MIN, Timestamp::as_millis);
    let to = query.to.map_or(i64::MAX, Timestamp::as_millis);
    let (after_at, after_id) = query
        .after
        .map_or((i64::MAX, i64::MAX), |(at, id)| (at.as_millis(), id));
    let size = i64::from(query.size);
    // Events of other organizations are not seen then, whatever the statement says (decision 0103).
    engine
        .rows(
            query.organization.as_ref(),
            select,
            &[
                &from,
                &to,
                &after_at,
                &after_id,
                &kinds,
                &actor,
                &organization,
                &size,
                &key,
                &person,
                &client_id,
                &correlation_id,
            ],
        )
        .await
}
