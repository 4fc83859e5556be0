//! The fields of a tenant that can be changed, and how two states of a tenant differ.

use invoice::content::Identifier;
use invoicing_contract::FieldViolation;
use invoicing_storage::StorageError;
use invoicing_storage::directory::{Organization, Tenant, TenantAddress};
use serde::{Deserialize, Serialize};

use super::profile::{check_address, check_text, check_time_zone};
use super::seller::SellerDetails;

/// The fields of a tenant that can be changed. Currency and country stay: an organization that moves to another country is
/// another seller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantFields {
    /// The English name.
    pub name: String,
    /// The Arabic name.
    pub name_ar: String,
    /// IANA time zone.
    pub time_zone: String,
    /// VAT registration number.
    pub tax_id: String,
    /// The number under which an authority has registered it; empty if it has none.
    pub registration_number: Identifier,
    /// Postal address.
    pub address: TenantAddress,
}

impl TenantFields {
    /// The fields of a tenant.
    #[must_use]
    pub fn of(tenant: &Tenant) -> Self {
        Self {
            name: tenant.organization.name.clone(),
            name_ar: tenant.organization.name_ar.clone(),
            time_zone: tenant.time_zone.clone(),
            tax_id: tenant.tax_id.clone(),
            registration_number: tenant.registration_number.clone(),
            address: tenant.address.clone(),
        }
    }

    /// Everything that is wrong with the fields. What the country prescribes is checked of values that differ from those of `current` only:
    /// it prescribes more than it did when some of them were accepted, and they stand in the way of no other change.
    pub(super) fn violations(&self, current: &Tenant) -> Vec<FieldViolation> {
        let mut violations = Vec::new();
        check_text(&mut violations, "tenant.name", &self.name, true);
        check_text(&mut violations, "tenant.nameAr", &self.name_ar, true);
        check_time_zone(&mut violations, "tenant.timeZone", &self.time_zone);
        check_text(&mut violations, "tenant.taxId", &self.tax_id, true);
        check_address(&mut violations, "tenant.address", &self.address);
        let changed = between(current, &self.clone().apply(current, String::new()));
        let is_changed = |detail: &str| {
            let mut fields = changed.iter().map(|change| change.field.as_str());
            fields.any(|field| is_part_of(field, detail))
        };
        let details = SellerDetails {
            country: &current.country,
            registration_number: &self.registration_number,
            address: &self.address,
        };
        details.check(&mut violations, "tenant", is_changed);
        violations
    }

    /// `tenant` with these fields and another stamp.
    pub(super) fn apply(self, tenant: &Tenant, stamp: String) -> Tenant {
        Tenant {
            organization: Organization {
                name: self.name,
                name_ar: self.name_ar,
                ..tenant.organization.clone()
            },
            time_zone: self.time_zone,
            tax_id: self.tax_id,
            registration_number: self.registration_number,
            address: self.address,
            concurrency_stamp: stamp,
            ..tenant.clone()
        }
    }
}

/// Whether a field of a tenant, as `profile.address.street`, is a detail of the profile, as `address.street`, or a part of it.
fn is_part_of(field: &str, detail: &str) -> bool {
    let rest = field.strip_prefix("profile.");
    rest.and_then(|path| path.strip_prefix(detail))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldChange {
    /// The path in the message `Tenant`, as `profile.address.street`.
    pub field: String,
    /// Its value before.
    pub before: String,
    /// Its value after.
    pub after: String,
}

/// The fields by which two states of a tenant differ.
pub(super) fn between(before: &Tenant, after: &Tenant) -> Vec<FieldChange> {
    fields(before)
        .into_iter()
        .zip(fields(after))
        .filter(|((_, before), (_, after))| before != after)
        .map(|((field, before), (_, after))| FieldChange {
            field: field.to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
        })
        .collect()
}

/// The history that a revision stores.
pub(super) fn to_json(changes: &[FieldChange]) -> String {
    serde_json::to_string(changes).expect("texts have a JSON form")
}

/// What a revision stores.
///
/// # Errors
/// When it is no list of changes.
pub(super) fn from_json(changes: &str) -> Result<Vec<FieldChange>, StorageError> {
    serde_json::from_str(changes).map_err(StorageError::corrupt)
}

fn fields(tenant: &Tenant) -> [(&'static str, &str); 13] {
    let (organization, address) = (&tenant.organization, &tenant.address);
    let number = &tenant.registration_number;
    [
        ("name", &organization.name),
        ("nameAr", &organization.name_ar),
        ("profile.currency", &tenant.currency),
        ("profile.country", &tenant.country),
        ("profile.timeZone", &tenant.time_zone),
        ("profile.taxId", &tenant.tax_id),
        ("profile.registrationNumber.scheme", &number.scheme),
        ("profile.registrationNumber.value", &number.value),
        ("profile.address.building", &address.building),
        ("profile.address.street", &address.street),
        ("profile.address.district", &address.district),
        ("profile.address.city", &address.city),
        ("profile.address.postalCode", &address.postal_code),
    ]
}
