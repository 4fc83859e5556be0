//! The limit of a credit note: the amounts of the documents that it corrects, which the notes limit in turn.

use std::collections::BTreeSet;

use invoice::rules::{
    check_corrected, check_corrected_kind, check_credit, check_credit_count, check_credits,
    check_original_draft, check_original_kind, check_rejected,
};
use invoice::{Currency, Kind, Money, Violation, decimal};
use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents as wire;
use invoicing_http::RequestContext;
use invoicing_storage::documents::{CreditRelations, corrected_by_invoice, corrected_documents};
use uuid::Uuid;

use super::preconditions::invoice;
use super::{DocumentError, Documents};

impl Documents {
    /// Refuses a completed credit note that corrects another one, or whose gross amount exceeds that of the documents which it corrects.
    /// `path` is the path of the invoice in the request with a point after it. The amount of a credit note of an unknown document is not
    /// checked.
    pub(super) async fn check_credit(
        &self,
        context: &RequestContext,
        credit: &wire::Invoice,
        path: &str,
    ) -> Result<(), DocumentError> {
        let keys = corrected_by_invoice(credit);
        let known = self.summaries(context, keys.clone()).await?;
        let names_credit_note = known.values().any(|it| it.kind == wire::Kind::CreditNote);
        let above = || {
            let originals = keys.iter().map(|key| Some(known.get(key)?.gross));
            let originals = originals.collect::<Option<Vec<_>>>()?;
            check_credit(Kind::CreditNote, gross(credit)?, &originals)
        };
        let Some(violation) = check_original_kind(names_credit_note).or_else(above) else {
            return Ok(());
        };
        Err(DocumentError::InvalidInvoice(vec![
            FieldViolation::of_rule(
                format!("{path}{}", violation.path),
                violation.rule,
                violation.description,
            ),
        ]))
    }
}

/// Why a document must not be numbered. A credit note: it corrects another one, a draft or a rejected document, a numbered credit note
/// corrects it, or together with the numbered ones it exceeds what they correct. Another document that is numbered again: it comes to
/// less than its credit notes. Kinds are checked again, because a draft can get another one after a note was written for it.
///
/// Two sums are checked: the notes that correct only documents of this note, and all notes that are connected with it by the
/// documents that they correct, as far as these were read (decision 0178). Where a document is unknown, the sum is not checked.
pub(super) fn credit_violation(
    note: &wire::Document,
    relations: &CreditRelations,
) -> Option<Violation> {
    let gross = invoice(note).and_then(gross)?;
    if let Some(violation) = check_credit_count(relations.has_unread_notes) {
        return Some(violation);
    }
    if invoice(note)?.kind() != wire::Kind::CreditNote {
        return original_violation(note, gross, relations);
    }
    let own = corrected_documents(note);
    let own_key = Uuid::try_parse(&note.document_key).ok();
    let corrects_note = !own.is_disjoint(&relations.credit_notes);
    let mut notes = relations.notes.values();
    let is_corrected =
        own_key.is_some_and(|own_key| notes.any(|(_, names)| names.contains(&own_key)));
    let corrects_rejected = !own.is_disjoint(&relations.rejected);
    let refused = check_original_kind(corrects_note)
        .or_else(|| check_corrected_kind(is_corrected))
        .or_else(|| check_original_draft(!own.is_disjoint(&relations.drafts)))
        .or_else(|| check_rejected(corrects_rejected));
    if refused.is_some() {
        return refused;
    }
    // Without the note itself, which was asked for only to find the notes on it.
    let all = relations.originals.keys().copied();
    let all = all.filter(|key| Some(*key) != own_key).collect();
    [own, all].into_iter().find_map(|originals| {
        let amounts = originals
            .iter()
            .map(|key| relations.originals.get(key).copied().flatten())
            .collect::<Option<Vec<_>>>()?;
        // A note that was rejected is among them when it is issued again.
        let others = relations
            .notes
            .iter()
            .filter(|(key, _)| Some(**key) != own_key);
        let earlier: Vec<_> = others
            .filter(|(_, (_, names))| names.is_subset(&originals))
            .map(|(_, (gross, _))| *gross)
            .collect();
        // Without earlier notes this one alone is checked again: what it corrects may be edited after the note is drafted.
        check_credits(gross, &earlier, &amounts)
            .or_else(|| check_credit(Kind::CreditNote, gross, &amounts))
    })
}

