//! What is outside the scope of tax: its document names no VAT number, and its file is read back as it was written.

use crate::fixtures::documents::{saudi, swedish, untaxed};
use crate::fixtures::{content, document_violations, line, violations_in};
use invoice::content::{Address, Identifier, Party, TaxRepresentative, Text};
use invoice::ubl;
use invoice::xml::Limits;

const SELLER: &str = "SE556677889901";

fn id(scheme: &str, value: &str) -> Identifier {
    Identifier {
        scheme: scheme.into(),
        value: value.into(),
    }
}

#[test]
fn file_outside_the_scope_of_tax_names_no_vat_number() {
    let mut document = untaxed("O");
    document.seller.tax_id = SELLER.into();
    document.content.buyer.tax_id = "SE112233445501".into();
    let found = document_violations(&document);
    assert!(
        found.contains(&"seller.taxId BR-O-02".to_owned()),
        "{found:?}"
    );
    let written = document.clone().without_vat_numbers_outside_scope();
    assert_eq!(document_violations(&written), [""; 0]);
    for (party, number) in [
        (&written.seller, SELLER),
        (&written.content.buyer, "SE112233445501"),
    ] {
        assert_eq!(party.other_ids, [id("", number)], "the number stays");
    }
    let read = |own: &str| written.clone().with_vat_numbers_outside_scope(own);
    assert_eq!(read(SELLER), document, "as it was written");
    assert_eq!(read("SE112233445501"), written, "a file of somebody else");

    assert_eq!(swedish().without_vat_numbers_outside_scope(), swedish());
    let mut outside = saudi();
    outside.content.lines[0].tax.category = "O".into();
    assert_eq!(
        outside.clone().without_vat_numbers_outside_scope(),
        outside,
        "Saudi Arabia requires the number"
    );
}

#[test]
fn identifier_of_a_buyer_without_a_scheme_is_read_back_as_what_it_was() {
    let numbered = |tax_id: &str, other_ids: &[Identifier]| Party {
        tax_id: tax_id.into(),
        other_ids: other_ids.to_vec(),
        ..untaxed("O").content.buyer
    };
    for buyer in [
        numbered("", &[]),
        numbered("", &[id("", "4711")]),
        numbered("", &[id("", "4711"), id("0007", "1122334455")]),
        numbered("", &[id("0007", "1122334455"), id("", "4711")]),
        numbered("SE112233445501", &[]),
        numbered("SE112233445501", &[id("", "4711")]),
        numbered("SE112233445501", &[id("0007", "1122334455")]),
        numbered("", &[id("", SELLER)]),
    ] {
        let mut document = untaxed("O");
        document.seller.tax_id = SELLER.into();
        document.content.buyer = buyer;
        let written = document.clone().without_vat_numbers_outside_scope();
        assert_eq!(document_violations(&written), [""; 0]);
        let file = ubl::write(&written).expect("UBL can hold it");
        let read = ubl::read(file.as_bytes(), Limits::default()).expect("it is UBL");
        assert_eq!(read.document, written);
        assert_eq!(
            read.document.with_vat_numbers_outside_scope(SELLER),
            document
        );
    }
}

#[test]
fn tax_representative_has_a_vat_number_and_nothing_outside_the_scope_of_tax() {
    let represented = |category: &str, tax_id: &str| {
        let mut content = content(vec![line("1", "10", category, "")]);
        content.lines[0].tax.exemption_reason = "salaries".into();
        content.tax_representative = Some(TaxRepresentative {
            name: Text {
                en: "Agent".into(),
                ..Text::default()
            },
            tax_id: tax_id.into(),
            address: Address {
                country: "SE".into(),
                ..Address::default()
            }
            .into(),
        });
        content
    };
    let number = represented("O", "SE112233445501");
    let path = || "taxRepresentative.taxId".to_owned();
    assert_eq!(violations_in("SE", &number), [(path(), "BR-O-02")]);
    let none = represented("O", "");
    assert_eq!(violations_in("SE", &none), [(path(), "BR-56")]);
    let exempt = represented("E", "SE112233445501");
    assert_eq!(violations_in("SE", &exempt), []);
}

#[cfg(feature = "pdf")]
#[test]
fn number_that_a_file_has_twice_is_printed_as_often_as_one() {
    use crate::fixtures::rendered_pdf::print;
    use invoice::pdf::Languages;

    let printed = |other_ids: Vec<Identifier>| {
        let mut document = untaxed("O");
        document.seller.tax_id = SELLER.into();
        document.content.buyer.other_ids = other_ids;
        let written = document.without_vat_numbers_outside_scope();
        let ids = written.seller.other_ids.len();
        let text = print(&written, Languages::English).text()?;
        Some((ids, text.matches(SELLER).count()))
    };
    let Some((ids, once)) = printed(Vec::new()) else {
        return;
    };
    assert_eq!(ids, 1);
    assert_eq!(printed(vec![id("", "4711")]), Some((2, once)));
}
