//! Tests of answers of lists that are given again: never an older one than what was committed (decision 0157).

use serde_json::{Value, json};

use super::LIST;
use crate::fixtures::gateway::{GatewayClient, invoice};
use crate::fixtures::process::Process;
use crate::fixtures::{Response, ServiceFolder};

/// The list as another client of the service asks for it each time. Its answer may be one that was given before.
async fn repeated(gateway: &GatewayClient<'_>, path: &str) -> Value {
    let page = gateway.post_raw(path, r#"{"pageSize":50}"#).await;
    assert_eq!(page.status, 200, "{}", page.body);
    page.json
}

/// The same list by a request that nobody has sent before.
async fn read(gateway: &GatewayClient<'_>, path: &str, spaces: usize) -> Value {
    let request = format!(r#"{{"pageSize":50{}}}"#, " ".repeat(spaces));
    let page = gateway.post_raw(path, request).await;
    assert_eq!(page.status, 200, "{}", page.body);
    page.json
}

#[tokio::test]
async fn repeated_list_shows_each_write_of_another_process_at_once() {
    let folder = ServiceFolder::new();
    let writer = Process::start(&folder, &[]).await;
    let reader = Process::start(&folder, &[]).await;
    let writing = GatewayClient::new(&writer.client).await;
    let reading = GatewayClient::new(&reader.client).await;
    let lists = [LIST, "/api/v2/documents/list"];
    for list in lists {
        assert_eq!(
            repeated(&reading, list).await,
            repeated(&reading, list).await,
            "{list}"
        );
    }
    let mut before = repeated(&reading, LIST).await;
    let mut spaces = 1;
    let mut shown = async || {
        for list in lists {
            spaces += 1;
            let expected = read(&reading, list, spaces).await;
            assert_eq!(repeated(&reading, list).await, expected, "{list}");
        }
        let now = repeated(&reading, LIST).await;
        assert_ne!(now, before, "the write is in the list");
        before = now;
    };
    let draft = writing.create_draft(invoice("Consulting", "10")).await;
    shown().await;
    let key = draft["documentKey"].as_str().expect("a key");
    let update = json!({
        "concurrencyStamp": draft["concurrencyStamp"],
        "changes": {"content": {"invoice": invoice("Consulting", "20")}},
    });
    let path = format!("/api/v2/documents/{key}");
    let request = writing.request(reqwest::Method::PATCH, &path).json(&update);
    let updated = Response::read(request.send().await.expect("a response")).await;
    assert_eq!(updated.status, 200, "{}", updated.body);
    shown().await;
    let issued = writing.perform(&updated.json, "issue").await;
    shown().await;
    let payment = json!({"payment": {"amount": "1.00", "means": "30"}});
    let path = format!("/api/v2/documents/{key}/payments");
    let paid = writing.post(&path, payment).await;
    assert_eq!(paid.status, 200, "{}", paid.body);
    shown().await;
    writing.perform(&issued, "freeze").await;
    shown().await;
}
