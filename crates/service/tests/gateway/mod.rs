//! Callers of the gateway over REST and gRPC, and the database under it, for the tests in `gateway_*.rs`.
#![allow(dead_code, reason = "each file of tests uses its own part of this")]

use std::path::Path;

use invoicing_contract::messages::documents::documents_client::DocumentsClient;
use invoicing_contract::messages::simple::invoices_client::InvoicesClient;
use invoicing_contract::operation::{ALL, Operation};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};
use tonic::transport::Channel;

use crate::common::{Answer, Service, Site};

/// A caller with a token that the gateway takes.
pub(crate) struct Caller<'site> {
    pub(crate) site: &'site Site,
    pub(crate) token: String,
}

impl<'site> Caller<'site> {
    /// The machine user, accountant of the home organization.
    pub(crate) async fn new(site: &'site Site) -> Self {
        let scope = format!(
            "{} {}",
            site.audience_scope(),
            site.names.home_organization_scope()
        );
        Self {
            site,
            token: site.machine_token(&scope).await,
        }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.site
            .http
            .request(method, self.site.base(path))
            .bearer_auth(&self.token)
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        Answer::of(
            self.request(Method::POST, path)
                .json(&body)
                .send()
                .await
                .expect("an answer"),
        )
        .await
    }

    /// POST of a body as it is.
    pub(crate) async fn post_raw(&self, path: &str, body: impl Into<reqwest::Body>) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header("content-type", "application/json")
            .body(body);
        Answer::of(request.send().await.expect("an answer")).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        Answer::of(
            self.request(Method::GET, path)
                .send()
                .await
                .expect("an answer"),
        )
        .await
    }

    /// Creates a draft that must be right.
    pub(crate) async fn draft(&self, invoice: Value) -> Value {
        let answer = self
            .post(
                "/api/v2/documents",
                json!({"changes": {"content": {"invoice": invoice}}}),
            )
            .await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json
    }

    /// Issues or freezes a document that must allow it.
    pub(crate) async fn does(&self, document: &Value, verb: &str) -> Value {
        let answer = self.tries(document, verb).await;
        assert_eq!(answer.status, 200, "{verb}: {}", answer.body);
        answer.json
    }

    /// Issues or freezes a document.
    pub(crate) async fn tries(&self, document: &Value, verb: &str) -> Answer {
        let key = document["documentKey"].as_str().expect("a key");
        self.post(
            &format!("/api/v2/documents/{key}:{verb}"),
            json!({"concurrencyStamp": document["concurrencyStamp"]}),
        )
        .await
    }

    /// A gRPC request with the token.
    pub(crate) fn grpc<Message>(&self, message: Message) -> tonic::Request<Message> {
        let mut request = tonic::Request::new(message);
        let value = format!("Bearer {}", self.token)
            .parse()
            .expect("a token is ASCII");
        request.metadata_mut().insert("authorization", value);
        request
    }
}

pub(crate) async fn channel(site: &Site) -> Channel {
    let endpoint = Channel::from_shared(site.base("")).expect("an address");
    endpoint.connect().await.expect("the gateway speaks HTTP/2")
}

pub(crate) async fn invoices(site: &Site) -> InvoicesClient<Channel> {
    InvoicesClient::new(channel(site).await)
}

pub(crate) async fn documents(site: &Site) -> DocumentsClient<Channel> {
    DocumentsClient::new(channel(site).await)
}

/// Runs a statement on the database beside the service.
pub(crate) async fn sql(service: &Service, statement: &str) {
    sql_in(service.folder.path(), statement).await;
}

/// Runs a statement on the database in a folder.
pub(crate) async fn sql_in(folder: &Path, statement: &str) {
    let mut connection = database_in(folder).await;
    sqlx::raw_sql(AssertSqlSafe(statement.to_owned()))
        .execute(&mut connection)
        .await
        .expect("the statement is right");
    connection.close().await.expect("the connection closes");
}

pub(crate) async fn database(service: &Service) -> SqliteConnection {
    database_in(service.folder.path()).await
}

async fn database_in(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join("invoicing.db"));
    SqliteConnection::connect_with(&options)
        .await
        .expect("the database opens")
}

/// An invoice of one line that is right.
pub(crate) fn invoice(description: &str, price: &str) -> Value {
    json!({
        "buyer": {"name": {"ar": "شركة النخيل", "en": "Palm Company"}},
        "lines": [line(description, price)],
    })
}

pub(crate) fn line(description: &str, price: &str) -> Value {
    json!({"description": {"en": description}, "quantity": "1", "unitPrice": price, "tax": {"category": "S", "rate": "15"}})
}

pub(crate) fn operation(method: &str) -> &'static Operation {
    ALL.iter()
        .find(|operation| operation.method == method)
        .unwrap_or_else(|| panic!("no operation {method}"))
}

/// `(field, description)` of every violation in a body.
pub(crate) fn violations(body: &Value) -> Vec<(String, String)> {
    let details = body["details"].as_array().expect("details are an array");
    let requests = details
        .iter()
        .filter(|detail| detail["@type"] == "type.googleapis.com/google.rpc.BadRequest");
    let all = requests.flat_map(|detail| {
        detail["fieldViolations"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    });
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.map(|violation| (text(&violation["field"]), text(&violation["description"])))
        .collect()
}

/// The reason of the one ErrorInfo in a body.
pub(crate) fn reason(body: &Value) -> String {
    let details = body["details"].as_array().expect("details are an array");
    let infos: Vec<_> = details
        .iter()
        .filter(|detail| detail["@type"] == "type.googleapis.com/google.rpc.ErrorInfo")
        .collect();
    assert_eq!(infos.len(), 1, "one ErrorInfo in {body}");
    assert_eq!(infos[0]["domain"], "invoicing", "{body}");
    infos[0]["reason"].as_str().expect("a reason").to_owned()
}

/// The path of documents.
pub(crate) const DOCUMENTS: &str = "/api/v2/documents";

/// A request body with an invoice where documents v2 carries it.
pub(crate) fn changes(invoice: &Value) -> Value {
    json!({"changes": {"content": {"invoice": invoice}}})
}

/// The fields of every violation in an answer.
pub(crate) fn fields(answer: &Answer) -> Vec<String> {
    violations(&answer.json)
        .into_iter()
        .map(|(field, _)| field)
        .collect()
}

/// Waits for all of these, which go on at once.
pub(crate) async fn all<Output>(
    futures: impl Iterator<Item = impl Future<Output = Output>>,
) -> Vec<Output> {
    let mut futures: Vec<_> = futures.map(Box::pin).collect();
    let mut outputs: Vec<Option<Output>> = futures.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (future, output) in futures.iter_mut().zip(&mut outputs) {
            if output.is_none()
                && let std::task::Poll::Ready(value) = future.as_mut().poll(context)
            {
                *output = Some(value);
            }
        }
        if outputs.iter().all(Option::is_some) {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
    outputs.into_iter().flatten().collect()
}
