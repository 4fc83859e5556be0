//! [`DocumentStore`] on SQLite: the writes. Lists are in `documents_list`, sums in `documents_sums`.

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoicing_contract::messages::documents::{Document, Event, Kind, Revision};
use prost::Message as _;
use sqlx::SqliteConnection;
use uuid::Uuid;

use super::{Sqlite, documents_credits, documents_import, documents_list, documents_sums};
use invoicing_storage::StorageError;
use invoicing_storage::documents::{
    Action, Added, Changed, Credited, DocumentStore, Entry, ListPage, ListQuery, Month, Numbered,
    Numbering, Series, credits_of,
};

#[async_trait]
impl DocumentStore for Sqlite {
    async fn document(
        &self,
        organization: &str,
        key: Uuid,
    ) -> Result<Option<Document>, StorageError> {
        let mut connection = self.readers().acquire().await?;
        Ok(find(&mut connection, organization, key)
            .await?
            .map(|found| found.document))
    }

    async fn add_document(&self, entry: &Entry, month: &Month) -> Result<Added, StorageError> {
        let mut write = self.write().await?;
        if find(&mut write, &entry.organization, entry.key)
            .await?
            .is_some()
        {
            return Ok(Added::KeyTaken);
        }
        let counted = sqlx::query(
            "INSERT INTO document_months (organization_id, month, created) VALUES ($1, $2, 0)
             ON CONFLICT (organization_id, month) DO NOTHING",
        );
        counted
            .bind(&entry.organization)
            .bind(&month.name)
            .execute(&mut *write)
            .await?;
        let counted = sqlx::query(
            "UPDATE document_months SET created = created + 1
             WHERE organization_id = $1 AND month = $2 AND ($3 IS NULL OR created < $3)",
        );
        let counted = counted
            .bind(&entry.organization)
            .bind(&month.name)
            .bind(month.limit)
            .execute(&mut *write)
            .await?;
        if counted.rows_affected() == 0 {
            return Ok(Added::PlanLimit);
        }
        insert(&mut write, entry).await?;
        documents_sums::add(&mut write, entry).await?;
        remember(&mut write, entry, Action::Created).await?;
        write.commit().await?;
        Ok(Added::Stored)
    }

    async fn replace_document(
        &self,
        entry: &Entry,
        stamp: &str,
        action: Action,
    ) -> Result<Changed, StorageError> {
        let mut write = self.write().await?;
        let Some(found) = find_at(&mut write, (&entry.organization, entry.key), stamp).await?
        else {
            return Ok(Changed::Stale);
        };
        replace(&mut write, &found, entry, action).await?;
        write.commit().await?;
        Ok(Changed::Stored)
    }

    async fn number_document(
        &self,
        at: (&str, Uuid),
        stamp: &str,
        series: &Series,
        numbering: Numbering<'_>,
    ) -> Result<Numbered, StorageError> {
        let mut write = self.write().await?;
        let Some(found) = find_at(&mut write, at, stamp).await? else {
            return Ok(Numbered::Stale);
        };
        // Nobody else writes meanwhile, so that of two notes the second one sees the first.
        let originals = credits_of(&found.document);
        let credited = documents_credits::credited(&mut write, at.0, &originals).await?;
        let next: i64 = sqlx::query_scalar(
            "INSERT INTO document_series (organization_id, kind, year, last_number) VALUES ($1, $2, $3, 1)
             ON CONFLICT (organization_id, kind, year) DO UPDATE SET last_number = last_number + 1 RETURNING last_number",
        )
        .bind(at.0)
        .bind(series.kind as i32)
        .bind(series.year)
        .fetch_one(&mut *write)
        .await?;
        let entry = match numbering(next, &credited)? {
            Ok(entry) => entry,
            Err(violation) => return Ok(Numbered::Refused(violation)),
        };
        replace(&mut write, &found, &entry, Action::Issued).await?;
        documents_credits::remember(&mut write, std::slice::from_ref(&entry)).await?;
        write.commit().await?;
        Ok(Numbered::Stored(Box::new(entry.document)))
    }

    async fn credited(
        &self,
        organization: &str,
        originals: &BTreeSet<Uuid>,
    ) -> Result<Credited, StorageError> {
        let mut connection = self.readers().acquire().await?;
        documents_credits::credited(&mut connection, organization, originals).await
    }

