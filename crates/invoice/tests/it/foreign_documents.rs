//! UBL documents of other programs: notations, types and elements that the writer of this library does not produce.

use crate::fixtures::document_violations;
use crate::fixtures::documents::{saudi, swedish};
use invoice::xml::Limits;
use invoice::{Kind, ubl};

fn read(xml: &str) -> invoice::ParsedDocument {
    ubl::read(xml.as_bytes(), Limits::default()).unwrap_or_else(|error| panic!("{error}: {xml}"))
}

fn swedish_xml() -> String {
    ubl::write(&swedish()).expect("UBL")
}

#[test]
fn prefixes_comments_and_instructions_do_not_change_the_document() {
    let plain = swedish_xml();
    let prefixed = plain
        .replace("<cac:", "<a:")
        .replace("</cac:", "</a:")
        .replace("xmlns:cac=", "xmlns:a=")
        .replace("<cbc:", "<b:")
        .replace("</cbc:", "</b:")
        .replace("xmlns:cbc=", "xmlns:b=")
        .replace("<Invoice ", "<ubl:Invoice ")
        .replace("</Invoice>", "</ubl:Invoice>")
        .replace(" xmlns=", " xmlns:ubl=");
    let commented = plain
        .replace("?>", "?><?xml-stylesheet href=\"a.xsl\"?><!-- by hand -->")
        .replace("<cac:Party>", "<!-- who --><cac:Party><?go on?>")
        .replace("</cbc:ID>", "<!-- the last one --></cbc:ID>");
    let spaced = plain.replace("><", ">\r\n\t<");
    let hinted = plain.replace(
        "<Invoice ",
        "<Invoice xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"a b\" ",
    );
    for xml in [prefixed, commented, spaced, hinted] {
        let read = read(&xml);
        assert_eq!(read.document, swedish(), "{xml}");
        assert_eq!(read.unmapped, []);
    }
}

#[test]
fn xs_decimal_notations_are_valid_and_exponents_are_not() {
    let with = |amount: &str| {
        swedish_xml().replace(
            "<cbc:PriceAmount currencyID=\"SEK\">50.00<",
            &format!("<cbc:PriceAmount currencyID=\"SEK\">{amount}<"),
        )
    };
    for amount in [" 50.00\n", "+50", "050.000", "50.", "<![CDATA[50]]>"] {
        assert_eq!(
            document_violations(&read(&with(amount)).document),
            [""; 0],
            "{amount}"
        );
    }
    for amount in ["5e1", "50,00", "5 0", "NaN", "INF", "٥٠"] {
        assert_eq!(
            document_violations(&read(&with(amount)).document),
            ["lines[0].unitPrice INV-NUMBER"],
            "{amount}"
        );
    }
}

#[test]
fn day_may_have_a_time_zone() {
    let with = |day: &str| {
        swedish_xml().replace(
            "<cbc:IssueDate>2026-11-01<",
            &format!("<cbc:IssueDate>{day}<"),
        )
    };
    for day in ["2026-11-01Z", "2026-11-01+03:00", "\n2026-11-01-05:00 "] {
        let read = read(&with(day));
        assert_eq!(read.document, swedish(), "{day}");
        assert_eq!(read.unmapped, []);
    }
    let found = document_violations(&read(&with("2026-11-01T12:00:00")).document);
    assert_eq!(found, ["issueDate INV-DATE"]);
}

#[test]
fn negative_and_zero_lines_and_negative_totals_are_valid_in_received_documents() {
    let mut document = swedish();
    document.content.allowances_charges.clear();
    let line = &mut document.content.lines[0];
    line.allowances_charges.clear();
    let mut nothing = line.clone();
    nothing.id = "2".into();
    nothing.quantity = "0".into();
    line.quantity = "-2".into();
    document.content.lines.push(nothing);
    let figures = &mut document.figures;
    figures.line_nets = vec!["-100.00".into(), "0.00".into()];
    figures.tax_breakdown[0].taxable = "-100.00".into();
    figures.tax_breakdown[0].tax = "-25.00".into();
    let totals = &mut figures.totals;
    totals.allowances.clear();
    totals.charges.clear();
    for (total, amount) in [
        (&mut totals.lines, "-100.00"),
        (&mut totals.net, "-100.00"),
        (&mut totals.tax, "-25.00"),
        (&mut totals.gross, "-125.00"),
        (&mut totals.payable, "-125.00"),
    ] {
        *total = amount.into();
    }
    assert_eq!(document_violations(&document), [""; 0]);
    let again = read(&ubl::write(&document).expect("UBL"));
    assert_eq!(again.document, document);
}

