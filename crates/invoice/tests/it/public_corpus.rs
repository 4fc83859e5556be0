//! Round trips, violations and totals of public sample documents.

use crate::fixtures::public_corpus::corpus;
use invoice::xml::Limits;
use invoice::{Document, check_document, ubl};
use jiff::civil::date;
use quick_xml::events::Event;
use rust_decimal::Decimal;

#[test]
fn every_public_document_round_trips() {
    let Some(files) = corpus("every_public_document_round_trips") else {
        return;
    };
    for (name, bytes) in files {
        let read = ubl::read(bytes.as_slice(), Limits::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let written = ubl::write(&read.document).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = ubl::read(written.as_bytes(), Limits::default())
            .unwrap_or_else(|error| panic!("{name} as written: {error}"));
        assert_eq!(again.document, read.document, "{name}");
        assert_eq!(again.unmapped, [], "{name}: nothing was written in vain");
    }
}

/// The texts of a document as `path=text`, without unmapped elements.
fn texts_by_path(bytes: &[u8], unmapped: &[String]) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_reader(bytes);
    let (mut path, mut text, mut found) = (Vec::<String>::new(), String::new(), Vec::new());
    loop {
        match reader.read_event().expect("it was read before") {
            Event::Start(start) => {
                path.push(start.name().as_ref().to_owned());
                text.clear();
            }
            Event::Text(part) => text.push_str(&part.xml10_content()),
            Event::GeneralRef(name) => {
                let reference = format!("&{};", name.xml10_content());
                text.push_str(&quick_xml::escape::unescape(&reference).expect("a known entity"));
            }
            Event::End(_) => {
                let name = path.join("/");
                // The writer adds neither the version nor the type code of a line reference, which are fixed.
                let is_fixed = name.ends_with("/cbc:UBLVersionID")
                    || name.ends_with("Line/cac:DocumentReference/cbc:DocumentTypeCode");
                let is_mapped = !is_fixed
                    && !unmapped
                        .iter()
                        .any(|unmapped| name.starts_with(unmapped.as_str()));
                let text = std::mem::take(&mut text);
                if is_mapped && !text.trim().is_empty() {
                    found.push(format!("{name}={}", plain(text.trim())));
                }
                path.pop();
            }
            Event::Eof => break,
            Event::Empty(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
        }
    }
    found.sort();
    found
}

/// Normalizes notations of the same number, Boolean or code.
fn plain(text: &str) -> String {
    match text {
        "0" => return "false".into(),
        "1" => return "true".into(),
        // A tax registration of the seller (BT-32) is written with the scheme TAX: EN 16931 only requires another one than VAT.
        "Tax" | "LOC" => return "TAX".into(),
        _ => {}
    }
    text.trim_start_matches('+').to_owned()
}

#[test]
fn everything_except_unmapped_elements_round_trips() {
    let Some(files) = corpus("everything_except_unmapped_elements_round_trips") else {
        return;
    };
    for (name, bytes) in files {
        let read = ubl::read(bytes.as_slice(), Limits::default()).expect("it reads");
        let unmapped: Vec<_> = read.unmapped.iter().map(|one| one.name.clone()).collect();
        let written = ubl::write(&read.document).expect("it writes");
        let before = texts_by_path(&bytes, &unmapped);
        let after = texts_by_path(written.as_bytes(), &unmapped);
        let lost: Vec<_> = before.iter().filter(|leaf| !after.contains(leaf)).collect();
        let added: Vec<_> = after.iter().filter(|leaf| !before.contains(leaf)).collect();
        assert!(
            lost.is_empty() && added.is_empty() && before.len() == after.len(),
            "{name}: lost {lost:?}, added {added:?}, {} and {}",
            before.len(),
            after.len()
        );
    }
}

/// Lines whose declared net amount contradicts quantity and price: `(document, line)`, as the README of the corpus
/// lists them. Peppol forbids it (R120), EN 16931 does not. All other documents conform to R120.
const CONTRADICTIONS: [(&str, &str); 10] = [
    (
        "en16931__test__testfiles__ubl-tc434-test-1.xml",
        "lines[0].net",
    ),
    (
        "en16931__ubl__examples__guide-example1.xml",
        "lines[19].net",
    ),
    ("en16931__ubl__examples__guide-example2.xml", "lines[0].net"),
    ("en16931__ubl__examples__guide-example3.xml", "lines[0].net"),
    ("en16931__ubl__examples__guide-example3.xml", "lines[1].net"),
    (
        "en16931__ubl__examples__ubl-tc434-example1.xml",
        "lines[19].net",
    ),
    (
        "en16931__ubl__examples__ubl-tc434-example10.xml",
        "lines[19].net",
    ),
    (
        "en16931__ubl__examples__ubl-tc434-example2.xml",
        "lines[0].net",
    ),
    (
        "en16931__ubl__examples__ubl-tc434-example3.xml",
        "lines[0].net",
    ),
    (
        "en16931__ubl__examples__ubl-tc434-example3.xml",
        "lines[1].net",
    ),
];

/// Documents whose third line has a unit price that contradicts the price before the discount. Peppol forbids it (R046), EN 16931
/// does not.
const PRICES: [&str; 3] = [
    "en16931__test__testfiles__ubl-tc434-test-1.xml",
    "en16931__ubl__examples__guide-example2.xml",
    "en16931__ubl__examples__ubl-tc434-example2.xml",
];

/// Other violations: `(document, path, rule)`. ZATCA requires a national identifier if education is zero-rated, and asks to look again
/// at numbers that are made up.
const FAULTS: [(&str, &str, &str); 10] = [
    (
        "saleh7__examples__InvoiceSimplified__output__Simplified_Debit_Note.xml",
        "buyer.otherIds",
        "BR-KSA-49",
    ),
    (
        "saleh7__examples__InvoiceSimplified__output__Simplified_Debit_Note_Signed.xml",
        "buyer.otherIds",
        "BR-KSA-49",
    ),
    (
        "saleh7__examples__output__GeneratorStandard_Invoice.xml",
        "seller.otherIds[0].value",
        "BR-KSA-F-08",
    ),
    (
        "saleh7__examples__output__GeneratorStandard_Invoice.xml",
        "seller.otherIds[0].value",
        "BR-KSA-F-13",
    ),
    (
        "saleh7__examples__output__GeneratorStandard_Invoice.xml",
        "buyer.otherIds[0].value",
        "BR-KSA-F-10",
    ),
    (
        "saleh7__examples__output__GeneratorStandard_Invoice.xml",
        "buyer.otherIds[0].value",
        "BR-KSA-F-13",
    ),
    (
        "saleh7__examples__output__GeneratorStandard_Invoice_Signed.xml",
        "seller.otherIds[0].value",
        "BR-KSA-F-08",
    ),
    (
        "saleh7__examples__output__GeneratorStandard_Invoice_Signed.xml",
        "seller.otherIds[0].value",
        "BR-KSA-F-13",
    ),
    (
        "saleh7__examples__output__GeneratorStandard_Invoice_Signed.xml",
        "buyer.otherIds[0].value",
        "BR-KSA-F-10",
    ),
    (
        "saleh7__examples__output__GeneratorStandard_Invoice_Signed.xml",
        "buyer.otherIds[0].value",
        "BR-KSA-F-13",
    ),
];

/// Asserts the violations of all public documents, each changed by `change` before it is checked.
fn assert_corpus_violations(
    files: Vec<(String, Vec<u8>)>,
    change: fn(&mut Document),
    mut expected: Vec<(&str, &str, &str)>,
) {
    let mut found = Vec::new();
    for (name, bytes) in files {
        let mut read = ubl::read(bytes.as_slice(), Limits::default()).expect("it reads");
        change(&mut read.document);
        let checked = check_document(&read.document, date(2026, 11, 21));
        let violations = checked.violations.into_iter();
        found.extend(violations.map(|one| (name.clone(), one.path, one.rule)));
    }
    expected.sort_unstable();
    let mut found: Vec<_> = found
        .iter()
        .map(|(name, path, rule)| (name.as_str(), path.as_str(), *rule))
        .collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn public_documents_have_only_the_known_violations() {
    let Some(files) = corpus("public_documents_have_only_the_known_violations") else {
        return;
    };
    assert_corpus_violations(files, |_| {}, FAULTS.to_vec());
}

#[test]
fn amounts_and_prices_that_contradict_others_are_reported_by_the_rules_of_peppol_only() {
    let Some(files) = corpus(
        "amounts_and_prices_that_contradict_others_are_reported_by_the_rules_of_peppol_only",
    ) else {
        return;
    };
    let contradictions = CONTRADICTIONS.map(|(name, path)| (name, path, "PEPPOL-EN16931-R120"));
    let prices = PRICES.map(|name| (name, "lines[2].priceDiscount", "PEPPOL-EN16931-R046"));
    assert_corpus_violations(
        files,
        |document| {
            document
                .specification
                .push_str("#compliant#urn:fdc:peppol.eu:2017")
        },
        contradictions
            .into_iter()
            .chain(prices)
            .chain(FAULTS)
            .collect(),
    );
}

#[test]
fn totals_of_every_public_document_are_reproduced() {
    let Some(files) = corpus("totals_of_every_public_document_are_reproduced") else {
        return;
    };
    for (name, bytes) in files {
        let document = ubl::read(bytes.as_slice(), Limits::default())
            .expect("it reads")
            .document;
        let calculation = check_document(&document, date(2026, 11, 21)).calculation;
        let totals = calculation
            .totals
            .unwrap_or_else(|| panic!("{name} has no totals"));
        let stated = &document.figures.totals;
        for (what, stated, computed) in [
            ("BT-106", &stated.lines, totals.lines),
            ("BT-107", &stated.allowances, totals.allowances),
            ("BT-108", &stated.charges, totals.charges),
            ("BT-109", &stated.net, totals.net),
            ("BT-110", &stated.tax, totals.tax),
            ("BT-112", &stated.gross, totals.gross),
            ("BT-115", &stated.payable, totals.payable),
        ] {
            assert_eq!(number(stated), computed.amount(), "{what} of {name}");
        }
        for (at, row) in document.figures.tax_breakdown.iter().enumerate() {
            let computed = calculation
                .tax_breakdown
                .iter()
                .find(|one| one.category.code() == row.category && one.rate == number(&row.rate))
                .unwrap_or_else(|| panic!("row {at} of {name} is computed"));
            assert_eq!(
                number(&row.taxable),
                computed.taxable.amount(),
                "BT-116 of row {at} of {name}"
            );
            assert_eq!(
                number(&row.tax),
                computed.tax.amount(),
                "BT-117 of row {at} of {name}"
            );
        }
    }
}

/// A declared amount, zero if it is absent.
fn number(text: &str) -> Decimal {
    if text.is_empty() {
        return Decimal::ZERO;
    }
    invoice::decimal::parse(text).expect("a figure is a number")
}