    async fn delete_document(&self, entry: &Entry, stamp: &str) -> Result<Changed, StorageError> {
        let mut write = self.write().await?;
        let Some(found) = find_at(&mut write, (&entry.organization, entry.key), stamp).await?
        else {
            return Ok(Changed::Stale);
        };
        documents_sums::remove(&mut write, found.id).await?;
        sqlx::query("DELETE FROM documents WHERE id = $1")
            .bind(found.id)
            .execute(&mut *write)
            .await?;
        remember(&mut write, entry, Action::Deleted).await?;
        write.commit().await?;
        Ok(Changed::Stored)
    }

    async fn document_history(
        &self,
        organization: &str,
        key: Uuid,
        most: u32,
    ) -> Result<Vec<Revision>, StorageError> {
        let rows: Vec<(String, Vec<u8>)> = sqlx::query_as(
            "SELECT action, body FROM document_history
             WHERE organization_id = $1 AND key = $2 ORDER BY id DESC LIMIT $3",
        )
        .bind(organization)
        .bind(key.as_bytes().as_slice())
        .bind(most)
        .fetch_all(self.readers())
        .await?;
        let revision = |(action, body): (String, Vec<u8>)| {
            let document = decode(&body)?;
            Ok(Revision {
                action,
                // Every write says in the document who made it.
                event: document.updated.clone(),
                document: Some(document),
            })
        };
        rows.into_iter().map(revision).collect()
    }

    async fn documents_created(
        &self,
        organization: &str,
        month: &str,
    ) -> Result<i64, StorageError> {
        let created: Option<i64> = sqlx::query_scalar(
            "SELECT created FROM document_months WHERE organization_id = $1 AND month = $2",
        )
        .bind(organization)
        .bind(month)
        .fetch_optional(self.readers())
        .await?;
        Ok(created.unwrap_or_default())
    }

    async fn list_documents(&self, query: &ListQuery) -> Result<ListPage, StorageError> {
        // One transaction, so that page, total and sums are of one moment.
        let mut read = self.readers().begin().await?;
        let page = documents_list::page(&mut read, query).await?;
        read.commit().await?;
        Ok(page)
    }

    async fn count_documents(&self, organization: &str) -> Result<u64, StorageError> {
        let count: i64 = sqlx::query_scalar(
            "SELECT CAST(coalesce(sum(documents), 0) AS BIGINT) FROM document_sums WHERE organization_id = $1",
        )
        .bind(organization)
        .fetch_one(self.readers())
        .await?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    async fn last_numbers(&self, organization: &str) -> Result<Vec<(Series, i64)>, StorageError> {
        let rows: Vec<(i32, i16, i64)> = sqlx::query_as(
            "SELECT kind, year, last_number FROM document_series WHERE organization_id = $1",
        )
        .bind(organization)
        .fetch_all(self.readers())
        .await?;
        let series = |(kind, year, last): (i32, i16, i64)| {
            let kind =
                Kind::try_from(kind).map_err(|error| StorageError::corrupt(error.to_string()))?;
            Ok((Series { kind, year }, last))
        };
        rows.into_iter().map(series).collect()
    }

    async fn import_documents(
        &self,
        entries: &[Entry],
        series: &[(Series, i64)],
    ) -> Result<(), StorageError> {
        let Some(first) = entries.first() else {
            return Ok(());
        };
        let mut write = self.write().await?;
        documents_import::insert(&mut write, entries).await?;
        documents_sums::add_all(&mut write, entries).await?;
        documents_credits::remember(&mut write, entries).await?;
        for (series, last) in series {
            sqlx::query(
                "INSERT INTO document_series (organization_id, kind, year, last_number) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (organization_id, kind, year) DO UPDATE SET last_number = max(last_number, excluded.last_number)",
            )
            .bind(&first.organization)
            .bind(series.kind as i32)
            .bind(series.year)
            .bind(last)
            .execute(&mut *write)
            .await?;
        }
        Ok(write.commit().await?)
    }
}

struct Found {
    id: i64,
    document: Document,
}

async fn find(
    connection: &mut SqliteConnection,
    organization: &str,
    key: Uuid,
) -> Result<Option<Found>, StorageError> {
    let row: Option<(i64, Vec<u8>)> = sqlx::query_as(
        "SELECT d.id, b.body FROM documents d JOIN document_contents b ON b.id = d.id
         WHERE d.organization_id = $1 AND d.key = $2",
    )
    .bind(organization)
    .bind(key.as_bytes().as_slice())
    .fetch_optional(connection)
    .await?;
    row.map(|(id, body)| {
        Ok(Found {
            id,
            document: decode(&body)?,
        })
    })
    .transpose()
}

/// The document, if it has this stamp.
async fn find_at(
    connection: &mut SqliteConnection,
    at: (&str, Uuid),
    stamp: &str,
) -> Result<Option<Found>, StorageError> {
    let found = find(connection, at.0, at.1).await?;
    Ok(found.filter(|found| found.document.concurrency_stamp == stamp))
}

pub(super) fn decode(body: &[u8]) -> Result<Document, StorageError> {
    Document::decode(body)
        .map_err(|error| StorageError::corrupt(format!("a document's body: {error}")))
}

async fn insert(write: &mut SqliteConnection, entry: &Entry) -> Result<(), StorageError> {
    let buyer = buyer_text(write, entry).await?;
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO documents (organization_id, key, concurrency_stamp, status, kind, number, number_sort_key, issue_date, due_date,
             currency, net, tax, gross, gross_sort_key, buyer_sort_key, buyer_text_id, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) RETURNING id",
    )
    .bind(&entry.organization)
    .bind(entry.key.as_bytes().as_slice())
    .bind(&entry.document.concurrency_stamp)
    .bind(entry.status as i32)
    .bind(entry.kind as i32)
    .bind(&entry.number)
    .bind(&entry.number_order)
    .bind(&entry.issue_date)
    .bind(&entry.due_date)
    .bind(entry.currency.code())
    .bind(entry.net)
    .bind(entry.tax)
    .bind(entry.gross)
    .bind(entry.gross_order)
    .bind(&entry.buyer_order)
    .bind(buyer)
    .bind(entry.updated_at)
    .fetch_one(&mut *write)
    .await?;
    sqlx::query("INSERT INTO document_contents (id, supply_date, payable, note, body) VALUES ($1, '', 0, '', $2)")
        .bind(id)
        .bind(entry.document.encode_to_vec())
        .execute(write)
        .await?;
    Ok(())
}

