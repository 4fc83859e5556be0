//! Property test of the list operation against a reference model: filters, sort orders, pages and skips.

use std::cmp::Ordering;

use super::{LIST, amount, sums, text, walk};
use crate::fixtures::Service;
use crate::fixtures::gateway::GatewayClient;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rust_decimal::Decimal;
use serde_json::{Value, json};

#[derive(Debug, Clone)]
struct ListQuery {
    filter: Value,
    sort: Vec<(&'static str, bool)>,
    size: u32,
    skip: u32,
}

fn list_queries() -> impl Strategy<Value = ListQuery> {
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
        ListQuery { filter, sort: sorts.into_iter().zip(descending).collect(), size, skip }
    })
}

#[expect(clippy::disallowed_methods, reason = "the seed ends today")]
fn today() -> jiff::civil::Date {
    jiff::Zoned::now().date()
}

/// The items that match the filter, in sort order.
fn model(all: &[Value], query: &ListQuery) -> Vec<Value> {
    let mut left: Vec<_> = all
        .iter()
        .filter(|item| matches(item, &query.filter))
        .cloned()
        .collect();
    let sort = if query.sort.is_empty() {
        vec![("ISSUE_DATE", true)]
    } else {
        query.sort.clone()
    };
    left.sort_by(|one, other| {
        let by_fields = sort
            .iter()
            .map(|(field, descending)| directed(compare(one, other, field), *descending));
        let by_key = directed(
            text(one, "documentKey").cmp(text(other, "documentKey")),
            sort.last().is_some_and(|(_, descending)| *descending),
        );
        by_fields.fold(Ordering::Equal, Ordering::then).then(by_key)
    });
    left
}

fn directed(order: Ordering, descending: bool) -> Ordering {
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
    // The hamza is the only character of the search terms that the service folds.
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

#[test]
fn every_filter_and_sort_matches_the_reference_model() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let service = runtime.block_on(Service::start_with(|config| invoicing_service::Config {
        invoices: Some(160),
        ..config
    }));
    let gateway = runtime.block_on(GatewayClient::new(&service));
    let (all, _) = runtime.block_on(walk(&gateway, json!({"pageSize": 500})));
    assert_eq!(all.len(), 160, "the seed");
    let mut runner = TestRunner::new(Config {
        cases: 60,
        failure_persistence: None,
        ..Config::default()
    });
    let tested = runner.run(&list_queries(), |query| {
        let expected = model(&all, &query);
        let sort: Vec<_> = query
            .sort
            .iter()
            .map(|(field, descending)| json!({"field": field, "descending": descending}))
            .collect();
        let request = json!({"filter": query.filter, "sort": sort, "pageSize": query.size});
        let (walked, first) = runtime.block_on(walk(&gateway, request.clone()));
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
        skipping["skip"] = json!(query.skip);
        let first = runtime.block_on(gateway.post(LIST, skipping)).json;
        let skipped = expected.get(query.skip as usize..).unwrap_or_default();
        let page = &skipped[..skipped.len().min(query.size as usize)];
        prop_assert_eq!(
            keys(first["items"].as_array().expect("items")),
            keys(page),
            "the page after the skipped rows"
        );
        prop_assert_eq!(
            first["nextPageToken"] != "",
            skipped.len() > page.len(),
            "a next page token exists only if rows remain"
        );
        Ok(())
    });
    tested.unwrap_or_else(|failure| panic!("{failure}"));
    runtime.block_on(service.running.shutdown());
}
