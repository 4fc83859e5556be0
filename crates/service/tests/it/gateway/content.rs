//! The whole model over the wire: all of it is kept, and what is wrong in it is told at its path.

use crate::fixtures::Service;
use crate::fixtures::gateway::{Caller, DOCUMENTS, changes, invoice, line, violations};
use invoicing_contract::messages::documents as v2;
use prost::Message as _;
use serde_json::{Value, json};

/// An invoice that says everything a caller can say.
fn everything() -> Value {
    let mut whole = invoice("صيانة", "1091.50");
    let text = |ar: &str, en: &str| json!({"ar": ar, "en": en});
    let id = |scheme: &str, value: &str| json!({"scheme": scheme, "value": value});
    let address = json!({
        "building": "1234", "street": "King Fahd Road", "district": "Al-Hamra", "city": "Jeddah", "postalCode": "12345",
        "region": "Makkah", "country": "SA", "additionalNumber": "5678", "additionalStreet": "Gate 2", "thirdLine": "Floor 3",
    });
    whole["references"] = json!({
        "buyer": "B-1", "project": "P-1", "contract": "C-1", "salesOrder": "SO-1", "receivingAdvice": "RA-1",
        "despatchAdvice": "DA-1", "tender": "T-1", "invoicedObject": id("AAA", "O-1"), "accounting": "4711",
    });
    whole["purchaseOrder"] = json!("PO-1");
    whole["note"] = json!("First line\nSecond line");
    whole["paymentTerms"] = json!("30 days");
    whole["taxPointDate"] = json!("2026-01-01");
    whole["payee"] = json!({"name": text("", "Factor"), "id": id("0088", "7300010000001"), "legalId": id("", "F-1")});
    whole["taxRepresentative"] =
        json!({"name": text("", "Agent"), "taxId": "310122393500003", "address": address});
    whole["delivery"] = json!({
        "party": text("المستودع", "Warehouse"), "location": id("0088", "7300010000002"), "address": address,
        "latestDate": "2026-01-02",
    });
    whole["payment"] = json!([{
        "code": "30", "name": "Credit transfer", "remittance": "RF18",
        "account": {"id": "SA0380000000608010167519", "name": "Main", "provider": "RJHISARI"},
        "card": {"number": "1234", "network": "VISA", "holder": "N. N."},
        "mandate": {"reference": "M-1", "payerAccount": "SA44"},
    }]);
    whole["documents"] = json!([{
        "id": id("", "Timesheet"), "typeCode": "916", "uuid": "", "description": "Hours", "uri": "https://example.org/hours",
        "attachment": {"mime": "text/csv", "filename": "hours.csv", "content": "YQ=="},
    }]);
    whole["allowancesCharges"] = json!([{
        "isCharge": false, "amount": "10.00", "base": "", "percent": "", "reason": "Agreed", "reasonCode": "95",
        "tax": {"category": "S", "rate": "15", "exemptionCode": "", "exemptionReason": ""},
    }]);
    let buyer = &mut whole["buyer"];
    buyer["tradingName"] = text("", "Palm");
    buyer["taxRegistration"] = json!("TR-1");
    buyer["legalId"] = id("0007", "556677");
    buyer["legalForm"] = json!("LLC");
    buyer["electronicAddress"] = id("0088", "7300010000003");
    buyer["address"] = address;
    let line = &mut whole["lines"][0];
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
    whole
}

/// What of `sent` did not come back, by its path.
fn lost(sent: &Value, came: &Value, path: &str, lost_at: &mut Vec<String>) {
    match sent {
        Value::Object(members) => {
            for (name, value) in members {
                lost(value, &came[name], &format!("{path}.{name}"), lost_at);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                lost(value, &came[index], &format!("{path}[{index}]"), lost_at);
            }
        }
        _ if sent == came => {}
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            lost_at.push(format!("{path}: {sent} became {came}"))
        }
    }
}

#[tokio::test]
async fn all_that_the_model_holds_is_kept() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let sent = everything();
    let draft = caller.draft(sent.clone()).await;
    let key = draft["documentKey"].as_str().expect("a key");
    let read = caller.get(&format!("{DOCUMENTS}/{key}")).await;
    let mut lost_at = Vec::new();
    lost(
        &sent,
        &read.json["content"]["invoice"],
        "invoice",
        &mut lost_at,
    );
    assert_eq!(lost_at, [""; 0]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_is_wrong_in_any_part_of_it_is_told_at_its_path() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let mut spoiled = everything();
    spoiled["payment"][0]["code"] = json!("99");
    spoiled["payment"][0]["card"]["number"] = json!("");
    spoiled["payee"]["name"] = json!({});
    spoiled["taxRepresentative"]["taxId"] = json!("");
    spoiled["delivery"]["address"]["country"] = json!("XX");
    spoiled["references"]["buyer"] = json!("a\u{0}");
    spoiled["documents"][0]["id"] = json!({});
    spoiled["lines"][0]["origin"] = json!("XX");
    spoiled["lines"][0]["grossPrice"] = json!("-1");
    spoiled["lines"][0]["attributes"][0]["value"] = json!("");
    spoiled["allowancesCharges"][0]["reasonCode"] = json!("999");
    let answer = caller.post(DOCUMENTS, changes(&spoiled)).await;
    assert_eq!(answer.status, 400, "{}", answer.body);
    let told = violations(&answer.json);
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
            told.iter()
                .any(|(path, what)| *path == at && what.starts_with(&format!("{rule}: "))),
            "{at} {rule} in {told:?}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_name_that_no_part_has_is_told_and_never_dropped() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let mut spoiled = invoice("a", "10");
    spoiled["payment"] = json!([{"code": "30", "iban": "SA03"}]);
    spoiled["lines"] = json!([line("a", "10")]);
    spoiled["lines"][0]["vatAmounts"] = json!({"tax": "1"});
    spoiled["references"] = json!("none");
    let answer = caller.post(DOCUMENTS, changes(&spoiled)).await;
    assert_eq!(answer.status, 400, "{}", answer.body);
    let mut told: Vec<_> = violations(&answer.json)
        .into_iter()
        .map(|(path, _)| path.replace("changes.content.invoice.", ""))
        .collect();
    told.sort();
    assert_eq!(
        told,
        ["lines[0].vatAmounts", "payment[0].iban", "references"]
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_line_of_a_saudi_seller_states_its_tax_which_the_service_computes() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let answer = caller
        .post(DOCUMENTS, changes(&invoice("صيانة", "1091.50")))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let stored = &answer.json["content"]["invoice"]["lines"][0];
    assert_eq!(
        stored["taxAmounts"],
        json!({"tax": "163.73", "gross": "1255.23"}),
        "KSA-11 and KSA-12"
    );
    let mut sent = invoice("صيانة", "1091.50");
    sent["lines"][0]["taxAmounts"] = json!({"tax": "163.72"});
    let refused = caller.post(DOCUMENTS, changes(&sent)).await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    let told = violations(&refused.json);
    assert_eq!(told[0].0, "changes.content.invoice.lines[0].taxAmounts");
    assert!(told[0].1.starts_with("INV-OUTPUT: "), "{told:?}");
    service.running.shutdown().await;
}

#[test]
fn a_document_that_was_stored_before_reads_as_it_was() {
    // number, issue date, buyer and a line as they were written before the model grew: tags 1, 4, 17 and 18.
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
    assert_eq!(read.encode_to_vec(), stored, "and is written as it was");
}
