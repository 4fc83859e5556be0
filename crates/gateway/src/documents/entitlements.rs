//! What a plan has to include for the content of a document (decision 0118).

use invoicing_contract::messages::documents::{Invoice, Kind, LocalizedText};
use invoicing_storage::directory::Tenant;
use invoicing_storage::plans::Entitlement;

use super::DocumentError;

/// Checks the kind of a document, and the languages of the texts that its author writes. Those of the seller come from the
/// profile of the tenant and need no entitlement.
///
/// # Errors
/// [`DocumentError::NotEntitled`]
pub(super) fn require_entitlements(
    tenant: &Tenant,
    invoice: &Invoice,
) -> Result<(), DocumentError> {
    let entitlements = tenant.entitlements();
    let kind = match invoice.kind() {
        // The rules complete it.
        Kind::Unspecified => Kind::Invoice,
        kind @ (Kind::Invoice | Kind::CreditNote | Kind::DebitNote) => kind,
    };
    let missing_language = ["ar", "en"].into_iter().any(|language| {
        !entitlements.include(Entitlement::Language(language))
            && texts(invoice, language).any(|text| !text.is_empty())
    });
    if missing_language || !entitlements.include(Entitlement::DocumentKind(kind)) {
        return Err(DocumentError::NotEntitled);
    }
    Ok(())
}

/// The texts of an invoice in a language, except those of the seller. `note` has no language of its own (decision 0149).
fn texts<'a>(invoice: &'a Invoice, language: &'a str) -> impl Iterator<Item = &'a str> {
    let note = (language == "ar").then_some(invoice.note_ar.as_str());
    localized_texts(invoice)
        .map(move |text| in_language(text, language))
        .chain(note)
}

fn in_language<'a>(text: &'a LocalizedText, language: &str) -> &'a str {
    match language {
        "ar" => &text.ar,
        _ => &text.en,
    }
}

fn localized_texts(invoice: &Invoice) -> impl Iterator<Item = &LocalizedText> {
    let buyer = invoice.buyer.iter();
    let buyer = buyer.flat_map(|buyer| buyer.name.iter().chain(&buyer.trading_name));
    let lines = invoice.lines.iter();
    let lines = lines.flat_map(|line| line.description.iter().chain(&line.item_description));
    let payee = invoice.payee.iter().flat_map(|payee| &payee.name);
    let representative = invoice.tax_representative.iter();
    let representative = representative.flat_map(|representative| &representative.name);
    let delivery = invoice.delivery.iter();
    let delivery = delivery.flat_map(|delivery| &delivery.party);
    buyer
        .chain(lines)
        .chain(payee)
        .chain(representative)
        .chain(delivery)
}

#[cfg(test)]
mod tests {
    use invoicing_contract::descriptor_pool;
    use prost_reflect::Kind as FieldKind;

    /// A new field of this type, or with the suffix of a language, has to be added to `texts`.
    #[test]
    fn fields_with_languages_are_those_that_texts_reads() {
        let pool = descriptor_pool();
        let mut fields: Vec<_> = pool
            .all_messages()
            .filter(|message| message.package_name() == "invoicing.documents.v2")
            .flat_map(|message| message.fields().collect::<Vec<_>>())
            .filter(|field| {
                let has_suffix = ["_ar", "_en"].iter().any(|suffix| field.name().ends_with(suffix));
                has_suffix
                    || matches!(field.kind(), FieldKind::Message(inner) if inner.name() == "LocalizedText")
            })
            .map(|field| {
                let name = field.full_name();
                name.trim_start_matches("invoicing.documents.v2.").to_owned()
            })
            .collect();
        fields.sort_unstable();
        assert_eq!(
            fields,
            [
                "Delivery.party",
                "Invoice.note_ar",
                "Line.description",
                "Line.item_description",
                "Party.name",
                "Party.trading_name",
                "Payee.name",
                "TaxRepresentative.name",
            ]
        );
    }
}