#[test]
fn every_type_code_is_valid_and_round_trips() {
    for (code, kind) in [
        ("326", Kind::Invoice),
        ("380", Kind::Invoice),
        ("384", Kind::Invoice),
        ("386", Kind::Invoice),
        ("389", Kind::Invoice),
        ("393", Kind::Invoice),
        ("575", Kind::Invoice),
        ("875", Kind::Invoice),
        ("383", Kind::DebitNote),
        ("381", Kind::CreditNote),
        ("396", Kind::CreditNote),
        ("261", Kind::CreditNote),
    ] {
        let mut document = swedish();
        document.type_code = code.into();
        document.content.kind = kind;
        let again = read(&ubl::write(&document).expect("UBL")).document;
        assert_eq!(again, document, "{code}");
        assert_eq!(document_violations(&again), [""; 0], "{code}");
    }
}

#[test]
fn credit_note_code_in_an_invoice_element_is_reported_outside_saudi_arabia() {
    let xml = swedish_xml().replace("<cbc:InvoiceTypeCode>380<", "<cbc:InvoiceTypeCode>381<");
    let document = read(&xml).document;
    assert_eq!(document.content.kind, Kind::Invoice);
    assert_eq!(document_violations(&document), ["typeCode BR-CL-01"]);

    let mut note = saudi();
    note.type_code = "381".into();
    note.content.kind = Kind::CreditNote;
    let again = read(&ubl::write(&note).expect("UBL")).document;
    assert_eq!(again.content.kind, Kind::CreditNote);
}

#[test]
fn tax_scheme_of_the_seller_other_than_vat_is_the_tax_registration() {
    let scheme = |company: &str, scheme: &str| {
        format!(
            "<cac:PartyTaxScheme><cbc:CompanyID>{company}</cbc:CompanyID>\
             <cac:TaxScheme><cbc:ID>{scheme}</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>"
        )
    };
    let vat = scheme("SE556677889901", "VAT");
    let xml = swedish_xml();
    assert_eq!(xml.matches(&vat).count(), 1, "{xml}");
    for other in ["TAX", "FC", "GST", "LOC"] {
        let xml = xml.replace(&vat, &format!("{vat}{}", scheme("55-1", other)));
        let read = read(&xml);
        assert_eq!(read.unmapped, [], "{other}");
        assert_eq!(read.document.seller.tax_id, "SE556677889901");
        assert_eq!(read.document.seller.tax_registration, "55-1", "{other}");
        assert_eq!(document_violations(&read.document), [""; 0], "{other}");
    }
}

#[test]
fn second_tax_total_in_the_same_currency_is_kept_and_reported() {
    let again =
        "<cac:TaxTotal><cbc:TaxAmount currencyID=\"SEK\">24.00</cbc:TaxAmount></cac:TaxTotal>";
    let xml = swedish_xml().replace(
        "<cac:LegalMonetaryTotal>",
        &format!("{again}<cac:LegalMonetaryTotal>"),
    );
    let read = read(&xml);
    assert_eq!(read.unmapped, []);
    assert_eq!(read.document.figures.duplicate_tax_total, "24.00");
    assert_eq!(document_violations(&read.document), ["totals.tax BR-CO-15"]);
    assert_eq!(ubl::write(&read.document).expect("UBL"), xml);
}

#[test]
fn extensions_and_signatures_are_unmapped_and_change_nothing() {
    let extensions = "<ext:UBLExtensions xmlns:ext=\"urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2\">\
        <ext:UBLExtension><ext:ExtensionURI>urn:oasis:names:specification:ubl:dsig:enveloped:xades</ext:ExtensionURI>\
        <ext:ExtensionContent><ds:Signature xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\" Id=\"signature\">\
        <ds:SignatureValue>MEUC</ds:SignatureValue></ds:Signature></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>";
    let signature = "<cac:Signature><cbc:ID>urn:oasis:names:specification:ubl:signature:Invoice</cbc:ID></cac:Signature>";
    let xml = ubl::write(&saudi()).expect("UBL");
    let (head, rest) = xml
        .split_once("CommonBasicComponents-2\">")
        .expect("a root");
    let rest = rest.replacen(
        "<cac:AccountingSupplierParty>",
        &format!("{signature}<cac:AccountingSupplierParty>"),
        1,
    );
    let signed = read(&format!(
        "{head}CommonBasicComponents-2\">{extensions}{rest}"
    ));
    assert_eq!(signed.document, saudi());
    let names: Vec<_> = signed
        .unmapped
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["Invoice/cac:Signature", "Invoice/ext:UBLExtensions"]
    );

    let sub_line =
        "<cac:SubInvoiceLine><cbc:ID>1.1</cbc:ID></cac:SubInvoiceLine></cac:InvoiceLine>";
    let with_parts = read(&swedish_xml().replacen("</cac:InvoiceLine>", sub_line, 1));
    assert_eq!(with_parts.document, swedish());
    assert_eq!(
        with_parts.unmapped[0].name,
        "Invoice/cac:InvoiceLine/cac:SubInvoiceLine"
    );
}
