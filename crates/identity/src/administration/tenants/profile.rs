//! What organizations and profiles consist of when they are created, and the checks of it.

use invoice::content::Identifier;
use invoice::{Country, Currency};
use invoicing_contract::FieldViolation;
use invoicing_contract::attachments::has_unwritable_character;
use invoicing_storage::directory::{Organization, Tenant, TenantAddress};
use invoicing_storage::plans::Limits;
use jiff::tz::TimeZone;
use url::Host;

use super::seller::SellerDetails;
use crate::administration::organization::check_new_id;

/// Maximum number of characters of a name, a part of an address or a tax number.
const MAX_TEXT_CHARACTERS: usize = 200;

/// An organization to create.
#[derive(Debug, Clone, Default)]
pub struct NewOrganization {
    /// A UUIDv7 chosen by the caller, so that a retry is detected; generated if empty.
    pub id: String,
    /// The English name.
    pub name: String,
    /// The Arabic name; the English one if empty.
    pub name_ar: String,
    /// The primary domain.
    pub domain: String,
}

/// A tenant to create.
#[derive(Debug, Clone, Default)]
pub struct NewTenant {
    /// Its organization.
    pub organization: NewOrganization,
    /// The profile for invoicing.
    pub profile: Profile,
}

/// The profile of an organization for invoicing: the fields of invoicing.identity.v2.Profile.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields are those of Tenant")]
pub struct Profile {
    pub currency: String,
    pub country: String,
    pub time_zone: String,
    pub tax_id: String,
    pub registration_number: Identifier,
    pub building: String,
    pub street: String,
    pub district: String,
    pub city: String,
    pub postal_code: String,
}

impl NewOrganization {
    /// Everything that is wrong with the fields.
    pub(super) fn violations(&self) -> Vec<FieldViolation> {
        let mut violations = Vec::new();
        check_new_id(&mut violations, "organizationId", &self.id);
        check_text(&mut violations, "name", &self.name, true);
        check_text(&mut violations, "nameAr", &self.name_ar, false);
        if domain_name(&self.domain).is_none() {
            violations.push(FieldViolation::new(
                "domain",
                "must be a domain name, as in alkhair.example",
            ));
        }
        violations
    }
}

impl Profile {
    /// Everything that is wrong with the fields.
    pub(super) fn violations(&self) -> Vec<FieldViolation> {
        let mut violations = Vec::new();
        let mut require = |is_valid: bool, field: &str, description: &str| {
            if !is_valid {
                violations.push(FieldViolation::new(field, description));
            }
        };
        require(
            Currency::parse(&self.currency).is_some(),
            "profile.currency",
            "must be a currency of ISO 4217",
        );
        require(
            Country::parse(&self.country).is_some(),
            "profile.country",
            "must be a country of ISO 3166-1, two letters",
        );
        check_time_zone(&mut violations, "profile.timeZone", &self.time_zone);
        check_text(&mut violations, "profile.taxId", &self.tax_id, true);
        let address = self.address();
        check_address(&mut violations, "profile.address", &address);
        let details = SellerDetails {
            country: &self.country,
            registration_number: &self.registration_number,
            address: &address,
        };
        details.check(&mut violations, "profile", |_| true);
        violations
    }

    /// The tenant record, without limits and without a tax authority.
    pub(super) fn into_tenant(self, organization: Organization, stamp: String) -> Tenant {
        Tenant {
            organization,
            address: self.address(),
            currency: self.currency,
            country: self.country,
            time_zone: self.time_zone,
            tax_id: self.tax_id,
            registration_number: self.registration_number,
            own_limits: Limits::default(),
            plan: None,
            authority_endpoint: None,
            concurrency_stamp: stamp,
            disabled_at: None,
        }
    }

    fn address(&self) -> TenantAddress {
        TenantAddress {
            building: self.building.clone(),
            street: self.street.clone(),
            district: self.district.clone(),
            city: self.city.clone(),
            postal_code: self.postal_code.clone(),
        }
    }
}

/// A domain name of at least two labels, in lower case and in its ASCII form. `None` if the text is none.
pub(in crate::administration) fn domain_name(text: &str) -> Option<String> {
    let Ok(Host::Domain(name)) = Host::parse(text) else {
        return None;
    };
    let is_name = name.len() <= 253 && name.contains('.') && !name.ends_with('.');
    is_name.then_some(name)
}

/// The domain name that a text spells in any way: also as an absolute name, which ends with the dot of the root (RFC 1034, section
/// 3.1).
pub(in crate::administration) fn domain_name_of_any_spelling(text: &str) -> Option<String> {
    let Ok(Host::Domain(name)) = Host::parse(text) else {
        return None;
    };
    domain_name(name.trim_end_matches('.'))
}

/// The violation of a time zone at `field`.
pub(super) fn check_time_zone(violations: &mut Vec<FieldViolation>, field: &str, value: &str) {
    if TimeZone::get(value).is_err() {
        violations.push(FieldViolation::new(
            field,
            "must be an IANA time zone, as in Asia/Riyadh",
        ));
    }
}

/// The violations of an address at `path`.
pub(super) fn check_address(
    violations: &mut Vec<FieldViolation>,
    path: &str,
    address: &TenantAddress,
) {
    for (field, value, required) in [
        ("building", &address.building, false),
        ("street", &address.street, true),
        ("district", &address.district, false),
        ("city", &address.city, true),
        ("postalCode", &address.postal_code, false),
    ] {
        check_text(violations, &format!("{path}.{field}"), value, required);
    }
}

/// The violation of a text of one line at `field`.
pub(in super::super) fn check_text(
    violations: &mut Vec<FieldViolation>,
    field: &str,
    value: &str,
    required: bool,
) {
    // Documents name the organization, and their files can hold what XML has.
    let is_valid = value.chars().count() <= MAX_TEXT_CHARACTERS && !has_unwritable_character(value);
    if !is_valid {
        violations.push(FieldViolation::new(
            field,
            format!("must have at most {MAX_TEXT_CHARACTERS} characters on one line"),
        ));
    } else if required && value.trim().is_empty() {
        violations.push(FieldViolation::new(field, "must be given"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_no_file_of_a_document_can_hold_is_a_violation() {
        for (name, is_valid) in [
            ("Palm Company", true),
            ("\u{fffd}", true),
            ("Palm\u{fffe}", false),
            ("\u{ffff}", false),
            ("Palm\nCompany", false),
        ] {
            let mut violations = Vec::new();
            check_text(&mut violations, "name", name, true);
            assert_eq!(violations.is_empty(), is_valid, "{name:?}");
        }
    }
}
