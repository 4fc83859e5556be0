//! Plans of tenants: limits and entitlements (decision 0118).

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoicing_contract::messages::documents::Kind;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, PlanId};

use crate::StorageError;
use crate::audit::{AuditEvent, AuditedValues};

/// Limits of a plan, or of a tenant's own. A limit of 0 allows nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Documents created in a month; `None`: unlimited.
    pub monthly_documents: Option<i64>,
    /// Requests in a minute; `None`: the default of the service.
    pub requests_per_minute: Option<i64>,
    /// People of an organization; `None`: unlimited.
    pub users: Option<i64>,
}

impl Limits {
    /// These limits, and those of `others` where these have none.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            monthly_documents: self.monthly_documents.or(others.monthly_documents),
            requests_per_minute: self.requests_per_minute.or(others.requests_per_minute),
            users: self.users.or(others.users),
        }
    }

    /// What events say of them.
    #[must_use]
    pub fn audited_values(self) -> AuditedValues {
        let limit = |limit: Option<i64>| limit.map_or_else(|| "none".to_owned(), |n| n.to_string());
        AuditedValues::default()
            .value("monthly_documents", limit(self.monthly_documents))
            .value("requests_per_minute", limit(self.requests_per_minute))
            .value("users", limit(self.users))
    }
}

/// What a plan allows besides its limits. Of a list, `None` allows every value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entitlements {
    /// Kinds of documents.
    pub document_kinds: Option<BTreeSet<Kind>>,
    /// Languages of the texts of documents, ISO 639-1.
    pub languages: Option<BTreeSet<String>>,
    /// Tax authorities that documents can be sent to.
    pub authorities: Option<BTreeSet<String>>,
    /// Calls of machine users.
    pub api_access: bool,
}

impl Entitlements {
    /// Those of a tenant without a plan.
    pub const ALL: Self = Self {
        document_kinds: None,
        languages: None,
        authorities: None,
        api_access: true,
    };

    /// Whether they include one.
    #[must_use]
    pub fn include(&self, entitlement: Entitlement<'_>) -> bool {
        fn has(values: Option<&BTreeSet<String>>, value: &str) -> bool {
            values.is_none_or(|values| values.contains(value))
        }
        match entitlement {
            Entitlement::ApiAccess => self.api_access,
            Entitlement::Authority(name) => has(self.authorities.as_ref(), name),
            Entitlement::DocumentKind(kind) => self
                .document_kinds
                .as_ref()
                .is_none_or(|kinds| kinds.contains(&kind)),
            Entitlement::Language(language) => has(self.languages.as_ref(), language),
        }
    }
}

impl Default for Entitlements {
    fn default() -> Self {
        Self::ALL
    }
}

/// One of [`Entitlements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entitlement<'a> {
    /// The caller is a machine user, or gets credentials for one.
    ApiAccess,
    /// A document is sent to this tax authority.
    Authority(&'a str),
    /// A document is of this kind.
    DocumentKind(Kind),
    /// A text of a document is in this language.
    Language(&'a str),
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Id.
    pub id: PlanId,
    /// Changes with every write.
    pub stamp: ConcurrencyStamp,
    /// Name in English.
    pub name: String,
    /// Name in Arabic.
    pub name_ar: String,
    /// Both names, folded, for searches.
    pub search_text: String,
    /// Limits.
    pub limits: Limits,
    /// Entitlements.
    pub entitlements: Entitlements,
}

impl Plan {
    /// What events say of it.
    #[must_use]
    pub fn audited_values(&self) -> AuditedValues {
        let words = |words: Option<String>| match words {
            None => "all".to_owned(),
            Some(words) if words.is_empty() => "none".to_owned(),
            Some(words) => words,
        };
        let entitlements = EntitlementColumns::from(&self.entitlements);
        self.limits
            .audited_values()
            .value("document_kinds", words(entitlements.document_kinds))
            .value("languages", words(entitlements.languages))
            .value("authorities", words(entitlements.authorities))
            .flag("api_access", entitlements.api_access)
            .concealed("name", &self.name)
            .concealed("nameAr", &self.name_ar)
    }
}

/// The entitlements of a plan as columns: words separated by spaces, NULL for every value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntitlementColumns {
    /// Names of [`Kind`].
    pub document_kinds: Option<String>,
    /// [`Entitlements::languages`]
    pub languages: Option<String>,
    /// [`Entitlements::authorities`]
    pub authorities: Option<String>,
    /// [`Entitlements::api_access`]
    pub api_access: bool,
}

