//! The directory on PostgreSQL: settings, organizations, tenants, subjects, applications, keys and personal access tokens.

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};
use invoicing_storage::applications::{Application, ApplicationStore, SecretRotation};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::{DirectoryStore, Organization, Tenant};
use invoicing_storage::keys::{KeyRotation, KeyStore, SigningKeyRecord};
use invoicing_storage::pats::{PatStore, PersonalAccessToken};
use invoicing_storage::provisioning::*;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::subjects::{Account, Grant, Member, Subject, SubjectStore};
use invoicing_storage::{Basis, StorageError};

use crate::Postgres;
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

/// Increments the version of the cached records. Last in the transaction of every change of one: processes wait for each
/// other from here to the commit.
pub(crate) async fn increment_version(transaction: &Transaction) -> Result<(), EngineError> {
    let update = "UPDATE versions SET number = number + 1 WHERE name = 'directory'";
    transaction.execute(update, &[]).await?;
    Ok(())
}

const SELECT_SETTING: &str = "SELECT value FROM settings WHERE name = $1";

/// Inserts a setting, unless there is one. The value is the stored one.
struct InsertSetting<'a> {
    name: &'a str,
    value: &'a str,
}

#[async_trait]
impl TransactionWork for InsertSetting<'_> {
    type Output = String;

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<String>, EngineError> {
        let insert =
            "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
        transaction
            .execute(insert, &[&self.name, &self.value])
            .await?;
        // In a statement of its own: the one before does not see a value that it waited for.
        let row = transaction.row(SELECT_SETTING, &[&self.name]).await?;
        let row = row.ok_or_else(|| StorageError::corrupt("a setting was deleted"))?;
        Ok(TransactionEnd::Commit(row.try_get("value")?))
    }
}

#[async_trait]
impl DirectoryStore for Postgres {
    async fn setting_or(&self, name: &str, value: &str) -> Result<String, StorageError> {
        let work = InsertSetting { name, value };
        self.engine().write(&work).await
    }
    async fn setting(&self, name: &str) -> Result<Option<String>, StorageError> {
        let row = self.engine().row(None, SELECT_SETTING, &[&name]).await?;
        let value = row.map(|row| row.try_get("value").map_err(EngineError::from));
        Ok(value.transpose()?)
    }
    async fn add_organization(&self, _organization: &Organization) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn organization(
        &self,
        _id: &OrganizationId,
    ) -> Result<Option<Organization>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn organization_of_domain(
        &self,
        _domain: &str,
    ) -> Result<Option<OrganizationId>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn organizations(&self) -> Result<Vec<Organization>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn name_operator(
        &self,
        _organization: &OrganizationId,
        _event: &AuditEvent,
    ) -> Result<OrganizationId, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn operator(&self) -> Result<Option<OrganizationId>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn add_tenant(&self, _tenant: &Tenant) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn set_limits(
        &self,
        _organization: &OrganizationId,
        _monthly_documents: Option<i64>,
        _requests_per_minute: Option<i64>,
        _event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn tenant(
        &self,
        _organization: &OrganizationId,
        _basis: Basis,
    ) -> Result<Option<Arc<Tenant>>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}

#[async_trait]
impl SubjectStore for Postgres {
    async fn add_subject(
        &self,
        _subject: &Subject,
        _event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn member(
        &self,
        _id: &SubjectId,
        _basis: Basis,
    ) -> Result<Option<Arc<Member>>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn subject_by_username(&self, _username: &str) -> Result<Option<Subject>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn account(&self, _name: &str) -> Result<Option<Account>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn accounts(
        &self,
        _home_organization: Option<&OrganizationId>,
        _after: Option<&SubjectId>,
        _size: u32,
    ) -> Result<Vec<Account>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn disable_subject(
        &self,
        _id: &SubjectId,
        _now: Timestamp,
        _event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn enable_subject(
        &self,
        _id: &SubjectId,
        _event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn set_password(
        &self,
        _id: &SubjectId,
        _password_hash: &str,
        _must_change: bool,
        _event: &AuditEvent,
    ) -> Result<Option<i64>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn add_grant(
        &self,
        _subject: &SubjectId,
        _organization: &OrganizationId,
        _role: &str,
        _event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn remove_grant(
        &self,
        _subject: &SubjectId,
        _organization: &OrganizationId,
        _role: &str,
        _event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn grants(&self, _subject: &SubjectId) -> Result<Vec<Grant>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}

#[async_trait]
impl ApplicationStore for Postgres {
    async fn put_application(
        &self,
        _application: &Application,
        _event: &AuditEvent,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn application(
        &self,
        _client_id: &ClientId,
        _basis: Basis,
    ) -> Result<Option<Arc<Application>>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn applications(&self) -> Result<Vec<Application>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn rotate_client_secret(
        &self,
        _client_id: &ClientId,
        _secret: &TokenHash,
        _now: Timestamp,
        _overlap_until: Timestamp,
        _event: &AuditEvent,
    ) -> Result<SecretRotation, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}

#[async_trait]
impl ProvisioningStore for Postgres {
    async fn create_tenant(
        &self,
        _tenant: &Tenant,
        _machine: &Machine,
        _now: Timestamp,
        _events: &[AuditEvent],
    ) -> Result<Provisioning, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn complete_profile(
        &self,
        _tenant: &Tenant,
        _machine: &Machine,
        _now: Timestamp,
        _events: &[AuditEvent],
    ) -> Result<Provisioning, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}

#[async_trait]
impl KeyStore for Postgres {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn add_signing_key(&self, _key: &SigningKeyRecord) -> Result<bool, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn rotate_signing_keys(
        &self,
        _rotations: &[KeyRotation],
        _now: Timestamp,
        _event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}

#[async_trait]
impl PatStore for Postgres {
    async fn add_pat(
        &self,
        _pat: &PersonalAccessToken,
        _hash: &TokenHash,
        _event: &AuditEvent,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn pat(
        &self,
        _hash: &TokenHash,
        _now: Timestamp,
    ) -> Result<Option<(PersonalAccessToken, Arc<Member>, Basis)>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn pats(&self, _subject: &SubjectId) -> Result<Vec<PersonalAccessToken>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn pat_by_id(&self, _id: &str) -> Result<Option<PersonalAccessToken>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn revoke_pat(
        &self,
        _id: &str,
        _now: Timestamp,
        _event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}
