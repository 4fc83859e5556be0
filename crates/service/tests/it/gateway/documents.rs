//! The life of documents over the wire: states, stamps, keys, numbers, deletion.

use crate::fixtures::gateway::{
    Caller, DOCUMENTS, all, changes, documents, fields, invoice, invoices, reason,
};
use crate::fixtures::{Answer, Service};
use invoicing_contract::messages::documents as v2;
use invoicing_contract::messages::simple::{
    CreateInvoiceRequest, FreezeInvoiceRequest, GetInvoiceRequest, NewInvoice,
};
use reqwest::Method;
use serde_json::{Value, json};
use tonic::Code;

#[tokio::test]
async fn a_document_lives_from_draft_to_frozen() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let draft = caller.draft(invoice("صيانة", "1091.50")).await;
    assert_eq!(
        (&draft["status"], &draft["organizationId"]),
        (&json!("DRAFT"), &json!("274893001"))
    );
    let content = &draft["content"]["invoice"];
    assert_eq!(
        (&content["number"], &content["currency"], &content["kind"]),
        (&json!(""), &json!("SAR"), &json!("INVOICE"))
    );
    assert_eq!(
        content["totals"]["tax"],
        json!("163.73"),
        "half away from zero"
    );
    assert_eq!(content["totals"]["gross"], json!("1255.23"));
    assert_eq!(content["taxBreakdown"][0]["taxable"], json!("1091.50"));
    assert_eq!(content["seller"]["name"]["en"], json!("Al-Khair Trading"));
    assert_eq!(content["lines"][0]["net"], json!("1091.50"));
    assert_eq!(content["note"], json!(""), "absent texts are empty ones");
    assert_eq!(draft["created"]["byName"], json!("Nightly import"));

    let issued = caller.does(&draft, "issue").await;
    assert_eq!(issued["status"], json!("ISSUED"));
    let number = issued["content"]["invoice"]["number"]
        .as_str()
        .expect("a number");
    assert!(
        number.starts_with("INV-20") && number.ends_with("-0001"),
        "{number}"
    );
    assert_ne!(
        issued["concurrencyStamp"], draft["concurrencyStamp"],
        "every write has its own stamp"
    );

    let frozen = caller.does(&issued, "freeze").await;
    assert_eq!(
        (&frozen["status"], &frozen["frozen"]["byName"]),
        (&json!("FROZEN"), &json!("Nightly import"))
    );
    let read = caller
        .get(&format!(
            "{DOCUMENTS}/{}",
            draft["documentKey"].as_str().expect("a key")
        ))
        .await;
    assert_eq!(read.json, frozen);
    service.running.shutdown().await;
}

