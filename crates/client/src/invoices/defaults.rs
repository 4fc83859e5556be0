//! What a new document begins with, by the country of the organization.

use invoice::Country;
use invoicing_contract::DocumentKey;

use super::Invoices;
use crate::gateway::CallContext;
use crate::read_cache::Cached;
use crate::views::{DocumentDefaults, InvoiceQuery};

/// The kind of the cached country.
const COUNTRY: &str = "country";
/// Country, currency and standard VAT rate in percent; without a rate the country has no VAT. Where a rate is not known here, the
/// clerk enters it and the rules check it.
const COUNTRIES: [(&str, &str, Option<&str>); 8] = [
    ("SA", "SAR", Some("15")),
    ("AE", "AED", Some("5")),
    ("BH", "BHD", Some("10")),
    ("EG", "EGP", Some("14")),
    ("JO", "JOD", Some("16")),
    ("KW", "KWD", None),
    ("OM", "OMR", Some("5")),
    ("QA", "QAR", None),
];

impl Invoices {
    /// What a new document of the organization begins with. Nothing is known of an organization without documents.
    pub(crate) async fn defaults(&self, context: &CallContext) -> DocumentDefaults {
        let country = match self.seller_country(&context.organization) {
            Some(country) => Some(country.code().to_owned()),
            None => self.read_country(context).await,
        };
        country
            .map(|country| of(&country))
            .unwrap_or_else(|| of(""))
    }

    /// The country, from any document of the organization, else as it was read last.
    async fn read_country(&self, context: &CallContext) -> Option<String> {
        let (session, organization) = (&context.session, &context.organization);
        let query = InvoiceQuery {
            page_size: 1,
            ..InvoiceQuery::default()
        };
        let key: Option<DocumentKey> = self.list(context, &query).await.ok().and_then(|page| {
            let current = !page.offline;
            page.rows
                .into_iter()
                .next()
                .filter(|_| current)
                .map(|row| row.key)
        });
        if let Some(key) = key
            && self.get_document(context, &key).await.is_ok()
            && let Some(country) = self.seller_country(organization)
        {
            let country = country.code().to_owned();
            self.read_cache
                .store_message(session, organization, COUNTRY, "", &country)
                .await;
            return Some(country);
        }
        let cached: Option<Cached<String>> = self
            .read_cache
            .message(session, organization, COUNTRY, "")
            .await;
        cached.map(|cached| cached.value)
    }
}

fn of(country: &str) -> DocumentDefaults {
    let known = COUNTRIES.iter().find(|(code, _, _)| *code == country);
    match known {
        Some((code, currency, rate)) => DocumentDefaults {
            country: (*code).to_owned(),
            currency: (*currency).to_owned(),
            standard_rate: rate.map(str::to_owned),
        },
        None => DocumentDefaults {
            country: Country::parse(country)
                .map_or_else(String::new, |code| code.code().to_owned()),
            currency: String::new(),
            standard_rate: Some(String::new()),
        },
    }
}