/// Writes over what was found: row, body, sums and history.
async fn replace(
    write: &mut SqliteConnection,
    found: &Found,
    entry: &Entry,
    action: Action,
) -> Result<(), StorageError> {
    documents_sums::remove(write, found.id).await?;
    let buyer = buyer_text(write, entry).await?;
    sqlx::query(
        "UPDATE documents SET concurrency_stamp = $2, status = $3, kind = $4, number = $5, number_sort_key = $6, issue_date = $7,
             due_date = $8, currency = $9, net = $10, tax = $11, gross = $12, gross_sort_key = $13, buyer_sort_key = $14,
             buyer_text_id = $15, updated_at = $16
         WHERE id = $1",
    )
    .bind(found.id)
    .bind(&entry.document.concurrency_stamp)
    .bind(entry.status as i32)
    .bind(entry.kind as i32)
    .bind(&entry.number)
    .bind(&entry.number_order)
    .bind(&entry.issue_date)
    .bind(&entry.due_date)
    .bind(entry.currency.code())
    .bind(entry.net)
    .bind(entry.tax)
    .bind(entry.gross)
    .bind(entry.gross_order)
    .bind(&entry.buyer_order)
    .bind(buyer)
    .bind(entry.updated_at)
    .execute(&mut *write)
    .await?;
    sqlx::query("UPDATE document_contents SET body = $2 WHERE id = $1")
        .bind(found.id)
        .bind(entry.document.encode_to_vec())
        .execute(&mut *write)
        .await?;
    documents_sums::add(write, entry).await?;
    remember(write, entry, action).await
}

pub(super) async fn buyer_text(
    write: &mut SqliteConnection,
    entry: &Entry,
) -> Result<i64, StorageError> {
    let known: Option<i64> =
        sqlx::query_scalar("SELECT id FROM buyer_texts WHERE organization_id = $1 AND text = $2")
            .bind(&entry.organization)
            .bind(&entry.buyer_text)
            .fetch_optional(&mut *write)
            .await?;
    if let Some(known) = known {
        return Ok(known);
    }
    let added = sqlx::query_scalar(
        "INSERT INTO buyer_texts (organization_id, text) VALUES ($1, $2) RETURNING id",
    );
    Ok(added
        .bind(&entry.organization)
        .bind(&entry.buyer_text)
        .fetch_one(write)
        .await?)
}

async fn remember(
    write: &mut SqliteConnection,
    entry: &Entry,
    action: Action,
) -> Result<(), StorageError> {
    let Event { by, by_name, .. } = entry.document.updated.clone().unwrap_or_default();
    sqlx::query(
        "INSERT INTO document_history (organization_id, key, action, at, subject, subject_name, body)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&entry.organization)
    .bind(entry.key.as_bytes().as_slice())
    .bind(action.name())
    .bind(entry.updated_at)
    .bind(by)
    .bind(by_name)
    .bind(entry.document.encode_to_vec())
    .execute(write)
    .await?;
    Ok(())
}