impl From<&Entitlements> for EntitlementColumns {
    fn from(entitlements: &Entitlements) -> Self {
        fn words<'a>(values: impl Iterator<Item = &'a str>) -> String {
            values.collect::<Vec<_>>().join(" ")
        }
        let texts = |values: &BTreeSet<String>| words(values.iter().map(String::as_str));
        let kinds = |kinds: &BTreeSet<Kind>| words(kinds.iter().map(Kind::as_str_name));
        Self {
            document_kinds: entitlements.document_kinds.as_ref().map(kinds),
            languages: entitlements.languages.as_ref().map(texts),
            authorities: entitlements.authorities.as_ref().map(texts),
            api_access: entitlements.api_access,
        }
    }
}

impl TryFrom<EntitlementColumns> for Entitlements {
    type Error = StorageError;

    /// # Errors
    /// [`StorageError::Corrupt`] for a word that names no kind of document.
    fn try_from(columns: EntitlementColumns) -> Result<Self, StorageError> {
        let texts = |words: String| words.split_whitespace().map(str::to_owned).collect();
        let kind = |word: &str| {
            Kind::from_str_name(word)
                .ok_or_else(|| StorageError::corrupt(format!("kind of document {word:?}")))
        };
        let kinds = columns
            .document_kinds
            .map(|words| words.split_whitespace().map(kind).collect());
        Ok(Self {
            document_kinds: kinds.transpose()?,
            languages: columns.languages.map(texts),
            authorities: columns.authorities.map(texts),
            api_access: columns.api_access,
        })
    }
}

/// The outcome of [`PlanStore::delete_plan`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanDeletion {
    /// The plan is deleted.
    Deleted,
    /// No plan has this id and this stamp. Nothing was written.
    Stale,
    /// A tenant has the plan. Nothing was written.
    InUse,
}

/// The outcome of [`PlanStore::assign_plan`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanAssignment {
    /// The tenant has the plan. An event was recorded if it had another before.
    Assigned,
    /// The organization is no tenant. Nothing was written.
    NoTenant,
    /// There is no such plan. Nothing was written.
    NoPlan,
    /// The tenant has another plan than the event names as the one before. Nothing was written.
    Stale,
}

/// Plans, and the people that a plan limits. What a tenant may do is read with its tenant
/// ([`Tenant`](crate::directory::Tenant)), and counts at every process from the next request on (decision 0107).
#[async_trait]
pub trait PlanStore: Send + Sync {
    /// Adds a plan, unless its id is taken. Returns whether it did.
    async fn add_plan(&self, plan: &Plan, event: &AuditEvent) -> Result<bool, StorageError>;
    /// A plan by id.
    async fn plan(&self, id: &PlanId) -> Result<Option<Plan>, StorageError>;
    /// Plans by id, beginning after `after`. `text`, folded, is a part of their search text.
    async fn plans(
        &self,
        text: &str,
        after: Option<&PlanId>,
        size: u32,
    ) -> Result<Vec<Plan>, StorageError>;
    /// Replaces the plan that has this id and the stamp `expected`. Returns whether there is one.
    async fn replace_plan(
        &self,
        plan: &Plan,
        expected: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// Deletes the plan that has this id and the stamp `expected`, if no tenant has it.
    async fn delete_plan(
        &self,
        id: &PlanId,
        expected: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<PlanDeletion, StorageError>;
    /// Gives a tenant a plan, or none, in place of `before`.
    async fn assign_plan(
        &self,
        organization: &OrganizationId,
        before: Option<&PlanId>,
        plan: Option<&PlanId>,
        event: &AuditEvent,
    ) -> Result<PlanAssignment, StorageError>;
    /// The people that the limit of users counts: those with a role in the organization or at home in it, without machine users
    /// and those that are disabled.
    async fn count_users(&self, organization: &OrganizationId) -> Result<i64, StorageError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entitlements_survive_their_columns_and_an_empty_list_is_not_every_value() {
        let none = Entitlements {
            document_kinds: Some(BTreeSet::new()),
            languages: Some(BTreeSet::new()),
            authorities: Some(BTreeSet::new()),
            api_access: false,
        };
        let some = Entitlements {
            document_kinds: Some([Kind::Invoice, Kind::CreditNote].into()),
            languages: Some(["ar".to_owned(), "en".to_owned()].into()),
            authorities: None,
            api_access: true,
        };
        for entitlements in [none, some, Entitlements::ALL] {
            let columns = EntitlementColumns::from(&entitlements);
            assert_eq!(Entitlements::try_from(columns).unwrap(), entitlements);
        }
    }

    #[test]
    fn absent_limit_is_that_of_the_plan_and_zero_is_a_limit() {
        let own = Limits {
            monthly_documents: Some(0),
            ..Limits::default()
        };
        let plan = Limits {
            monthly_documents: Some(10),
            requests_per_minute: Some(20),
            users: None,
        };
        assert_eq!(
            own.or(plan),
            Limits {
                monthly_documents: Some(0),
                requests_per_minute: Some(20),
                users: None,
            }
        );
    }
}
