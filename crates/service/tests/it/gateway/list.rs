//! Lists over the wire against a naive model: filters, sorts, pages, skips and sums.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::fixtures::gateway::{Caller, invoice, reason, violations};
use crate::fixtures::process::Process;
use crate::fixtures::{Answer, Service};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::{Value, json};

const LIST: &str = "/api/v1/simple/invoices/list";

/// All items of a list, by walking its pages, and its first page.
async fn walk(caller: &Caller<'_>, mut request: Value) -> (Vec<Value>, Value) {
    let mut items = Vec::new();
    let mut first = Value::Null;
    loop {
        let answer = caller.post(LIST, request.clone()).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        items.extend(
            answer.json["items"]
                .as_array()
                .expect("items")
                .iter()
                .cloned(),
        );
        if first.is_null() {
            first = answer.json.clone();
        }
        let next = answer.json["nextPageToken"]
            .as_str()
            .expect("a token, or none");
        if next.is_empty() {
            return (items, first);
        }
        request["pageToken"] = json!(next);
    }
}

fn text<'item>(item: &'item Value, field: &str) -> &'item str {
    item[field].as_str().unwrap_or_default()
}

fn amount(item: &Value, field: &str) -> Decimal {
    text(item, field).parse().expect("an amount")
}

#[derive(Debug, Clone)]
struct Asked {
    filter: Value,
    sort: Vec<(&'static str, bool)>,
    size: u32,
    skip: u32,
}

fn asked() -> impl Strategy<Value = Asked> {
    let some =
        |values: Vec<&'static str>| prop::collection::vec(prop::sample::select(values), 0..3);
    let date = || {
        prop::option::of(
            (0_i64..760).prop_map(|ago| (today() - jiff::ToSpan::days(ago)).to_string()),
        )
    };
    let money = || prop::option::of((0_u32..60_000).prop_map(|amount| format!("{amount}.5")));
    let filter = (
        some(vec!["DRAFT", "ISSUED", "FROZEN", "REJECTED"]),
        some(vec!["INVOICE", "CREDIT_NOTE"]),
        prop::sample::select(vec![
            "",
            "",
            "al-n",
            "TRADING",
            "النور",
            "zzz",
            "31",
            "الأفق",
        ]),
        prop::sample::select(vec!["", "", "inv", "CN-", "002", "-0010"]),
        [date(), date(), date(), date()],
        [money(), money()],
        some(vec!["SAR", "AED", "EUR", "KWD"]),
    );
    let sorts = prop::sample::subsequence(
        vec![
            "ISSUE_DATE",
            "DUE_DATE",
            "NUMBER",
            "BUYER",
            "GROSS",
            "STATUS",
            "UPDATED",
        ],
        0..3,
    );
    (filter, sorts.prop_shuffle(), any::<[bool; 3]>(), 1_u32..90, 0_u32..170).prop_map(|(filter, sorts, descending, size, skip)| {
        let (status, kind, buyer, number, [issued_from, issued_to, due_from, due_to], [gross_from, gross_to], currency) = filter;
        let range = |from: Option<String>, to: Option<String>| json!({"from": from.unwrap_or_default(), "to": to.unwrap_or_default()});
        let filter = json!({
            "status": status, "kind": kind, "buyer": buyer, "number": number, "currency": currency,
            "issueDate": range(issued_from, issued_to), "dueDate": range(due_from, due_to), "gross": range(gross_from, gross_to),
        });
        Asked { filter, sort: sorts.into_iter().zip(descending).collect(), size, skip }
    })
}

#[expect(clippy::disallowed_methods, reason = "the seed ends today")]
fn today() -> jiff::civil::Date {
    jiff::Zoned::now().date()
}

/// What the filter leaves, in the order of the sort.
fn model(all: &[Value], asked: &Asked) -> Vec<Value> {
    let mut left: Vec<_> = all
        .iter()
        .filter(|item| matches(item, &asked.filter))
        .cloned()
        .collect();
    let sort = if asked.sort.is_empty() {
        vec![("ISSUE_DATE", true)]
    } else {
        asked.sort.clone()
    };
    left.sort_by(|one, other| {
        let by_fields = sort
            .iter()
            .map(|(field, descending)| turned(compare(one, other, field), *descending));
        let by_key = turned(
            text(one, "documentKey").cmp(text(other, "documentKey")),
            sort.last().is_some_and(|(_, descending)| *descending),
        );
        by_fields.fold(Ordering::Equal, Ordering::then).then(by_key)
    });
    left
}

fn turned(order: Ordering, descending: bool) -> Ordering {
    if descending { order.reverse() } else { order }
}

fn compare(one: &Value, other: &Value, field: &str) -> Ordering {
    let by = |key: fn(&Value) -> String| key(one).cmp(&key(other));
    match field {
        "ISSUE_DATE" => by(|item| text(item, "issueDate").to_owned()),
        "DUE_DATE" => by(|item| text(item, "dueDate").to_owned()),
        "NUMBER" => by(|item| {
            let number = text(item, "number");
            number
                .rsplit_once('-')
                .map_or(String::new(), |(series, sequence)| {
                    format!("{series}-{sequence:0>9}")
                })
        }),
        "BUYER" => by(|item| text(&item["buyer"]["name"], "en").to_lowercase()),
        "GROSS" => amount(one, "gross").cmp(&amount(other, "gross")),
        "STATUS" => by(|item| {
            let order = ["DRAFT", "ISSUED", "FROZEN", "REJECTED"]
                .iter()
                .position(|status| *status == text(item, "status"));
            order.map_or(String::new(), |order| order.to_string())
        }),
        "UPDATED" => by(|item| text(&item["updated"], "time").to_owned()),
        _ => panic!("{field}"),
    }
}

fn matches(item: &Value, filter: &Value) -> bool {
    let any = |name: &str, value: &str| {
        let wanted = filter[name].as_array().expect("a list");
        wanted.is_empty() || wanted.iter().any(|wanted| wanted == value)
    };
    let within = |range: &Value, value: &str| {
        let (from, to) = (text(range, "from"), text(range, "to"));
        (from.is_empty() || value >= from) && (to.is_empty() || (!value.is_empty() && value <= to))
    };
    let gross = amount(item, "gross");
    let bound = |end: &str| text(&filter["gross"], end).parse::<Decimal>().ok();
    // Only the hamza tells this search word from its folded form.
    let buyer = text(filter, "buyer").to_lowercase().replace('أ', "ا");
    let texts = [
        text(&item["buyer"]["name"], "en"),
        text(&item["buyer"]["name"], "ar"),
        text(&item["buyer"], "taxId"),
    ];
    any("status", text(item, "status"))
        && any("kind", text(item, "kind"))
        && any("currency", text(item, "currency"))
        && within(&filter["issueDate"], text(item, "issueDate"))
        && within(&filter["dueDate"], text(item, "dueDate"))
        && bound("from").is_none_or(|from| gross >= from)
        && bound("to").is_none_or(|to| gross <= to)
        && text(item, "number").contains(&text(filter, "number").to_uppercase())
        && texts.iter().any(|text| {
            text.to_lowercase()
                .replace(['أ', 'إ'], "ا")
                .contains(&buyer)
        })
}

/// By currency: count, net, tax, gross, credit notes negative.
fn sums(items: &[Value]) -> Value {
    let mut sums = BTreeMap::<&str, (u32, [Decimal; 3])>::new();
    for item in items {
        let sign = if text(item, "kind") == "CREDIT_NOTE" {
            -Decimal::ONE
        } else {
            Decimal::ONE
        };
        let (count, amounts) = sums.entry(text(item, "currency")).or_default();
        *count += 1;
        for (sum, field) in amounts.iter_mut().zip(["net", "tax", "gross"]) {
            let amount = amount(item, field);
            *sum += sign * amount;
            // Adding zeros loses the minor units: 0.00 and 0 are written differently.
            sum.rescale(amount.scale());
        }
    }
    let row = |(currency, (count, [net, tax, gross])): (&str, (u32, [Decimal; 3]))| json!({"currency": currency, "count": count, "net": net.to_string(), "tax": tax.to_string(), "gross": gross.to_string()});
    sums.into_iter().map(row).collect()
}

#[test]
fn every_filter_and_sort_gives_what_a_naive_model_gives() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let service = runtime.block_on(Service::start_with(|config| invoicing_service::Config {
        invoices: Some(160),
        ..config
    }));
    let caller = runtime.block_on(Caller::new(&service));
    let (all, _) = runtime.block_on(walk(&caller, json!({"pageSize": 500})));
    assert_eq!(all.len(), 160, "the seed");
    let mut runner = TestRunner::new(Config {
        cases: 60,
        failure_persistence: None,
        ..Config::default()
    });
    let tested = runner.run(&asked(), |asked| {
        let expected = model(&all, &asked);
        let sort: Vec<_> = asked
            .sort
            .iter()
            .map(|(field, descending)| json!({"field": field, "descending": descending}))
            .collect();
        let request = json!({"filter": asked.filter, "sort": sort, "pageSize": asked.size});
        let (walked, first) = runtime.block_on(walk(&caller, request.clone()));
        let keys = |items: &[Value]| {
            items
                .iter()
                .map(|item| text(item, "documentKey").to_owned())
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(keys(&walked), keys(&expected), "all pages");
        prop_assert_eq!(&first["totalSize"], &json!(expected.len()));
        prop_assert_eq!(&first["sums"], &sums(&expected));

        let mut skipping = request;
        skipping["skip"] = json!(asked.skip);
        let first = runtime.block_on(caller.post(LIST, skipping)).json;
        let skipped = expected.get(asked.skip as usize..).unwrap_or_default();
        let page = &skipped[..skipped.len().min(asked.size as usize)];
        prop_assert_eq!(
            keys(first["items"].as_array().expect("items")),
            keys(page),
            "the page after the skipped rows"
        );
        prop_assert_eq!(
            first["nextPageToken"] != "",
            skipped.len() > page.len(),
            "whether more follows"
        );
        Ok(())
    });
    tested.unwrap_or_else(|failure| panic!("{failure}"));
    runtime.block_on(service.running.shutdown());
}

#[tokio::test]
async fn writes_keep_the_sums_exact() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let mut drafts = Vec::new();
    for price in ["0.01", "99999999999.99", "1091.50", "12.34"] {
        drafts.push(caller.draft(invoice("a", price)).await);
    }
    let issued = caller.does(&drafts[0], "issue").await;
    caller.does(&issued, "freeze").await;
    caller.does(&drafts[1], "issue").await;
    let mut euros = json!({"concurrencyStamp": drafts[2]["concurrencyStamp"], "changes": {"content": {"invoice": invoice("b", "7")}}});
    euros["changes"]["content"]["invoice"]["currency"] = json!("EUR");
    let path = format!("/api/v2/documents/{}", text(&drafts[2], "documentKey"));
    let updated = caller
        .request(Method::PATCH, &path)
        .json(&euros)
        .send()
        .await
        .expect("an answer");
    assert_eq!(updated.status(), 200);
    let mut note = invoice("a", "0.50");
    note["kind"] = json!("CREDIT_NOTE");
    note["reason"] = json!("returned");
    note["preceding"] = json!([{"number": "INV-2026-0001"}]);
    caller.draft(note).await;
    for filter in [
        json!({}),
        json!({"number": "-"}),
        json!({"buyer": "palm"}),
        json!({"status": ["DRAFT"]}),
        json!({"gross": {"from": "1"}}),
    ] {
        let (items, first) = walk(&caller, json!({"filter": filter, "pageSize": 2})).await;
        assert_eq!(first["sums"], sums(&items), "{filter}");
        assert_eq!(first["totalSize"], json!(items.len()), "{filter}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn an_item_of_a_list_is_the_invoice_without_its_lines() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let draft = caller.draft(invoice("a", "10")).await;
    let listed = caller.post(LIST, json!({})).await.json["items"][0].clone();
    let mut got = caller
        .post(
            "/api/v1/simple/invoices/get",
            json!({"documentKey": draft["documentKey"]}),
        )
        .await
        .json;
    assert_eq!(got["lines"].as_array().map(Vec::len), Some(1));
    got["lines"] = json!([]);
    got["taxBreakdown"] = json!([]);
    assert_eq!(listed, got);
    service.running.shutdown().await;
}

#[tokio::test]
async fn the_list_of_documents_is_that_of_invoices_with_everything_in_it() {
    let service = Service::start_with(|config| invoicing_service::Config {
        invoices: Some(12),
        ..config
    })
    .await;
    let caller = Caller::new(&service).await;
    let request = json!({"pageSize": 5, "sort": [{"field": "GROSS"}]});
    let simple = caller.post(LIST, request.clone()).await.json;
    let whole = caller.post("/api/v2/documents/list", request).await.json;
    assert_eq!(
        (&whole["totalSize"], &whole["sums"], &whole["nextPageToken"]),
        (
            &simple["totalSize"],
            &simple["sums"],
            &simple["nextPageToken"]
        )
    );
    let (flat, items) = (
        simple["items"].as_array().expect("items"),
        whole["items"].as_array().expect("items"),
    );
    assert_eq!(items.len(), 5);
    for (flat, document) in flat.iter().zip(items) {
        let read = caller
            .get(&format!("/api/v2/documents/{}", text(flat, "documentKey")))
            .await
            .json;
        assert_eq!(&read, document);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_page_token_belongs_to_its_list() {
    let service = Service::start_with(|config| invoicing_service::Config {
        invoices: Some(30),
        ..config
    })
    .await;
    let caller = Caller::new(&service).await;
    let first = caller.post(LIST, json!({"pageSize": 5})).await.json;
    let token = text(&first, "nextPageToken");
    assert!(!token.is_empty(), "there is a second page");
    let changed = format!("A{}", &token[1..]);
    for request in [
        json!({"pageToken": token, "filter": {"buyer": "a"}}),
        json!({"pageToken": token, "sort": [{"field": "GROSS"}]}),
        json!({"pageToken": changed}),
        json!({"pageToken": "nonsense"}),
    ] {
        let answer = caller.post(LIST, request.clone()).await;
        let fields: Vec<_> = violations(&answer.json)
            .into_iter()
            .map(|(field, _)| field)
            .collect();
        assert_eq!(
            (answer.status.as_u16(), reason(&answer.json), fields),
            (400, "INVALID_REQUEST".into(), vec!["pageToken".to_owned()]),
            "{request}"
        );
    }
    crate::fixtures::gateway::sql(&service, "INSERT INTO grants (subject, organization_id, role) VALUES ('310000000000000009', '274893002', 'viewer')").await;
    let other = caller
        .request(Method::POST, LIST)
        .header("x-idp-orgid", "274893002")
        .json(&json!({"pageToken": token}))
        .send()
        .await;
    assert_eq!(
        Answer::of(other.expect("an answer")).await.status,
        400,
        "another organization's"
    );
    let larger = caller
        .post(LIST, json!({"pageToken": token, "pageSize": 500}))
        .await;
    assert_eq!(
        larger.json["items"].as_array().map(Vec::len),
        Some(25),
        "the size of a page may change: {}",
        larger.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_request_that_makes_no_sense_is_told_whole() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let answer = caller
        .post(LIST, json!({
            "pageSize": 501, "skip": -1,
            "sort": [{"field": "GROSS"}, {"field": "GROSS"}, {}],
            "filter": {
                "status": ["DRAFT", "STATUS_UNSPECIFIED"], "currency": ["sar"], "buyer": "x".repeat(201),
                "issueDate": {"from": "2026-2-1"}, "dueDate": {"to": "tomorrow"}, "gross": {"from": "1,5", "to": "99999999999999999999"},
            },
        }))
        .await;
    let fields: Vec<_> = violations(&answer.json)
        .into_iter()
        .map(|(field, _)| field)
        .collect();
    let expected = [
        "filter.status[1]",
        "filter.issueDate.from",
        "filter.dueDate.to",
        "filter.gross.from",
        "filter.gross.to",
        "filter.currency[0]",
        "filter.buyer",
        "sort[1].field",
        "sort[2].field",
        "pageSize",
        "skip",
    ];
    assert_eq!(fields, expected);
    service.running.shutdown().await;
}

#[tokio::test]
async fn the_demo_has_bilingual_invoices_of_every_state_in_each_tenant() {
    let service = Service::start_with(|config| invoicing_service::Config {
        invoices: Some(400),
        ..config
    })
    .await;
    let caller = Caller::new(&service).await;
    let (items, first) = walk(&caller, json!({"pageSize": 500})).await;
    assert_eq!(items.len(), 400);
    for status in ["DRAFT", "ISSUED", "FROZEN", "REJECTED"] {
        assert!(
            items.iter().any(|item| item["status"] == status),
            "no {status}"
        );
    }
    assert!(
        items.iter().any(|item| item["kind"] == "CREDIT_NOTE"),
        "no credit note"
    );
    assert!(
        items
            .iter()
            .all(|item| !text(&item["buyer"]["name"], "ar").is_empty()),
        "a buyer without an Arabic name"
    );
    assert!(
        first["sums"].as_array().is_some_and(|sums| sums.len() >= 2),
        "some other currency"
    );
    let mut numbers: Vec<_> = items
        .iter()
        .filter(|item| item["kind"] == "INVOICE" && item["number"] != "")
        .map(|item| text(item, "number"))
        .collect();
    numbers.sort_unstable();
    let years: std::collections::BTreeSet<_> = numbers.iter().map(|number| &number[..9]).collect();
    for year in years {
        let of_year: Vec<_> = numbers
            .iter()
            .filter(|number| number.starts_with(year))
            .collect();
        let expected: Vec<_> = (1..=of_year.len())
            .map(|sequence| format!("{year}{sequence:04}"))
            .collect();
        assert!(
            of_year
                .iter()
                .zip(&expected)
                .all(|(number, expected)| *number == expected),
            "gaps in {year}"
        );
    }
    // The next one issued goes on with the series.
    let issued = caller
        .does(&caller.draft(invoice("a", "10")).await, "issue")
        .await;
    let number = issued["content"]["invoice"]["number"]
        .as_str()
        .expect("a number")
        .to_owned();
    assert!(
        !numbers.contains(&number.as_str()),
        "{number} is given twice"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_demo_grows_to_what_is_asked_for_and_never_makes_anything_twice() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (asked, expected) in [("30", 30), ("30", 30), ("75", 75), ("10", 75), ("75", 75)] {
        let process = Process::start(folder.path(), &["--invoices", asked]).await;
        let caller = Caller::new(&process.site).await;
        let (items, first) = walk(&caller, json!({"pageSize": 500})).await;
        assert_eq!(
            first["totalSize"],
            json!(expected),
            "after --invoices {asked}"
        );
        let mut numbers: Vec<_> = items
            .iter()
            .map(|item| text(item, "number"))
            .filter(|number| !number.is_empty())
            .collect();
        let given = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), given, "no number twice");
        process.kill();
    }
}
