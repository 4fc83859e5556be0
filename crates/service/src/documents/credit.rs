//! A credit note beside the documents that it names by their keys.

use std::collections::BTreeSet;

use invoice::rules::check_credit;
use invoice::{Currency, Kind, Money, decimal};
use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents as wire;
use uuid::Uuid;

use super::conditions::invoice;
use super::{Acting, DocumentError, Documents};

/// Most documents that are looked at.
const MOST: usize = 100;

impl Documents {
    /// Refuses a completed credit note that gives back more than the documents which it corrects came to. `at` is its path in
    /// the request, with a point after it. Nothing is said where one of them is not known here.
    pub(super) async fn within_originals(
        &self,
        acting: &Acting<'_>,
        credit: &wire::Invoice,
        at: &str,
    ) -> Result<(), DocumentError> {
        if credit.kind() != wire::Kind::CreditNote || credit.preceding.len() > MOST {
            return Ok(());
        }
        let keys = credit
            .preceding
            .iter()
            .map(|reference| Uuid::try_parse(&reference.document_key));
        let Ok(keys) = keys.collect::<Result<BTreeSet<_>, _>>() else {
            return Ok(());
        };
        let mut originals = Vec::new();
        for key in keys {
            let original = self.store.document(acting.organization(), key).await?;
            let Some(gross) = original.as_ref().and_then(invoice).and_then(gross) else {
                return Ok(());
            };
            originals.push(gross);
        }
        let violation =
            gross(credit).and_then(|gross| check_credit(Kind::CreditNote, gross, &originals));
        let Some(violation) = violation else {
            return Ok(());
        };
        Err(DocumentError::InvalidInvoice(vec![FieldViolation::new(
            format!("{at}{}", violation.path),
            format!("{}: {}", violation.rule, violation.description),
        )]))
    }
}

/// What a completed invoice came to.
fn gross(invoice: &wire::Invoice) -> Option<Money> {
    let currency = Currency::parse(&invoice.currency)?;
    let gross = &invoice.totals.as_ref()?.gross;
    Money::exact(decimal::parse(gross).ok()?, currency)
}
