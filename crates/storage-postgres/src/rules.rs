//! [`RuleStore`] on PostgreSQL.

use std::slice;

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::rules::{
    RoleHolder, RoleSet, RuleStore, RuleVersion, Rules, RulesPublication,
};
use invoicing_storage::{Basis, StorageError};
use tokio_postgres::Row;

use crate::Postgres;
use crate::audit::NewEvents;
use crate::directory::{can_sign_in, next_version};
use crate::engine::{
    EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, identifier, timestamp,
};

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
            "(SELECT g.organization_id, s.id AS subject, jsonb_agg(g.role ORDER BY g.role) AS roles, ",
            can_sign_in!(),
            " AS signs_in
              FROM grants g JOIN subjects s ON s.id = g.subject WHERE s.disabled_at IS NULL
              GROUP BY g.organization_id, s.id) sets"
        )
    };
}

#[async_trait]
impl RuleStore for Postgres {
    async fn rules_number(&self) -> Result<i64, StorageError> {
        let select = "SELECT coalesce(max(number), 0) AS number FROM rule_versions";
        let number = self
            .engine()
            .lookup_one(select, &[], |row| Ok(row.try_get("number")?));
        Ok(number.await?.unwrap_or(0))
    }

    async fn rules(&self, number: i64) -> Result<Option<Rules>, StorageError> {
        let select = concat!(
            "SELECT ",
            version_columns!(),
            ", text FROM rule_versions WHERE number = $1"
        );
        self.engine()
            .lookup_one(select, &[&number], |row| {
                Ok(Rules {
                    version: rule_version(row)?,
                    text: row.try_get("text")?,
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
            " FROM rule_versions WHERE number < $1 ORDER BY number DESC LIMIT $2"
        );
        let before = before.unwrap_or(i64::MAX);
        self.engine()
            .lookup_all(select, &[&before, &i64::from(size)], rule_version)
            .await
    }

    async fn publish_rules(
        &self,
        rules: &Rules,
        basis: Basis,
        event: &AuditEvent,
    ) -> Result<RulesPublication, StorageError> {
        let work = Publish {
            rules,
            basis,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn role_sets(&self) -> Result<Vec<RoleSet>, StorageError> {
        let select = concat!(
            "SELECT organization_id, roles::text AS roles, count(*) AS subjects, count(*) FILTER (WHERE signs_in) AS sign_in FROM ",
            role_sets!(),
            " GROUP BY organization_id, sets.roles ORDER BY organization_id, sets.roles"
        );
        self.engine()
            .lookup_all(select, &[], |row| {
                Ok(RoleSet {
                    organization: identifier(row, "organization_id")?,
                    roles: roles(row)?,
                    subjects: row.try_get("subjects")?,
                    sign_in: row.try_get("sign_in")?,
                })
            })
            .await
    }

    async fn role_holders(
        &self,
        sets: &[RoleSet],
        size: u32,
    ) -> Result<Vec<RoleHolder>, StorageError> {
        let select = concat!(
            "WITH wanted AS (SELECT value ->> 'organization' AS organization_id, value -> 'roles' AS roles
                 FROM jsonb_array_elements($1::text::jsonb) AS value)
             SELECT organization_id, subject, roles::text AS roles FROM ",
            role_sets!(),
            " JOIN wanted USING (organization_id, roles) ORDER BY organization_id, subject LIMIT $2"
        );
        let wanted = RoleSet::json_array(sets);
        self.engine()
            .lookup_all(select, &[&wanted, &i64::from(size)], |row| {
                Ok(RoleHolder {
                    organization: identifier(row, "organization_id")?,
                    subject: identifier(row, "subject")?,
                    roles: roles(row)?,
                })
            })
            .await
    }
}

/// The insertion of a version. Its number decides between publications at the same time.
struct Publish<'a> {
    rules: &'a Rules,
    basis: Basis,
    events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for Publish<'_> {
    type Output = RulesPublication;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<RulesPublication>, EngineError> {
        let Rules { version, text } = self.rules;
        let insert = "INSERT INTO rule_versions
                (number, concurrency_stamp, published_by, published_at, comment, restores, text)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (number) DO NOTHING";
        let row: [Parameter<'_>; 7] = [
            &version.number,
            &version.concurrency_stamp.as_str(),
            &version.published_by,
            &version.published_at.as_millis(),
            &version.comment,
            &version.restores,
            text,
        ];
        if transaction.execute(insert, &row).await? == 0 {
            let recorded = self.events.are_recorded(transaction).await?;
            return Ok(TransactionEnd::Rollback(if recorded {
                RulesPublication::Published
            } else {
                RulesPublication::Stale
            }));
        }
        self.events.record(transaction).await?;
        // Last, because processes wait for each other from here to the commit. Decides whether the basis is current, also after
        // it has waited.
        let increment = concat!(
            "UPDATE versions SET number = ",
            next_version!(),
            " WHERE name = 'directory' AND number = $1"
        );
        let basis: [Parameter<'_>; 1] = [&self.basis.version()];
        Ok(match transaction.execute(increment, &basis).await? {
            0 => TransactionEnd::Rollback(RulesPublication::Outdated),
            _ => TransactionEnd::Commit(RulesPublication::Published),
        })
    }
}

fn rule_version(row: &Row) -> Result<RuleVersion, EngineError> {
    Ok(RuleVersion {
        number: row.try_get("number")?,
        concurrency_stamp: identifier(row, "concurrency_stamp")?,
        published_by: row.try_get("published_by")?,
        published_at: timestamp(row, "published_at")?,
        comment: row.try_get("comment")?,
        restores: row.try_get("restores")?,
    })
}

fn roles(row: &Row) -> Result<Vec<String>, EngineError> {
    let json: &str = row.try_get("roles")?;
    Ok(serde_json::from_str(json).map_err(StorageError::corrupt)?)
}
