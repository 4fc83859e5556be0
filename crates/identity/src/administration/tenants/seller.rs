//! What documents say about a tenant as their seller, and what its country prescribes of it (decision 0184).

use invoice::content::{Address, Identifier, Party};
use invoice::rules::{check_seller_form, has_registration_numbers};
use invoicing_contract::FieldViolation;
use invoicing_storage::directory::TenantAddress;

use super::profile::check_text;

/// The details of a tenant whose form its country prescribes.
pub(super) struct SellerDetails<'a> {
    /// ISO 3166-1 alpha-2.
    pub(super) country: &'a str,
    pub(super) registration_number: &'a Identifier,
    pub(super) address: &'a TenantAddress,
}

impl SellerDetails<'_> {
    /// The violations of the registration number, and of what the country prescribes of each detail that `is_changed`: `registrationNumber`,
    /// `address.building`, `address.postalCode`. `path` is that of the details in the request.
    pub(super) fn check(
        &self,
        violations: &mut Vec<FieldViolation>,
        path: &str,
        is_changed: impl Fn(&str) -> bool,
    ) {
        let Identifier { scheme, value } = self.registration_number;
        let number = format!("{path}.registrationNumber");
        // Both are given, or neither.
        for (field, text, other) in [("scheme", scheme, value), ("value", value, scheme)] {
            check_text(
                violations,
                &format!("{number}.{field}"),
                text,
                !other.is_empty(),
            );
        }
        let is_given = !scheme.is_empty() && !value.is_empty();
        if is_given && is_changed("registrationNumber") && !has_registration_numbers(self.country) {
            violations.push(FieldViolation::new(
                format!("{number}.scheme"),
                "must be empty: no schemes are known for the country of the organization",
            ));
        }
        for violation in check_seller_form(&self.seller(is_given)) {
            let detail = violation
                .path
                .trim_start_matches("seller.")
                .replace("otherIds[0]", "registrationNumber");
            // A number is checked with its scheme.
            let changed = if detail.starts_with("registrationNumber.") {
                "registrationNumber"
            } else {
                detail.as_str()
            };
            if is_changed(changed) {
                violations.push(FieldViolation::of_rule(
                    format!("{path}.{detail}"),
                    violation.rule,
                    violation.description,
                ));
            }
        }
    }

    /// The seller as its country checks it.
    fn seller(&self, is_registered: bool) -> Party {
        let number = is_registered.then(|| self.registration_number.clone());
        Party {
            other_ids: number.into_iter().collect(),
            address: Address {
                building: self.address.building.clone(),
                postal_code: self.address.postal_code.clone(),
                country: self.country.to_owned(),
                ..Address::default()
            }
            .into(),
            ..Party::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields with a violation of a tenant with this registration number and building number.
    fn found(
        country: &str,
        (scheme, value): (&str, &str),
        building: &str,
        is_changed: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let registration_number = Identifier {
            scheme: scheme.to_owned(),
            value: value.to_owned(),
        };
        let address = TenantAddress {
            building: building.to_owned(),
            street: "King Fahd Road".to_owned(),
            district: String::new(),
            city: "Riyadh".to_owned(),
            postal_code: "12213".to_owned(),
        };
        let details = SellerDetails {
            country,
            registration_number: &registration_number,
            address: &address,
        };
        let mut violations = Vec::new();
        details.check(&mut violations, "tenant", is_changed);
        violations
            .into_iter()
            .map(|violation| violation.field)
            .collect()
    }

    #[test]
    fn saudi_arabia_prescribes_the_form_of_values_that_change() {
        let (building, value) = ("tenant.address.building", "tenant.registrationNumber.value");
        let short = ("CRN", "12");
        assert_eq!(found("SA", short, "1", |_| true), [building, value]);
        let moved = |detail: &str| detail == "address.building";
        assert_eq!(found("SA", short, "1", moved), [building]);
        assert_eq!(found("SA", short, "1", |_| false), [""; 0]);
        let complete = found("SA", ("CRN", "1010175397"), "7421", |_| true);
        assert_eq!(complete, [""; 0]);
    }

    #[test]
    fn scheme_and_value_of_a_registration_number_are_given_together_or_not() {
        let scheme = ["tenant.registrationNumber.scheme"];
        let value = ["tenant.registrationNumber.value"];
        assert_eq!(found("SA", ("", ""), "", |_| true), [""; 0]);
        assert_eq!(found("SA", ("CRN", ""), "", |_| true), value);
        assert_eq!(found("SA", ("", "1010175397"), "", |_| true), scheme);
    }

    #[test]
    fn country_without_known_schemes_has_no_registration_numbers() {
        let scheme = ["tenant.registrationNumber.scheme"];
        let number = ("CRN", "1010175397");
        assert_eq!(found("AE", number, "14", |_| true), scheme);
        assert_eq!(found("AE", number, "14", |_| false), [""; 0]);
        assert_eq!(found("AE", ("", ""), "14", |_| true), [""; 0]);
    }
}
