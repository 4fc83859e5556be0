//! Credit notes that correct one document together, over the wire.

use crate::fixtures::Service;
use crate::fixtures::gateway::{Caller, all, fields, invoice, reason};
use serde_json::{Value, json};

/// A credit note of this price without tax, on documents that are issued.
fn note(price: &str, originals: &[&Value]) -> Value {
    let mut note = invoice("returned", price);
    note["kind"] = json!("CREDIT_NOTE");
    note["reason"] = json!("returned");
    let preceding = originals.iter().map(|original| {
        json!({
            "documentKey": original["documentKey"],
            "number": original["content"]["invoice"]["number"],
        })
    });
    note["preceding"] = preceding.collect();
    note
}

async fn issued(caller: &Caller<'_>, price: &str) -> Value {
    let draft = caller.draft(invoice("sold", price)).await;
    caller.does(&draft, "issue").await
}

fn number(document: &Value) -> &str {
    document["content"]["invoice"]["number"]
        .as_str()
        .expect("a number")
}

#[tokio::test]
async fn credit_notes_together_give_back_no_more_than_their_original() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let original = issued(&caller, "10").await;
    let first = caller.draft(note("6", &[&original])).await;
    let second = caller.draft(note("5", &[&original])).await;
    caller.does(&first, "issue").await;

    let refused = caller.tries(&second, "issue").await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    assert_eq!(fields(&refused), ["changes.content.invoice.preceding"]);
    assert_eq!(reason(&refused.json), "INVALID_INVOICE");
    let told = refused.json["details"]
        .as_array()
        .expect("details")
        .iter()
        .find_map(|detail| detail.get("metadata"))
        .expect("an ErrorInfo");
    assert_eq!(told["rules"], json!("INV-CREDITS-ABOVE-ORIGINAL"));
    assert_eq!(
        (&told["most"], &told["earlier"], &told["computed"]),
        (&json!("11.50"), &json!("6.90"), &json!("5.75"))
    );
    let key = second["documentKey"].as_str().expect("a key");
    let kept = caller.get(&format!("/api/v2/documents/{key}")).await;
    assert_eq!(kept.json, second, "it is a draft as before");

    let rest = caller.draft(note("4", &[&original])).await;
    let rest = caller.does(&rest, "issue").await;
    assert!(number(&rest).ends_with("-0002"), "no number is missing");
    let more = caller.draft(note("0.01", &[&original])).await;
    let more = caller.tries(&more, "issue").await;
    assert_eq!(more.status, 400, "all is given back: {}", more.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn of_credit_notes_issued_at_the_same_moment_only_those_pass_that_fit_together() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let original = issued(&caller, "10").await;
    let mut drafts = Vec::new();
    for _ in 0..8 {
        drafts.push(caller.draft(note("4", &[&original])).await);
    }
    let answers = all(drafts.iter().map(|draft| caller.tries(draft, "issue"))).await;
    let passed = answers.iter().filter(|answer| answer.status == 200);
    assert_eq!(passed.count(), 2, "4 and 4 of 10");
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert!(
            refused.body.contains("INV-CREDITS-ABOVE-ORIGINAL"),
            "{}",
            refused.body
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn notes_that_name_several_documents_are_held_against_all_of_them() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let (one, other) = (issued(&caller, "10").await, issued(&caller, "10").await);
    let both = caller.draft(note("15", &[&one, &other])).await;
    caller.does(&both, "issue").await;

    let above = caller.draft(note("6", &[&one])).await;
    let above = caller.tries(&above, "issue").await;
    assert_eq!(above.status, 400, "15 and 6 of 20: {}", above.body);
    let rest = caller.draft(note("5", &[&one])).await;
    caller.does(&rest, "issue").await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn nothing_is_said_where_an_original_is_not_known() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let original = issued(&caller, "10").await;
    let elsewhere = json!({
        "documentKey": "0197f2a4-7c3e-7b1a-8f00-000000000000",
        "content": {"invoice": {"number": "OLD-7"}},
    });
    for _ in 0..2 {
        let draft = caller.draft(note("9", &[&original, &elsewhere])).await;
        caller.does(&draft, "issue").await;
    }
    service.running.shutdown().await;
}
