//! Published versions of the authorization rules, and who holds which roles.

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, SubjectId, Timestamp};

use super::audit::AuditEvent;
use super::{Basis, StorageError};

/// A published version of the rules, without its text. It is never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleVersion {
    /// 1 for the first version that was published, then ascending without gaps. The highest one is current.
    pub number: i64,
    /// What the next publication has to be based on.
    pub concurrency_stamp: ConcurrencyStamp,
    /// Id of the subject who published it, or [`COMMAND_LINE`](crate::audit::COMMAND_LINE).
    pub published_by: String,
    /// When it was published.
    pub published_at: Timestamp,
    /// Why, in the words of the publisher.
    pub comment: String,
    /// The earlier version whose text it has, if it rolls back to one. 0 is the built-in version.
    pub restores: Option<i64>,
}

/// A published version of the rules with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Everything but the text.
    pub version: RuleVersion,
    /// Cedar policies (decision 0112).
    pub text: String,
}

/// What became of a publication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RulesPublication {
    /// It is the current version.
    Published,
    /// There is a version with its number already. Nothing was written.
    Stale,
    /// The directory has changed since the basis. Nothing was written.
    Outdated,
}

/// The subjects that hold exactly these roles in an organization. Disabled subjects are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleSet {
    /// Where the roles are granted.
    pub organization: OrganizationId,
    /// All role keys of each of the subjects there, in alphabetical order.
    pub roles: Vec<String>,
    /// How many subjects.
    pub subjects: i64,
    /// How many of them are people who can sign in ([`UserStore`](crate::users::UserStore)).
    pub sign_in: i64,
}

/// A subject that holds the roles of a [`RoleSet`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleHolder {
    /// Id.
    pub subject: SubjectId,
    /// The organization of the role set.
    pub organization: OrganizationId,
    /// Its roles.
    pub roles: Vec<String>,
}

/// Versions of the rules. Without any, the built-in version 0 holds.
#[async_trait]
pub trait RuleStore: Send + Sync {
    /// The number of the current version; 0 if none was published.
    async fn rules_number(&self) -> Result<i64, StorageError>;
    /// The version with this number.
    async fn rules(&self, number: i64) -> Result<Option<Rules>, StorageError>;
    /// Versions without their texts, the latest first, beginning after the one with the number `before`.
    async fn rule_versions(
        &self,
        before: Option<i64>,
        size: u32,
    ) -> Result<Vec<RuleVersion>, StorageError>;
    /// Publishes `rules`, whose number is one above that of the version that they are based on. Of several publications with
    /// one number one is published. Increments the version of the directory, so that every process decides by them from its
    /// next request on (decision 0107). What the publisher was told about roles is of `basis`.
    async fn publish_rules(
        &self,
        rules: &Rules,
        basis: Basis,
        event: &AuditEvent,
    ) -> Result<RulesPublication, StorageError>;
    /// The sets of roles that are granted, with the number of their subjects, by organization and roles.
    async fn role_sets(&self) -> Result<Vec<RoleSet>, StorageError>;
    /// Subjects that hold one of these sets of roles, by organization and id, at most `size`.
    async fn role_holders(
        &self,
        sets: &[RoleSet],
        size: u32,
    ) -> Result<Vec<RoleHolder>, StorageError>;
}

impl RoleSet {
    /// Organizations and roles of `sets` as a JSON array of objects: one parameter for a statement.
    #[must_use]
    pub fn json_array(sets: &[Self]) -> String {
        let sets = sets.iter().map(|set| {
            serde_json::json!({"organization": set.organization.as_str(), "roles": set.roles})
        });
        serde_json::Value::from_iter(sets).to_string()
    }
}