/// The violation of a document that is numbered again with a total below the credit notes on it. The same two sums are checked.
fn original_violation(
    original: &wire::Document,
    gross: Money,
    relations: &CreditRelations,
) -> Option<Violation> {
    let key = Uuid::try_parse(&original.document_key).ok()?;
    let own = BTreeSet::from([key]);
    let all = relations.originals.keys().copied().chain([key]).collect();
    [own, all].into_iter().find_map(|originals| {
        let amounts = originals.iter().map(|each| match each {
            each if *each == key => Some(gross),
            each => relations.originals.get(each).copied().flatten(),
        });
        let amounts = amounts.collect::<Option<Vec<_>>>()?;
        let notes = relations.notes.values();
        let notes = notes.filter(|(_, names)| names.is_subset(&originals));
        let notes: Vec<_> = notes.map(|(gross, _)| *gross).collect();
        check_corrected(&amounts, &notes)
    })
}

/// The most that a further credit note may come to which names only the document `key`: the lesser of the two sums that
/// [`credit_violation`] checks, and never negative; zero while the document is rejected, and if it has too many notes. `None` if the
/// document or one that is connected with it is unknown.
pub(super) fn remaining_credit(
    key: Uuid,
    currency: Currency,
    relations: &CreditRelations,
) -> Option<Money> {
    if relations.rejected.contains(&key) || relations.has_unread_notes {
        return Some(Money::zero(currency));
    }
    let own = BTreeSet::from([key]);
    let all: BTreeSet<_> = relations.originals.keys().copied().chain([key]).collect();
    let mut least: Option<i64> = None;
    for originals in [own, all] {
        let mut rest = Money::zero(currency);
        for original in &originals {
            rest = rest.plus(relations.originals.get(original).copied().flatten()?)?;
        }
        let notes = relations.notes.values();
        for (gross, _) in notes.filter(|(_, names)| names.is_subset(&originals)) {
            rest = rest.minus(*gross)?;
        }
        least = Some(least.map_or(rest.minor(), |least| least.min(rest.minor())));
    }
    Money::from_minor(least?.max(0), currency)
}

/// BT-112 of a completed invoice.
fn gross(invoice: &wire::Invoice) -> Option<Money> {
    let currency = Currency::parse(&invoice.currency)?;
    let gross = &invoice.totals.as_ref()?.gross;
    Money::exact(decimal::parse(gross).ok()?, currency)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLD: Uuid = Uuid::from_u128(1);
    const ELSEWHERE: Uuid = Uuid::from_u128(2);

    fn riyals(text: &str) -> Money {
        let amount = decimal::parse(text).expect("a number");
        Money::exact(amount, Currency::SAUDI_RIYAL).expect("two digits")
    }

    /// A credit note on [`SOLD`] that is about to be numbered.
    fn note(gross: &str) -> wire::Document {
        let totals = wire::Totals {
            gross: gross.to_owned(),
            ..wire::Totals::default()
        };
        let invoice = wire::Invoice {
            kind: wire::Kind::CreditNote as i32,
            currency: "SAR".to_owned(),
            preceding: vec![wire::DocumentReference {
                document_key: SOLD.to_string(),
                ..wire::DocumentReference::default()
            }],
            totals: Some(totals),
            ..wire::Invoice::default()
        };
        wire::Document {
            document_key: Uuid::from_u128(9).to_string(),
            content: Some(wire::DocumentContent {
                invoice: Some(invoice),
            }),
            ..wire::Document::default()
        }
    }

    /// [`SOLD`] for 10 riyals, and an earlier note of 6 that corrects `names`.
    fn relations(names: &[Uuid]) -> CreditRelations {
        let mut relations = CreditRelations::default();
        relations.originals.insert(SOLD, Some(riyals("10.00")));
        let names = names.iter().copied().collect();
        let earlier = (riyals("6.00"), names);
        relations.notes.insert(Uuid::from_u128(3), earlier);
        relations
    }

    fn rule(relations: &CreditRelations) -> Option<&'static str> {
        credit_violation(&note("5.00"), relations).map(|violation| violation.rule)
    }

    #[test]
    fn note_on_documents_that_were_not_read_is_in_no_sum() {
        let own = relations(&[SOLD]);
        assert_eq!(rule(&own), Some("INV-CREDITS-ABOVE-ORIGINAL"));
        assert_eq!(rule(&relations(&[SOLD, ELSEWHERE])), None);
    }

    #[test]
    fn nothing_more_is_given_back_of_a_document_with_more_notes_than_are_read() {
        let mut many = relations(&[SOLD, ELSEWHERE]);
        many.has_unread_notes = true;
        assert_eq!(rule(&many), Some("INV-CREDIT-COUNT"));
        let remaining = remaining_credit(SOLD, Currency::SAUDI_RIYAL, &many);
        assert_eq!(remaining, Some(riyals("0.00")));
    }
}
