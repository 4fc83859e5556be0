//! Callers that create and issue documents and remember what was acknowledged.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_postgres::NoTls;
use uuid::Uuid;

use super::Load;
use crate::fixtures::ServiceClient;
use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, document_changes, invoice};

/// Between two attempts of a caller.
const PAUSE: Duration = Duration::from_millis(50);

/// The numbers that were acknowledged, by document key.
pub(super) type Acknowledged = BTreeMap<Uuid, String>;

/// Running callers.
pub(super) struct DocumentLoad(Vec<JoinHandle<Acknowledged>>);

impl DocumentLoad {
    pub(super) async fn start(client: &ServiceClient, load: &Arc<Load>, callers: usize) -> Self {
        let token = GatewayClient::new(client).await.token;
        let callers = (0..callers).map(|_| {
            let (client, load, token) = (client.clone(), load.clone(), token.clone());
            tokio::spawn(async move {
                let mut acknowledged = Acknowledged::new();
                let gateway = GatewayClient {
                    service: &client,
                    token,
                };
                while !load.stopped() {
                    let key = crate::fixtures::new_key();
                    let number = create_and_issue(&gateway, &load, key).await;
                    acknowledged.insert(key, number);
                }
                acknowledged
            })
        });
        Self(callers.collect())
    }

    /// What all callers were told.
    pub(super) async fn finish(self) -> Acknowledged {
        let mut all = Acknowledged::new();
        for caller in self.0 {
            all.extend(caller.await.expect("the caller ends"));
        }
        all
    }
}

/// Creates a document and issues it, each repeated until it is acknowledged. The number.
async fn create_and_issue(gateway: &GatewayClient<'_>, load: &Load, key: Uuid) -> String {
    let mut body = document_changes(&invoice("a", "10"));
    body["documentKey"] = json!(key);
    loop {
        match send(gateway, load, Method::POST, DOCUMENTS, Some(&body)).await {
            // 409: an attempt before whose answer was lost.
            Some((StatusCode::OK | StatusCode::CONFLICT, _)) => break,
            Some((status, answer)) => load.report(format!("create: {status} {answer}")),
            None => {}
        }
        tokio::time::sleep(PAUSE).await;
    }
    load.acknowledge();
    let path = format!("{DOCUMENTS}/{key}");
    loop {
        if let Some((StatusCode::OK, document)) =
            send(gateway, load, Method::GET, &path, None).await
        {
            let number = &document["content"]["invoice"]["number"];
            if let Some(number) = number.as_str().filter(|number| !number.is_empty()) {
                load.acknowledge();
                return number.to_owned();
            }
            let body = json!({"concurrencyStamp": document["concurrencyStamp"]});
            match send(
                gateway,
                load,
                Method::POST,
                &format!("{path}:issue"),
                Some(&body),
            )
            .await
            {
                // 409 and 400: an attempt before whose answer was lost. The next read shows it.
                Some((StatusCode::OK | StatusCode::CONFLICT | StatusCode::BAD_REQUEST, _))
                | None => {}
                Some((status, answer)) => load.report(format!("issue: {status} {answer}")),
            }
            continue;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// One attempt: status and body; `None` if the connection broke, or the answer allows to try again.
async fn send(
    gateway: &GatewayClient<'_>,
    load: &Load,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Option<(StatusCode, Value)> {
    let mut request = gateway.request(method, path);
    if let Some(body) = body {
        request = request.json(body);
    }
    let attempt = load.begin_attempt();
    let response = match request.send().await {
        Ok(response) => response,
        Err(error) => {
            load.fail(attempt, &format!("{path}: {error}"));
            return None;
        }
    };
    let status = response.status();
    let text = response.text().await;
    let answer = text.as_deref().ok().map(|text| match text {
        "" => Value::Null,
        text => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
    });
    let error = || format!("{path}: {status} {text:?}");
    if may_be_retried(status, answer.as_ref()) {
        load.fail(attempt, &error());
        return None;
    }
    if status.is_server_error() || status == StatusCode::UNAUTHORIZED {
        load.report(error());
        return None;
    }
    Some((status, answer.unwrap_or_default()))
}

/// Whether an answer is one after which callers try again (contract, part 7, "Retry rules"): an answer that broke off, UNAVAILABLE, which
/// the proxy also says when it has lost the answer of a process, and 503 without a body, which says that it has found none.
fn may_be_retried(status: StatusCode, answer: Option<&Value>) -> bool {
    answer.is_none_or(|answer| {
        status == StatusCode::SERVICE_UNAVAILABLE && (answer.is_null() || answer["code"] == 14)
    })
}

/// Every acknowledged number is stored, numbers have no gaps and no doubles, each document was created and issued once, and
/// the sums are those of the documents.
pub(super) async fn verify(owner_url: &str, acknowledged: &Acknowledged) {
    let (client, connection) = tokio_postgres::connect(owner_url, NoTls)
        .await
        .expect("the new primary answers");
    tokio::spawn(connection);
    // The owner is subject to row-level security too.
    let organization = "SELECT set_config('app.organization', '274893001', false)";
    client.execute(organization, &[]).await.expect("a setting");
    let rows = client.query("SELECT key, number, net::text FROM documents", &[]);
    let rows = rows.await.expect("the documents");
    let stored: BTreeMap<Uuid, String> = rows
        .iter()
        .map(|row| (row.get("key"), row.get("number")))
        .collect();
    for (key, number) in acknowledged {
        assert_eq!(stored.get(key), Some(number), "{key}");
    }
    let mut numbers: Vec<_> = stored
        .values()
        .filter(|number| !number.is_empty())
        .collect();
    numbers.sort_by_key(|number| (number.len(), (*number).clone()));
    let year = numbers.first().map_or("", |number| &number[4..8]);
    let expected: Vec<_> = (1..=numbers.len())
        .map(|sequence| format!("INV-{year}-{sequence:04}"))
        .collect();
    assert_eq!(
        numbers,
        expected.iter().collect::<Vec<_>>(),
        "numbers have no gaps"
    );

    let doubled = "SELECT count(*) FROM
        (SELECT FROM document_history WHERE action IN ('created', 'issued') GROUP BY key, action HAVING count(*) > 1) doubled";
    let sums = "SELECT coalesce(sum(documents), 0)::bigint FROM document_sums";
    for (query, expected) in [(doubled, 0), (sums, stored.len())] {
        let found: i64 = client.query_one(query, &[]).await.expect("a count").get(0);
        assert_eq!(usize::try_from(found), Ok(expected), "{query}");
    }
}
