//! Tests of the invoices of the demo seed.

use super::{text, walk};
use crate::fixtures::Service;
use crate::fixtures::ServiceFolder;
use crate::fixtures::gateway::{GatewayClient, invoice};
use crate::fixtures::process::Process;
use serde_json::json;

#[tokio::test]
async fn demo_seed_contains_bilingual_invoices_in_every_state() {
    let service = Service::start_with(|config| invoicing_service::Config {
        invoices: Some(400),
        ..config
    })
    .await;
    let gateway = GatewayClient::new(&service).await;
    let (items, first) = walk(&gateway, json!({"pageSize": 500})).await;
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
        "at least two currencies"
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
    // The next issued invoice continues the series.
    let issued = gateway
        .perform(&gateway.create_draft(invoice("a", "10")).await, "issue")
        .await;
    let number = issued["content"]["invoice"]["number"]
        .as_str()
        .expect("a number")
        .to_owned();
    assert!(
        !numbers.contains(&number.as_str()),
        "{number} is assigned twice"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn demo_seed_grows_to_the_requested_count_without_duplicates() {
    let folder = ServiceFolder::new();
    for (query, expected) in [("30", 30), ("30", 30), ("75", 75), ("10", 75), ("75", 75)] {
        let process = Process::start(&folder, &["--invoices", query]).await;
        let gateway = GatewayClient::new(&process.client).await;
        let (items, first) = walk(&gateway, json!({"pageSize": 500})).await;
        assert_eq!(
            first["totalSize"],
            json!(expected),
            "after --invoices {query}"
        );
        let mut numbers: Vec<_> = items
            .iter()
            .map(|item| text(item, "number"))
            .filter(|number| !number.is_empty())
            .collect();
        let assigned = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), assigned, "numbers are unique");
        process.kill();
    }
}
