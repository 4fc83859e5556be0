//! KSA-25: the local time at which a document was issued. It is fixed with the document (decision 0166).

use invoice::Country;
use invoicing_contract::messages::documents::{Document, Event};
use invoicing_storage::directory::Tenant;

use super::preconditions::invoice;
use crate::tenant_time::time_zone;

/// `HH:MM:SS`, as it was fixed when the document was issued; of one that was issued before times were fixed, in the current time
/// zone of the tenant.
pub(super) fn issue_time(document: &Document, tenant: &Tenant) -> String {
    let fixed = document.issue_time.clone();
    fixed.unwrap_or_else(|| local_issue_time(document, tenant))
}

/// The time of the event of the issue in the time zone of the tenant. Saudi Arabia requires it (BR-KSA-70); elsewhere it is empty
/// if that was on another day than the issue date.
pub(super) fn local_issue_time(document: &Document, tenant: &Tenant) -> String {
    let issued = document.issued.as_ref().and_then(Event::moment);
    let issued = issued.map(|time| time.to_zoned(time_zone(tenant)));
    let date = invoice(document).map_or("", |invoice| &invoice.issue_date);
    let required = tenant.country == Country::SAUDI_ARABIA.code();
    issued
        .filter(|time| required || time.date().to_string() == date)
        .map(|time| time.strftime("%H:%M:%S").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::fuzz_checks::tenant;
    use super::*;

    /// Issued at 2026-11-21T22:30:00Z.
    fn issued() -> Document {
        let time = pbjson_types::Timestamp {
            seconds: 1_795_300_200,
            nanos: 0,
        };
        Document {
            issued: Some(Event {
                time: Some(time),
                ..Event::default()
            }),
            ..Document::default()
        }
    }

    fn in_zone(zone: &str, country: &str) -> Tenant {
        Tenant {
            time_zone: zone.to_owned(),
            country: country.to_owned(),
            ..tenant()
        }
    }

    #[test]
    fn fixed_time_stays_when_the_tenant_changes() {
        let mut document = issued();
        document.issue_time = Some(local_issue_time(&document, &in_zone("Asia/Riyadh", "SA")));
        let moved = in_zone("Pacific/Auckland", "NZ");
        assert_eq!(issue_time(&document, &moved), "01:30:00");
        document.issue_time = Some(String::new());
        let saudi = in_zone("Asia/Riyadh", "SA");
        assert_eq!(issue_time(&document, &saudi), "", "it was on another day");
    }

    #[test]
    fn document_of_before_has_the_time_in_the_current_zone() {
        let document = issued();
        for (zone, country, expected) in [
            ("Asia/Riyadh", "SA", "01:30:00"),
            ("Pacific/Auckland", "SA", "11:30:00"),
            ("Pacific/Auckland", "NZ", ""),
        ] {
            let tenant = in_zone(zone, country);
            assert_eq!(issue_time(&document, &tenant), expected, "{zone} {country}");
        }
    }
}