#[tokio::test]
async fn rest_and_grpc_say_the_same_of_the_same_document() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let draft = caller.draft(invoice("service", "10")).await;
    let key = draft["documentKey"].as_str().expect("a key").to_owned();
    let read = documents(&service)
        .await
        .get_document(caller.grpc(v2::GetDocumentRequest {
            document_key: key.clone(),
        }))
        .await;
    let read = read.expect("it is there").into_inner();
    let parsed: v2::Document = serde_json::from_value(draft).expect("the JSON of the mapping");
    assert_eq!(read, parsed);

    let flat = caller
        .post("/api/v1/simple/invoices/get", json!({"documentKey": key}))
        .await;
    let got = invoices(&service)
        .await
        .get_invoice(caller.grpc(GetInvoiceRequest { document_key: key }))
        .await;
    let parsed = serde_json::from_value(flat.json).expect("the JSON of the mapping");
    assert_eq!(got.expect("it is there").into_inner(), parsed);
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_key_is_used_once() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let key = uuid::Uuid::now_v7().to_string();
    let body = json!({"documentKey": key, "changes": {"content": {"invoice": invoice("a", "10")}}});
    assert_eq!(caller.post(DOCUMENTS, body.clone()).await.status, 200);
    let again = caller.post(DOCUMENTS, body).await;
    assert_eq!(
        (
            again.status.as_u16(),
            &again.json["code"],
            reason(&again.json)
        ),
        (409, &json!(6), "DOCUMENT_EXISTS".into())
    );
    let simple = json!({"documentKey": key, "invoice": invoice("a", "10")});
    assert_eq!(
        caller
            .post("/api/v1/simple/invoices/create", simple)
            .await
            .json["code"],
        json!(6),
        "both views share the keys"
    );
    let request = CreateInvoiceRequest {
        document_key: key,
        invoice: serde_json::from_value::<NewInvoice>(invoice("a", "10")).ok(),
    };
    let refused = invoices(&service)
        .await
        .create_invoice(caller.grpc(request))
        .await
        .expect_err("used");
    assert_eq!(refused.code(), Code::AlreadyExists);
    for strange in [
        "1",
        "0190a6c2-7d1e-4f00-a111-000000000001",
        "0190A6C2-7D1E-7F00-A111-000000000001",
    ] {
        let body = json!({"documentKey": strange, "changes": {"content": {"invoice": invoice("a", "10")}}});
        assert_eq!(
            fields(&caller.post(DOCUMENTS, body).await),
            ["documentKey"],
            "{strange}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_stamp_is_asked_for_and_a_stale_one_is_refused() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let draft = caller.draft(invoice("a", "10")).await;
    let path = format!(
        "{DOCUMENTS}/{}",
        draft["documentKey"].as_str().expect("a key")
    );
    let patch = |stamp: Value, price: &str| {
        let mut body = changes(&invoice("a", price));
        body["concurrencyStamp"] = stamp;
        let request = caller.request(Method::PATCH, &path).json(&body);
        async move { Answer::of(request.send().await.expect("an answer")).await }
    };
    assert_eq!(fields(&patch(json!(""), "11").await), ["concurrencyStamp"]);
    let both = patch(json!(""), "x").await;
    assert_eq!(
        fields(&both),
        [
            "concurrencyStamp",
            "changes.content.invoice.lines[0].unitPrice"
        ],
        "all at once"
    );
    let updated = patch(draft["concurrencyStamp"].clone(), "11").await;
    assert_eq!(
        updated.json["content"]["invoice"]["totals"]["net"],
        json!("11.00"),
        "{}",
        updated.body
    );
    let stale = patch(draft["concurrencyStamp"].clone(), "12").await;
    assert_eq!(
        (
            stale.status.as_u16(),
            &stale.json["code"],
            reason(&stale.json)
        ),
        (409, &json!(10), "STAMP_MISMATCH".into())
    );
    for verb in ["issue", "freeze"] {
        let key = path.rsplit('/').next().expect("a key");
        let answer = caller
            .post(&format!("{DOCUMENTS}/{key}:{verb}"), json!({}))
            .await;
        assert_eq!(fields(&answer), ["concurrencyStamp"], "{verb}");
    }
    assert_eq!(
        caller.tries(&draft, "issue").await.json["code"],
        json!(10),
        "issue with a stale stamp"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_the_state_does_not_allow_is_a_failed_precondition() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let draft = caller.draft(invoice("a", "10")).await;
    let early = caller.tries(&draft, "freeze").await;
    assert_eq!(
        (
            early.status.as_u16(),
            &early.json["code"],
            reason(&early.json)
        ),
        (400, &json!(9), "DOCUMENT_NOT_ISSUED".into())
    );
    let issued = caller.does(&draft, "issue").await;
    assert_eq!(
        reason(&caller.tries(&issued, "issue").await.json),
        "DOCUMENT_ISSUED"
    );
    let frozen = caller.does(&issued, "freeze").await;
    let key = frozen["documentKey"].as_str().expect("a key");

    // Also with a stamp of long ago: that it is frozen is what the caller needs to know.
    for stamp in [&frozen["concurrencyStamp"], &draft["concurrencyStamp"]] {
        let mut body = changes(&invoice("a", "11"));
        body["concurrencyStamp"] = stamp.clone();
        let edit = caller
            .request(Method::PATCH, &format!("{DOCUMENTS}/{key}"))
            .json(&body)
            .send()
            .await
            .expect("an answer");
        let edit = Answer::of(edit).await;
        assert_eq!(
            (edit.status.as_u16(), &edit.json["code"], reason(&edit.json)),
            (400, &json!(9), "DOCUMENT_FROZEN".into())
        );
        let metadata = &edit.json["details"][0]["metadata"];
        assert_eq!(metadata["number"], frozen["content"]["invoice"]["number"]);
        assert_eq!(metadata["frozenBy"], json!("Nightly import"));
        let at: jiff::Timestamp = metadata["frozenAt"]
            .as_str()
            .and_then(|at| at.parse().ok())
            .expect("a time");
        assert_eq!(json!(at.to_string()), metadata["frozenAt"]);
    }
    for verb in ["issue", "freeze"] {
        assert_eq!(
            reason(&caller.tries(&frozen, verb).await.json),
            "DOCUMENT_FROZEN",
            "{verb}"
        );
    }
    let request = FreezeInvoiceRequest {
        document_key: key.to_owned(),
        concurrency_stamp: "x".into(),
    };
    let refused = invoices(&service)
        .await
        .freeze_invoice(caller.grpc(request))
        .await
        .expect_err("frozen");
    assert_eq!(refused.code(), Code::FailedPrecondition);
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_is_not_there_is_not_found_and_neither_is_anothers() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let draft = caller.draft(invoice("a", "10")).await;
    let key = draft["documentKey"].as_str().expect("a key");
    crate::fixtures::gateway::sql(&service, "INSERT INTO grants (subject, organization_id, role) VALUES ('310000000000000009', '274893002', 'administrator')").await;
    let path = format!("{DOCUMENTS}/{key}");
    let other = caller
        .request(Method::GET, &path)
        .header("x-idp-orgid", "274893002")
        .send()
        .await
        .expect("an answer");
    for answer in [
        Answer::of(other).await,
        caller
            .get(&format!("{DOCUMENTS}/{}", uuid::Uuid::now_v7()))
            .await,
        caller.get(&format!("{DOCUMENTS}/nonsense")).await,
    ] {
        assert_eq!(
            (
                answer.status.as_u16(),
                &answer.json["code"],
                reason(&answer.json)
            ),
            (404, &json!(5), "DOCUMENT_NOT_FOUND".into())
        );
    }
    service.running.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_have_no_gaps_when_many_issue_at_once() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let mut drafts = Vec::new();
    for _ in 0..20 {
        drafts.push(caller.draft(invoice("a", "10")).await);
    }
    // Each draft twice: one of the two is stale and must not use up a number.
    let tries = drafts
        .iter()
        .chain(&drafts)
        .map(|draft| caller.tries(draft, "issue"));
    let answers = all(tries).await;
    let mut numbers: Vec<_> = answers
        .iter()
        .filter(|answer| answer.status == 200)
        .map(|answer| {
            answer.json["content"]["invoice"]["number"]
                .as_str()
                .expect("a number")
                .to_owned()
        })
        .collect();
    numbers.sort();
    let year = &numbers[0][4..8];
    let expected: Vec<_> = (1..=20)
        .map(|sequence| format!("INV-{year}-{sequence:04}"))
        .collect();
    assert_eq!(numbers, expected);
    let others: Vec<_> = answers
        .iter()
        .filter(|answer| answer.status != 200)
        .map(|answer| answer.json["code"].clone())
        .collect();
    assert_eq!(others.len(), 20, "each draft is issued once");
    assert!(
        others
            .iter()
            .all(|code| [json!(9), json!(10)].contains(code)),
        "{others:?}"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_credit_note_has_a_series_of_its_own() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let issued = caller
        .does(&caller.draft(invoice("a", "10")).await, "issue")
        .await;
    let mut note = invoice("a", "10");
    note["kind"] = json!("CREDIT_NOTE");
    let wrong = caller.post(DOCUMENTS, changes(&note)).await;
    assert_eq!(
        fields(&wrong),
        [
            "changes.content.invoice.preceding",
            "changes.content.invoice.reason"
        ]
    );
    note["reason"] = json!("returned");
    note["preceding"] = json!([{"number": issued["content"]["invoice"]["number"]}]);
    let note = caller.does(&caller.draft(note).await, "issue").await;
    let number = note["content"]["invoice"]["number"]
        .as_str()
        .expect("a number");
    assert!(
        number.starts_with("CN-") && number.ends_with("-0001"),
        "{number}"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_credit_note_gives_back_no_more_than_the_document_that_it_names_by_its_key() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let issued = caller
        .does(&caller.draft(invoice("a", "10")).await, "issue")
        .await;
    let credit = |price: &str, key: &Value| {
        let mut note = invoice("a", price);
        note["kind"] = json!("CREDIT_NOTE");
        note["reason"] = json!("returned");
        note["preceding"] = json!([{
            "documentKey": key, "number": issued["content"]["invoice"]["number"],
        }]);
        changes(&note)
    };
    let key = &issued["documentKey"];
    let above = caller.post(DOCUMENTS, credit("10.01", key)).await;
    assert_eq!(above.status, 400, "{}", above.body);
    assert_eq!(fields(&above), ["changes.content.invoice.lines"]);
    assert!(
        above.body.contains("INV-CREDIT-ABOVE-ORIGINAL"),
        "{}",
        above.body
    );
    let whole = caller.post(DOCUMENTS, credit("10", key)).await;
    assert_eq!(whole.status, 200, "{}", whole.body);
    let unknown = json!("0197f2a4-7c3e-7b1a-8f00-000000000000");
    let other = caller.post(DOCUMENTS, credit("10.01", &unknown)).await;
    assert_eq!(other.status, 200, "nothing is known of it: {}", other.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_draft_can_be_deleted_and_its_history_stays() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let draft = caller.draft(invoice("a", "10")).await;
    let path = format!(
        "{DOCUMENTS}/{}",
        draft["documentKey"].as_str().expect("a key")
    );
    let delete = |path: String| {
        let request = caller.request(Method::DELETE, &path);
        async move { Answer::of(request.send().await.expect("an answer")).await }
    };
    assert_eq!(fields(&delete(path.clone()).await), ["concurrencyStamp"]);
    assert_eq!(
        delete(format!("{path}?concurrencyStamp=old")).await.json["code"],
        json!(10)
    );
    let stamp = draft["concurrencyStamp"].as_str().expect("a stamp");
    let deleted = delete(format!("{path}?concurrencyStamp={stamp}")).await;
    assert_eq!((deleted.status.as_u16(), &deleted.json), (200, &json!({})));
    assert_eq!(caller.get(&path).await.status, 404);
    let sums = caller
        .post("/api/v1/simple/invoices/list", json!({}))
        .await
        .json;
    assert_eq!((&sums["totalSize"], &sums["sums"]), (&json!(0), &json!([])));
    let history = caller.get(&format!("{path}/history")).await.json;
    let actions: Vec<_> = history["revisions"]
        .as_array()
        .expect("revisions")
        .iter()
        .map(|revision| revision["action"].clone())
        .collect();
    assert_eq!(actions, [json!("deleted"), json!("created")]);
    assert_eq!(history["revisions"][1]["document"], draft);

    let issued = caller
        .does(&caller.draft(invoice("a", "10")).await, "issue")
        .await;
    let path = format!(
        "{DOCUMENTS}/{}",
        issued["documentKey"].as_str().expect("a key")
    );
    let stamp = issued["concurrencyStamp"].as_str().expect("a stamp");
    let refused = delete(format!("{path}?concurrencyStamp={stamp}")).await;
    assert_eq!(
        (&refused.json["code"], reason(&refused.json)),
        (&json!(9), "DOCUMENT_ISSUED".into())
    );
    let nobody = caller
        .get(&format!("{DOCUMENTS}/{}/history", uuid::Uuid::now_v7()))
        .await;
    assert_eq!(nobody.status, 404, "no such document ever");
    service.running.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_writers_at_once_one_wins_and_the_plan_holds() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let draft = caller.draft(invoice("a", "10")).await;
    let path = format!(
        "{DOCUMENTS}/{}",
        draft["documentKey"].as_str().expect("a key")
    );
    let edits = (1..=10).map(|price| {
        let mut body = changes(&invoice("a", &price.to_string()));
        body["concurrencyStamp"] = draft["concurrencyStamp"].clone();
        let request = caller.request(Method::PATCH, &path).json(&body);
        async move { Answer::of(request.send().await.expect("an answer")).await }
    });
    let answers = all(edits).await;
    let codes: Vec<_> = answers
        .iter()
        .filter(|answer| answer.status != 200)
        .map(|answer| &answer.json["code"])
        .collect();
    assert_eq!(
        codes,
        [&json!(10); 9],
        "one wins, nine are told to read again"
    );

    crate::fixtures::gateway::sql(
        &service,
        "UPDATE tenants SET monthly_documents = 4 WHERE organization_id = '274893001'",
    )
    .await;
    let body = changes(&invoice("a", "10"));
    let creates = (0..12).map(|_| caller.post(DOCUMENTS, body.clone()));
    let answers = all(creates).await;
    let created = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(created, 3, "with the first one four");
    assert!(
        answers
            .iter()
            .all(|answer| answer.status == 200 || reason(&answer.json) == "PLAN_LIMIT")
    );
    service.running.shutdown().await;
}
