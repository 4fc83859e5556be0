//! Reading Cross Industry Invoices: equality with UBL, unmapped elements, limits and malformed input.

use crate::fixtures::arbitrary_documents::any_document;
use crate::fixtures::cii_writer::{representable_in_cii, to_cii};
use crate::fixtures::document_violations;
use crate::fixtures::documents::{saudi, swedish, untaxed};
use crate::fixtures::public_corpus::corpus;
use invoice::xml::{Limit, Limits, ReadError};
use invoice::{Document, Kind, ParsedDocument, check_document, cii, ubl};
use jiff::civil::date;
use proptest::prelude::*;

fn read(text: &str) -> Result<ParsedDocument, ReadError> {
    cii::read(text.as_bytes(), Limits::default())
}

/// Reads the Swedish invoice with `inside` inserted before a tag.
fn with(before: &str, inside: &str) -> ParsedDocument {
    let text = to_cii(&swedish());
    assert!(text.contains(before), "{before} is in the file");
    read(&text.replacen(before, &format!("{inside}{before}"), 1))
        .expect("it is a Cross Industry Invoice")
}

fn names(read: ParsedDocument) -> Vec<String> {
    read.unmapped.into_iter().map(|one| one.name).collect()
}

proptest! {
    #[test]
    fn document_is_equal_in_both_syntaxes(document in any_document()) {
        let document = representable_in_cii(document);
        let text = to_cii(&document);
        let found = read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        prop_assert_eq!(&found.document, &document);
        prop_assert_eq!(found.unmapped, []);
        let in_ubl = ubl::write(&document).expect("UBL can hold it");
        let in_ubl = ubl::read(in_ubl.as_bytes(), Limits::default()).expect("it is UBL");
        prop_assert_eq!(in_ubl.document, found.document);
    }

    #[test]
    fn reading_a_damaged_document_never_panics(document in any_document(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = to_cii(&representable_in_cii(document)).into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = cii::read(bytes.as_slice(), Limits::default());
    }
}

#[test]
fn every_public_document_is_equal_in_both_syntaxes() {
    let Some(files) = corpus("every_public_document_is_equal_in_both_syntaxes") else {
        return;
    };
    for (name, bytes) in files {
        let from_ubl = ubl::read(bytes.as_slice(), Limits::default()).expect("it reads");
        let document = representable_in_cii(from_ubl.document);
        let found = read(&to_cii(&document)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(found.document, document, "{name}");
        assert_eq!(found.unmapped, [], "{name}");
    }
}

#[test]
fn valid_invoice_is_valid_in_cii() {
    let found = read(&to_cii(&swedish())).expect("it is a Cross Industry Invoice");
    let checked = check_document(&found.document, date(2026, 11, 21));
    assert_eq!(checked.violations, []);
}

#[test]
fn root_element_selects_the_syntax() {
    let document = swedish();
    let as_ubl = ubl::write(&document).expect("UBL");
    let as_cii = to_cii(&document);
    for text in [&as_ubl, &as_cii] {
        let found = invoice::read(text.as_bytes(), Limits::default()).expect("either is read");
        assert_eq!(found.document, document);
    }
    assert!(matches!(read(&as_ubl), Err(ReadError::Root { name, .. }) if name == "Invoice"));
    let refused = ubl::read(as_cii.as_bytes(), Limits::default());
    assert!(
        matches!(refused, Err(ReadError::Root { name, .. }) if name == "rsm:CrossIndustryInvoice")
    );
    let order = as_cii.replace("CrossIndustryInvoice", "CrossIndustryOrder");
    assert!(matches!(
        invoice::read(order.as_bytes(), Limits::default()),
        Err(ReadError::Root { .. })
    ));
}

#[test]
fn cii_elements_outside_the_model_are_unmapped() {
    let found = with("</rsm:ExchangedDocument>", "<ram:Name>RECHNUNG</ram:Name>");
    assert_eq!(found.document, swedish());
    assert_eq!(
        names(found),
        ["rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:Name"]
    );
    let agreement = "rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement";
    let found = with(
        "</ram:SellerTradeParty>",
        "<ram:SpecifiedTaxRegistration><ram:ID schemeID=\"ZZ\">1</ram:ID></ram:SpecifiedTaxRegistration>",
    );
    assert_eq!(
        names(found),
        [format!(
            "{agreement}/ram:SellerTradeParty/ram:SpecifiedTaxRegistration/ram:ID"
        )]
    );
    // In a UBL credit note a second one would be the project.
    let tender = "<ram:AdditionalReferencedDocument><ram:IssuerAssignedID>T</ram:IssuerAssignedID><ram:TypeCode>50</ram:TypeCode></ram:AdditionalReferencedDocument>";
    let found = with("</ram:ApplicableHeaderTradeAgreement>", &tender.repeat(2));
    assert_eq!(found.document.content.references.tender, "T");
    assert_eq!(
        names(found),
        [format!("{agreement}/ram:AdditionalReferencedDocument")]
    );
}

#[test]
fn date_in_an_unknown_format_is_unmapped_and_unchanged() {
    let text = to_cii(&swedish()).replace("\"102\">20261201", "\"610\">202612");
    let found = read(&text).expect("it is a Cross Industry Invoice");
    assert_eq!(found.document.content.due_date, "202612");
    assert!(names(found)[0].ends_with("ram:DueDateDateTime/udt:DateTimeString@format"));
}

#[test]
fn note_subject_precedes_the_note_as_in_ubl() {
    let found = with(
        "</rsm:ExchangedDocument>",
        "<ram:IncludedNote><ram:Content>Goods stay ours</ram:Content><ram:SubjectCode>AAI</ram:SubjectCode></ram:IncludedNote>",
    );
    assert_eq!(found.document.content.note, "#AAI#Goods stay ours");
}

#[test]
fn payment_reference_without_payment_means_is_unmapped() {
    let found = with(
        "<ram:InvoiceCurrencyCode>",
        "<ram:PaymentReference>RF18</ram:PaymentReference>",
    );
    assert_eq!(
        names(found),
        [
            "rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:PaymentReference"
        ]
    );
}

#[test]
fn amount_in_another_currency_is_unmapped_although_the_currency_follows() {
    let line = "<ram:LineTotalAmount>90.00";
    let text = to_cii(&swedish());
    let own = text.replacen(line, "<ram:LineTotalAmount currencyID=\"SEK\">90.00", 1);
    assert_eq!(read(&own).expect("it reads").unmapped, []);
    let other = text.replacen(line, "<ram:LineTotalAmount currencyID=\"EUR\">90.00", 1);
    let found = names(read(&other).expect("it reads"));
    assert!(
        found[0].ends_with("ram:LineTotalAmount@currencyID"),
        "{found:?}"
    );
}

#[test]
fn tax_total_in_the_tax_currency_is_recognized_in_any_order() {
    let mut document = swedish();
    document.content.tax_currency = "DKK".into();
    document.content.exchange_rate = "0.65".into();
    document.figures.totals.tax_in_tax_currency = "16.25".into();
    let text = to_cii(&document);
    let (tax, other) = (
        "<ram:TaxTotalAmount currencyID=\"SEK\">25.00</ram:TaxTotalAmount>",
        "<ram:TaxTotalAmount currencyID=\"DKK\">16.25</ram:TaxTotalAmount>",
    );
    assert!(text.contains(&format!("{tax}{other}")));
    let swapped = text.replace(&format!("{tax}{other}"), &format!("{other}{tax}"));
    assert_eq!(read(&swapped).expect("it reads").document, document);
    let third = text.replace(tax, &format!("{tax}{other}").replace("DKK", "NOK"));
    assert_eq!(
        names(read(&third).expect("it reads")).len(),
        1,
        "one of them has no place"
    );
}

#[test]
fn tax_total_of_zero_may_be_absent_in_cii() {
    let total = "<ram:TaxTotalAmount currencyID=\"SEK\">0.00</ram:TaxTotalAmount>";
    let xml = to_cii(&untaxed("Z"));
    assert_eq!(xml.matches(total).count(), 1, "{xml}");
    let parsed = read(&xml.replace(total, "")).expect("it reads");
    assert_eq!(parsed.document.figures.totals.tax, "");
    assert_eq!(document_violations(&parsed.document), [""; 0]);

    let xml = to_cii(&swedish());
    let total = "<ram:TaxTotalAmount currencyID=\"SEK\">25.00</ram:TaxTotalAmount>";
    let parsed = read(&xml.replace(total, "")).expect("it reads");
    let violations = document_violations(&parsed.document);
    assert!(
        violations.iter().any(|one| one == "totals.tax BR-CO-15"),
        "{violations:?}"
    );
}

#[test]
fn credit_note_is_recognized_by_its_type_code() {
    let mut document = swedish();
    document.type_code = "381".into();
    let found = read(&to_cii(&document)).expect("it reads").document;
    assert_eq!(found.content.kind, Kind::CreditNote);
}

#[test]
fn saudi_invoice_round_trips_through_cii() {
    let document = representable_in_cii(saudi());
    let found = read(&to_cii(&document)).expect("it reads").document;
    assert_eq!(found, document);
    assert_eq!(found.seller.name.ar, "شركة النخيل");
}

#[test]
fn cii_input_beyond_the_limits_is_rejected() {
    let text = to_cii(&swedish());
    let limited = |limits: Limits| match cii::read(text.as_bytes(), limits) {
        Err(ReadError::Limit { limit, .. }) => limit,
        other => panic!("{other:?}"),
    };
    let full = Limits::default();
    assert_eq!(
        limited(Limits {
            bytes: 1_000,
            ..full
        }),
        Limit::Bytes
    );
    assert_eq!(limited(Limits { depth: 4, ..full }), Limit::Depth);
    assert_eq!(
        limited(Limits {
            repeated: 1,
            ..full
        }),
        Limit::Repeated
    );
    // Pending unmapped attributes count against the limit.
    let line = "<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedLineTradeSettlement>\
        <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount currencyID=\"A0\">1</ram:LineTotalAmount>\
        </ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>";
    let lines: String = (0..20)
        .map(|at| line.replace("A0", &format!("A{at}")))
        .collect();
    let before = "<ram:ApplicableHeaderTradeAgreement>";
    let many = text.replacen(before, &format!("{lines}{before}"), 1);
    let limits = Limits {
        unmapped_names: 10,
        ..full
    };
    let refused = cii::read(many.as_bytes(), limits);
    assert!(
        matches!(
            refused,
            Err(ReadError::Limit {
                limit: Limit::UnmappedNames,
                ..
            })
        ),
        "{refused:?}"
    );
}

#[test]
fn entities_and_document_types_are_rejected() {
    let text = to_cii(&swedish());
    let bomb = text.replacen('\n', "\n<!DOCTYPE x [<!ENTITY a \"aaaa\">]>", 1);
    assert!(matches!(read(&bomb), Err(ReadError::Doctype { .. })));
    let entity = text.replacen("Paper", "&a;", 1);
    assert!(matches!(read(&entity), Err(ReadError::Entity { name, .. }) if name == "a"));
    let _: Document = read(&text).expect("without them it reads").document;
}
