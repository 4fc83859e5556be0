//! A service, a desk and a person who signs in, for the tests of the core.

mod browser;
mod desk;

pub(crate) use browser::Browser;
pub(crate) use desk::Desk;
pub(crate) use end_to_end::service::{CLERK, Embedded, HOME, NOURA, Service, UNRESOLVABLE};
pub(crate) use end_to_end::wire::Fault;

use invoicing_client::views::{BuyerContent, InvoiceContent, LineContent, LocalizedText};
use invoicing_client::{Clock as _, SystemClock};

/// The time that the service goes by.
pub(crate) fn now() -> jiff::Timestamp {
    SystemClock::new().now()
}

/// A content that nothing is wrong with.
pub(crate) fn content() -> InvoiceContent {
    let name = LocalizedText {
        ar: "شركة النور".to_owned(),
        en: "Noor Company".to_owned(),
    };
    InvoiceContent {
        buyer: BuyerContent {
            name,
            tax_id: "310122393500003".to_owned(),
            street: "King Fahd Road".to_owned(),
            building: "1234".to_owned(),
            district: "Olaya".to_owned(),
            city: "Riyadh".to_owned(),
            postal_code: "12211".to_owned(),
            country: "SA".to_owned(),
        },
        issue_date: now().to_zoned(jiff::tz::TimeZone::UTC).date().to_string(),
        currency: "SAR".to_owned(),
        lines: vec![LineContent {
            description: LocalizedText {
                ar: "استشارة".to_owned(),
                en: "Consulting".to_owned(),
            },
            quantity: "1".to_owned(),
            unit: "C62".to_owned(),
            unit_price: "1091.50".to_owned(),
            tax_category: "S".to_owned(),
            tax_rate: "15".to_owned(),
            exemption_code: String::new(),
        }],
        ..InvoiceContent::default()
    }
}
