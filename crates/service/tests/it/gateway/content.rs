//! Tests of the complete invoice model over REST: every field round-trips, and violations are reported at their path.

use crate::fixtures::Service;
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, document_changes, invoice, line, violation_fields, violations,
};
use invoicing_contract::messages::documents as v2;
use prost::Message as _;
use serde_json::{Value, json};

/// An invoice with every field that a client can set.
fn complete_invoice() -> Value {
    let mut complete = invoice("صيانة", "1091.50");
    let text = |ar: &str, en: &str| json!({"ar": ar, "en": en});
    let id = |scheme: &str, value: &str| json!({"scheme": scheme, "value": value});
    let address = json!({
        "building": "1234", "street": "King Fahd Road", "district": "Al-Hamra", "city": "Jeddah", "postalCode": "12345",
        "region": "Makkah", "country": "SA", "additionalNumber": "5678", "additionalStreet": "Gate 2", "thirdLine": "Floor 3",
    });
    complete["references"] = json!({
        "buyer": "B-1", "project": "P-1", "contract": "C-1", "salesOrder": "SO-1", "receivingAdvice": "RA-1",
        "despatchAdvice": "DA-1", "tender": "T-1", "invoicedObject": id("AAA", "O-1"), "accounting": "4711",
    });
    complete["purchaseOrder"] = json!("PO-1");
    complete["note"] = json!("First line\nSecond line");
    complete["noteAr"] = json!("السطر الأول");
    complete["paymentTerms"] = json!("30 days");
    complete["taxPointDate"] = json!("2026-01-01");
    complete["payee"] = json!({"name": text("", "Factor"), "id": id("0088", "7300010000001"), "legalId": id("", "F-1")});
    complete["taxRepresentative"] =
        json!({"name": text("", "Agent"), "taxId": "310122393500003", "address": address});
    complete["delivery"] = json!({
        "party": text("المستودع", "Warehouse"), "location": id("0088", "7300010000002"), "address": address,
        "latestDate": "2026-01-02",
    });
    complete["payment"] = json!([{
        "code": "30", "name": "Credit transfer", "remittance": "RF18",
        "account": {"id": "SA0380000000608010167519", "name": "Main", "provider": "RJHISARI"},
        "card": {"number": "1234", "network": "VISA", "holder": "N. N."},
        "mandate": {"reference": "M-1", "payerAccount": "SA44"},
    }]);
    complete["documents"] = json!([{
        "id": id("", "Timesheet"), "typeCode": "916", "uuid": "", "description": "Hours", "uri": "https://example.org/hours",
        "attachment": {"mime": "text/csv", "filename": "hours.csv", "content": "YQ=="},
    }]);
    complete["allowancesCharges"] = json!([{
        "isCharge": false, "amount": "10.00", "base": "", "percent": "", "reason": "Agreed", "reasonCode": "95",
        "tax": {"category": "S", "rate": "15", "exemptionCode": "", "exemptionReason": ""},
    }]);
    let buyer = &mut complete["buyer"];
    buyer["tradingName"] = text("", "Palm");
    buyer["taxRegistration"] = json!("TR-1");
    buyer["legalId"] = id("0007", "556677");
    buyer["legalForm"] = json!("LLC");
    buyer["electronicAddress"] = id("0088", "7300010000003");
    buyer["address"] = address;
    let line = &mut complete["lines"][0];
    for (name, value) in [
        ("note", json!("On site")),
        ("object", id("AAA", "O-2")),
        ("orderLine", json!("7")),
        ("accounting", json!("4712")),
        (
            "period",
            json!({"start": "2026-01-01", "end": "2026-01-02"}),
        ),
        ("priceDiscount", json!("8.50")),
        ("grossPrice", json!("1100.00")),
        ("priceBaseUnit", json!("C62")),
        ("itemDescription", text("", "Twice a year")),
        ("buyerItemCode", json!("BI-1")),
        ("standardItemCode", id("0160", "7300010000004")),
        (
            "classifications",
            json!([{"list": "STI", "version": "1", "code": "123"}]),
        ),
        ("origin", json!("SA")),
        ("attributes", json!([{"name": "Colour", "value": "Teal"}])),
    ] {
        line[name] = value;
    }
    complete
}

