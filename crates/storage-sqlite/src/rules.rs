//! [`RuleStore`] on SQLite.

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Row, params};

use crate::Sqlite;
use crate::audit::record_event;
use crate::directory::can_sign_in;
use crate::engine::{TransactionEnd, identifier};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::rules::{
    RoleHolder, RoleSet, RuleStore, RuleVersion, Rules, RulesPublication,
};
use invoicing_storage::{Basis, StorageError};

/// The columns that [`rule_version`] reads.
macro_rules! version_columns {
    () => {
        "number, concurrency_stamp, published_by, published_at, comment, restores"
    };
}

/// The roles of each subject that is not disabled in each organization, as a JSON array, and whether it is a person who can sign
/// in.
macro_rules! role_sets {
    () => {
        concat!(
            "(SELECT g.organization_id, g.subject, json_group_array(g.role ORDER BY g.role) AS roles, ",
            can_sign_in!(),
            " AS signs_in
              FROM grants g JOIN subjects s ON s.id = g.subject WHERE s.disabled_at IS NULL
              GROUP BY g.organization_id, g.subject)"
        )
    };
}

#[async_trait]
impl RuleStore for Sqlite {
    async fn rules_number(&self) -> Result<i64, StorageError> {
        let select = "SELECT coalesce(max(number), 0) FROM rule_versions";
        let number = self.engine().lookup_one(select, (), |row| row.get(0));
        Ok(number.await?.unwrap_or(0))
    }

    async fn rules(&self, number: i64) -> Result<Option<Rules>, StorageError> {
        let select = concat!(
            "SELECT ",
            version_columns!(),
            ", text FROM rule_versions WHERE number = ?1"
        );
        self.engine()
            .lookup_one(select, [number], |row| {
                Ok(Rules {
                    version: rule_version(row)?,
                    text: row.get("text")?,
                })
            })
            .await
    }

    async fn rule_versions(
        &self,
        before: Option<i64>,
        size: u32,
    ) -> Result<Vec<RuleVersion>, StorageError> {
        let select = concat!(
            "SELECT ",
            version_columns!(),
            " FROM rule_versions WHERE number < ?1 ORDER BY number DESC LIMIT ?2"
        );
        let before = before.unwrap_or(i64::MAX);
        self.engine()
            .lookup_all(select, (before, size), rule_version)
            .await
    }

    async fn publish_rules(
        &self,
        rules: &Rules,
        basis: Basis,
        event: &AuditEvent,
    ) -> Result<RulesPublication, StorageError> {
        let (rules, event) = (rules.clone(), event.clone());
        self.engine()
            .transact(move |transaction| {
                let select = "SELECT number FROM generation WHERE id = 1";
                let version: i64 = transaction
                    .prepare_cached(select)?
                    .query_row([], |row| row.get(0))?;
                let Rules { version: new, text } = &rules;
                let insert = "INSERT INTO rule_versions
                        (number, concurrency_stamp, published_by, published_at, comment, restores, text)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (number) DO NOTHING";
                let inserted = transaction.prepare_cached(insert)?.execute(params![
                    new.number,
                    new.concurrency_stamp.as_str(),
                    new.published_by,
                    new.published_at.as_millis(),
                    new.comment,
                    new.restores,
                    text
                ])?;
                if inserted == 0 {
                    return Ok(TransactionEnd::Rollback(RulesPublication::Stale));
                }
                if version != basis.version() {
                    return Ok(TransactionEnd::Rollback(RulesPublication::Outdated));
                }
                record_event(transaction, &event)?;
                Ok(TransactionEnd::Commit(RulesPublication::Published))
            })
            .await
    }

    async fn role_sets(&self) -> Result<Vec<RoleSet>, StorageError> {
        let select = concat!(
            "SELECT organization_id, roles, count(*), count(*) FILTER (WHERE signs_in) FROM ",
            role_sets!(),
            " GROUP BY organization_id, roles ORDER BY organization_id, roles"
        );
        self.engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(select)?;
                let rows = select.query_map([], |row| {
                    Ok(RoleSet {
                        organization: identifier(row, 0)?,
                        roles: roles(row, 1)?,
                        subjects: row.get(2)?,
                        sign_in: row.get(3)?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    async fn role_holders(
        &self,
        sets: &[RoleSet],
        size: u32,
    ) -> Result<Vec<RoleHolder>, StorageError> {
        let wanted = RoleSet::json_array(sets);
        let select = concat!(
            "WITH wanted AS (SELECT value ->> 'organization' AS organization_id, value -> 'roles' AS roles FROM json_each(?1))
             SELECT organization_id, subject, roles FROM ",
            role_sets!(),
            " JOIN wanted USING (organization_id, roles) ORDER BY organization_id, subject LIMIT ?2"
        );
        self.engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(select)?;
                let rows = select.query_map((&wanted, size), |row| {
                    Ok(RoleHolder {
                        organization: identifier(row, 0)?,
                        subject: identifier(row, 1)?,
                        roles: roles(row, 2)?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }
}

fn rule_version(row: &Row<'_>) -> rusqlite::Result<RuleVersion> {
    Ok(RuleVersion {
        number: row.get("number")?,
        concurrency_stamp: row.get::<_, String>("concurrency_stamp")?.into(),
        published_by: row.get("published_by")?,
        published_at: Timestamp::from_millis(row.get("published_at")?),
        comment: row.get("comment")?,
        restores: row.get("restores")?,
    })
}

fn roles(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<String>> {
    let json = row.get_ref(column)?.as_str()?;
    serde_json::from_str(json).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
    })
}
