//! Tenants and plans, as operators and administrators see them.

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{IdentifierContent, InvoiceKind, PlanUse, ShownSecret};

/// Whether requests that target an organization are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TenantState {
    /// Its administrator has not completed the profile.
    ProfileIncomplete,
    /// Yes.
    Active,
    /// No: an operator has disabled it.
    Disabled,
}

/// The address of a seller.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AddressFields {
    /// KSA-17
    pub building: String,
    /// BT-35
    pub street: String,
    /// KSA-3
    pub district: String,
    /// BT-37
    pub city: String,
    /// BT-38
    pub postal_code: String,
}

/// What an operator can change of a tenant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TenantFields {
    /// In English.
    pub name: String,
    /// In Arabic.
    pub name_ar: String,
    /// IANA name, as `Asia/Riyadh`.
    pub time_zone: String,
    /// The VAT number.
    pub tax_id: String,
    /// BT-29: the number under which an authority has registered it; empty if it has none.
    pub registration_number: IdentifierContent,
    /// Of the seller.
    pub address: AddressFields,
}

/// What an administrator can change of the own tenant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OwnTenantFields {
    /// BT-29: the number under which an authority has registered it; empty if it has none.
    pub registration_number: IdentifierContent,
    /// Of the seller.
    pub address: AddressFields,
}

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TenantView {
    /// Its organization.
    pub id: OrganizationId,
    /// What can be changed.
    pub fields: TenantFields,
    /// The primary domain.
    pub domain: String,
    /// ISO 4217; empty without a profile.
    pub currency: String,
    /// ISO 3166-1 alpha-2; empty without a profile.
    pub country: String,
    /// Whether its requests are answered.
    pub state: TenantState,
    /// Of the state that was read: a change carries it.
    pub stamp: String,
    /// When it was disabled, RFC 3339.
    pub disabled: Option<String>,
}

/// A page of tenants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TenantPage {
    /// The page, ordered by id.
    pub tenants: Vec<TenantView>,
    /// For the next page; empty on the last.
    pub next_page: String,
}

/// A tenant to create.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewTenant {
    /// As for every tenant.
    pub fields: TenantFields,
    /// The primary domain, which no other organization has.
    pub domain: String,
    /// ISO 4217
    pub currency: String,
    /// ISO 3166-1 alpha-2
    pub country: String,
}

/// A tenant that was created, with its machine user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CreatedTenant {
    /// The tenant.
    pub tenant: TenantView,
    /// Of the machine user.
    pub client_id: String,
    /// Shown once.
    pub client_secret: ShownSecret,
}

/// What was done to a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum TenantAction {
    Created,
    ProfileCompleted,
    Updated,
    Disabled,
    Enabled,
}

/// A page of the changes of a tenant, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TenantHistoryPage {
    /// The changes.
    pub revisions: Vec<TenantRevision>,
    /// Of the page with those before; empty on the last.
    pub next_page: String,
}

/// A change of a tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TenantRevision {
    /// 1 for the first.
    pub revision: i32,
    /// RFC 3339
    pub time: String,
    /// The id of a user, or `command line`.
    pub by: String,
    /// What was done.
    pub action: TenantAction,
    /// What it changed.
    pub changes: Vec<TenantChange>,
}

/// A field that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TenantChange {
    /// Its path, as `profile.address.street`.
    pub field: String,
    /// The value before.
    pub before: String,
    /// The value after.
    pub after: String,
}

/// Limits of a plan or a tenant. What is `None` does not restrict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanLimits {
    /// Documents in a month.
    pub documents: Option<i32>,
    /// Requests in a minute.
    pub requests: Option<i32>,
    /// People.
    pub users: Option<i32>,
}

/// What a plan allows. What is `None` is not restricted, and an empty list allows nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanEntitlements {
    /// Kinds of documents.
    pub kinds: Option<Vec<InvoiceKind>>,
    /// Languages of the texts of documents, `ar` and `en`.
    pub languages: Option<Vec<String>>,
    /// Tax authorities, by the names of their adapters.
    pub authorities: Option<Vec<String>>,
    /// Calls of machine users.
    pub api_access: Option<bool>,
}

/// What can be changed of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanFields {
    /// In English.
    pub name: String,
    /// In Arabic.
    pub name_ar: String,
    /// How much it allows.
    pub limits: PlanLimits,
    /// What it allows.
    pub entitlements: PlanEntitlements,
}

/// A plan that tenants can have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanDefinition {
    /// For the commands about it.
    pub id: String,
    /// What can be changed.
    pub fields: PlanFields,
    /// Of the state that was read: a change carries it.
    pub stamp: String,
}

/// The plan of a tenant with what the tenant uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TenantPlanView {
    /// The plan; `None` without one: nothing is restricted but by limits of the tenant's own.
    pub plan: Option<PlanDefinition>,
    /// Limits of the tenant's own, each of which replaces that of the plan.
    pub own_limits: PlanLimits,
    /// Documents of this month.
    pub documents: PlanUse,
    /// Requests of the last minute.
    pub requests: PlanUse,
    /// People.
    pub users: PlanUse,
}