/// Collects the paths of values in `sent` that differ in `received`.
fn collect_differences(sent: &Value, received: &Value, path: &str, differences: &mut Vec<String>) {
    match sent {
        Value::Object(members) => {
            for (name, value) in members {
                collect_differences(
                    value,
                    &received[name],
                    &format!("{path}.{name}"),
                    differences,
                );
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                collect_differences(
                    value,
                    &received[index],
                    &format!("{path}[{index}]"),
                    differences,
                );
            }
        }
        _ if sent == received => {}
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            differences.push(format!("{path}: {sent} became {received}"))
        }
    }
}

#[tokio::test]
async fn every_invoice_field_round_trips() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let sent = complete_invoice();
    let draft = gateway.create_draft(sent.clone()).await;
    let key = draft["documentKey"].as_str().expect("a key");
    let read = gateway.get(&format!("{DOCUMENTS}/{key}")).await;
    let mut differences = Vec::new();
    collect_differences(
        &sent,
        &read.json["content"]["invoice"],
        "invoice",
        &mut differences,
    );
    assert_eq!(differences, [""; 0]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn violations_in_optional_parts_are_reported_at_their_path() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut invalid = complete_invoice();
    invalid["payment"][0]["code"] = json!("99");
    invalid["payment"][0]["card"]["number"] = json!("");
    invalid["payee"]["name"] = json!({});
    invalid["taxRepresentative"]["taxId"] = json!("");
    invalid["delivery"]["address"]["country"] = json!("XX");
    invalid["references"]["buyer"] = json!("a\u{1}");
    invalid["documents"][0]["id"] = json!({});
    invalid["lines"][0]["origin"] = json!("XX");
    invalid["lines"][0]["grossPrice"] = json!("-1");
    invalid["lines"][0]["attributes"][0]["value"] = json!("");
    invalid["allowancesCharges"][0]["reasonCode"] = json!("999");
    let response = gateway.post(DOCUMENTS, document_changes(&invalid)).await;
    assert_eq!(response.status, 400, "{}", response.body);
    let reported = violations(&response.json);
    for (field, rule) in [
        ("payment[0].code", "BR-CL-16"),
        ("payment[0].card.number", "BR-51"),
        ("payee.name", "BR-17"),
        ("taxRepresentative.taxId", "BR-56"),
        ("delivery.address.country", "BR-CL-14"),
        ("references.buyer", "INV-TEXT"),
        ("documents[0].id", "BR-52"),
        ("lines[0].origin", "BR-CL-15"),
        ("lines[0].grossPrice", "BR-28"),
        ("lines[0].attributes[0]", "BR-54"),
        ("allowancesCharges[0].reasonCode", "BR-CL-19"),
    ] {
        let at = format!("changes.content.invoice.{field}");
        assert!(
            reported
                .iter()
                .any(|(path, what)| *path == at && what.starts_with(&format!("{rule}: "))),
            "{at} {rule} in {reported:?}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn unknown_json_field_is_reported_and_not_ignored() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut invalid = invoice("a", "10");
    invalid["payment"] = json!([{"code": "30", "iban": "SA03"}]);
    invalid["lines"] = json!([line("a", "10")]);
    invalid["lines"][0]["vatAmounts"] = json!({"tax": "1"});
    invalid["references"] = json!("none");
    let response = gateway.post(DOCUMENTS, document_changes(&invalid)).await;
    assert_eq!(response.status, 400, "{}", response.body);
    let mut reported: Vec<_> = violations(&response.json)
        .into_iter()
        .map(|(path, _)| path.replace("changes.content.invoice.", ""))
        .collect();
    reported.sort();
    assert_eq!(
        reported,
        ["lines[0].vatAmounts", "payment[0].iban", "references"]
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn line_of_a_saudi_seller_has_a_computed_tax_amount() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let response = gateway
        .post(DOCUMENTS, document_changes(&invoice("صيانة", "1091.50")))
        .await;
    assert_eq!(response.status, 200, "{}", response.body);
    let stored = &response.json["content"]["invoice"]["lines"][0];
    assert_eq!(
        stored["taxAmounts"],
        json!({"tax": "163.73", "gross": "1255.23"}),
        "KSA-11 and KSA-12"
    );
    let mut sent = invoice("صيانة", "1091.50");
    sent["lines"][0]["taxAmounts"] = json!({"tax": "163.72"});
    let refused = gateway.post(DOCUMENTS, document_changes(&sent)).await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    let reported = violations(&refused.json);
    assert_eq!(reported[0].0, "changes.content.invoice.lines[0].taxAmounts");
    assert!(reported[0].1.starts_with("INV-OUTPUT: "), "{reported:?}");
    service.running.shutdown().await;
}

#[test]
fn document_stored_with_the_previous_model_reads_unchanged() {
    // Number, issue date, buyer and a line as encoded by the previous version of the model: tags 1, 4, 17 and 18.
    let stored = b"\x0a\x05INV-1\x22\x0a2026-01-01\x8a\x01\x06\x12\x04A-12\x92\x01\x03\x1a\x012";
    let read = v2::Invoice::decode(&stored[..]).expect("a message");
    let before = v2::Invoice {
        number: "INV-1".into(),
        issue_date: "2026-01-01".into(),
        buyer: Some(v2::Party {
            tax_id: "A-12".into(),
            ..v2::Party::default()
        }),
        lines: vec![v2::Line {
            quantity: "2".into(),
            ..v2::Line::default()
        }],
        ..v2::Invoice::default()
    };
    assert_eq!(read, before);
    assert_eq!(read.encode_to_vec(), stored, "an update keeps it");
}

#[tokio::test]
async fn saudi_draft_for_a_business_is_issued_only_with_its_address_and_first_day_of_supply() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut content = invoice("maintenance", "100");
    content["buyer"]["taxId"] = json!("310122393500003");
    content["buyer"]["address"] = json!({"city": "Riyadh", "country": "SA"});
    content["delivery"] = json!({"latestDate": "2026-01-02"});
    let draft = gateway.create_draft(content.clone()).await;
    let refused = gateway.try_perform(&draft, "issue").await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    assert_eq!(
        violation_fields(&refused),
        ["buyer.address", "supplyDate"].map(|path| format!("changes.content.invoice.{path}"))
    );
    for rule in ["BR-KSA-63", "BR-KSA-35"] {
        assert!(refused.body.contains(rule), "{rule}: {}", refused.body);
    }

    content["buyer"]["address"] = json!({"building": "1234", "street": "King Fahd Road", "district": "Al Olaya",
        "city": "Riyadh", "postalCode": "12213", "country": "SA"});
    content["supplyDate"] = json!("2026-01-01");
    let draft = gateway.create_draft(content).await;
    gateway.perform(&draft, "issue").await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn saudi_draft_in_another_currency_is_issued_only_with_its_tax_in_riyals() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut content = invoice("exported", "100");
    content["currency"] = json!("EUR");
    let draft = gateway.create_draft(content.clone()).await;
    let refused = gateway.try_perform(&draft, "issue").await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    assert_eq!(
        violation_fields(&refused),
        ["changes.content.invoice.taxCurrency"]
    );
    assert!(refused.body.contains("BR-KSA-68"), "{}", refused.body);

    content["taxCurrency"] = json!("SAR");
    let without_rate = gateway.post(DOCUMENTS, document_changes(&content)).await;
    assert_eq!(
        violation_fields(&without_rate),
        ["changes.content.invoice.exchangeRate"]
    );
    content["exchangeRate"] = json!("4.10");
    let draft = gateway.create_draft(content).await;
    let issued = gateway.perform(&draft, "issue").await;
    assert_eq!(
        issued["content"]["invoice"]["totals"]["taxInTaxCurrency"],
        json!("61.50")
    );
    service.running.shutdown().await;
}
