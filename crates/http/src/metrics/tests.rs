//! Tests of the metrics: the list for operators names all of them, and the values of an engine are shown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use axum::body::Body;
use invoicing_storage::StorageStatistics;

use super::*;

/// The metrics of a service in which everything has happened.
fn complete_text() -> String {
    let metrics = Metrics::default();
    let mut refused = Response::new(Body::empty());
    refused
        .extensions_mut()
        .insert(OAuthErrorCode("invalid_grant"));
    metrics.record_response("identity", Some("/"), &refused, Duration::ZERO);
    let connections = metrics.connections("identity");
    connections.count_opened();
    connections.count_refusal(RefusedBy::TotalLimit);
    connections.count_eviction();
    connections.count_timeout(ConnectionTimeout::Idle);
    metrics.record_certificate_end("server", Timestamp::from_millis(1_800_000_000_000));
    metrics.record_clearance(3, Duration::from_secs(90));
    metrics.count_archive_failure();
    metrics.record_maintenance(Timestamp::from_millis(1_700_000_000_000));
    metrics.storage.record_ready(true);
    metrics.storage.record(StorageStatistics {
        engine: "postgresql",
        connections_used: 3,
        connections_idle: 2,
        connections_limit: 16,
        waiting: 1,
        retries: 7,
    });
    metrics.text()
}

/// A line for each series: `name{labels} type: what it tells`.
fn list(text: &str) -> String {
    let (mut help, mut kinds) = (BTreeMap::new(), BTreeMap::new());
    let mut series: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for line in text.lines() {
        if let Some((name, what)) = line
            .strip_prefix("# HELP ")
            .and_then(|rest| rest.split_once(' '))
        {
            help.insert(name, what.trim_end_matches('.'));
        } else if let Some((name, kind)) = line
            .strip_prefix("# TYPE ")
            .and_then(|rest| rest.split_once(' '))
        {
            kinds.insert(name, kind);
        } else if let Some((sample, _)) = line.split_once(' ')
            && !line.starts_with('#')
        {
            let (name, labels) = sample.split_once('{').unwrap_or((sample, ""));
            let labels = labels
                .split("\",")
                .filter_map(|label| label.split_once('=').map(|(name, _)| name));
            series.entry(name.to_owned()).or_default().extend(labels);
        }
    }
    let mut list = String::new();
    for (name, labels) in &series {
        let family = ["_total", "_info", "_count", "_sum", "_bucket"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .filter(|family| kinds.contains_key(family))
            .unwrap_or(name);
        let labels: Vec<_> = labels.iter().copied().collect();
        let labels = labels.join(",");
        let _ = writeln!(
            list,
            "{name}{{{labels}}} {}: {}",
            kinds[family], help[family]
        );
    }
    list
}

#[test]
fn list_of_metrics_for_operators_is_complete() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../deploy/prometheus/metrics.txt"
    );
    let written = std::fs::read_to_string(file).expect("the list can be read");
    let list = list(&complete_text());
    assert!(
        written == list,
        "deploy/prometheus/metrics.txt has to be:\n{list}"
    );
}

#[test]
fn values_of_an_engine_are_shown() {
    let text = complete_text();
    for line in [
        "invoicing_storage_ready 1",
        "invoicing_certificate_expiry_timestamp_seconds{certificate=\"server\"} 1800000000",
        "invoicing_clearance_waiting_documents 3",
        "invoicing_clearance_oldest_age_seconds 90",
        "invoicing_maintenance_completed_timestamp_seconds 1700000000",
        "invoicing_audit_archive_failures_total 1",
        "invoicing_storage_connections{engine=\"postgresql\",state=\"used\"} 3",
        "invoicing_storage_connections{engine=\"postgresql\",state=\"idle\"} 2",
        "invoicing_storage_connections_limit{engine=\"postgresql\"} 16",
        "invoicing_storage_waiting_transactions{engine=\"postgresql\"} 1",
        "invoicing_storage_retries_total{engine=\"postgresql\"} 7",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
    }
}
