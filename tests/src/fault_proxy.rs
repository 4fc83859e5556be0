//! A reverse proxy between the client core and a server, which injects network faults on demand.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A fault for one request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The server handles the request; its response is dropped.
    DropResponse,
    /// The server handles the request; its JSON response is changed.
    Edit(fn(&mut serde_json::Value)),
    /// The request does not reach the server, and is never answered.
    Hang,
    /// The server handles the request; its response is never passed on.
    HoldResponse,
    /// The request does not reach the server; the connection breaks.
    DropRequest,
    /// The proxy responds itself.
    Respond {
        /// HTTP status.
        status: u16,
        /// All headers; no others are added.
        headers: Vec<(&'static str, String)>,
        /// The body.
        body: String,
    },
}

impl Fault {
    /// A Status of the contract that a test cannot provoke from the service itself.
    pub fn status(http: u16, code: u16, reason: &str) -> Self {
        let body = format!(
            r#"{{"code":{code},"message":"server message","details":[{{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"{reason}","domain":"invoicing","metadata":{{}}}}]}}"#
        );
        Self::Respond {
            status: http,
            headers: vec![("x-correlation-id", "from-the-server".to_owned())],
            body,
        }
    }

    /// An HTML page, as a captive portal sends.
    pub fn page(status: u16) -> Self {
        Self::Respond {
            status,
            headers: vec![("content-type", "text/html".to_owned())],
            body: "<html>Sign in to Wi-Fi</html>".to_owned(),
        }
    }
}

/// A request that reached the proxy.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    /// Its path, without a query.
    pub path: String,
    /// Its headers.
    pub headers: HeaderMap,
}

/// The proxy in front of one server.
pub struct FaultProxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    upstream: OnceLock<SocketAddr>,
    faults: Mutex<VecDeque<(String, Fault)>>,
    requests: Mutex<Vec<RecordedRequest>>,
    /// Notified when a response is held.
    held: tokio::sync::Notify,
    client: reqwest::Client,
}

impl FaultProxy {
    /// A proxy without a server yet.
    pub async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build();
        let shared = Arc::new(Shared {
            client: client.expect("a client"),
            ..Shared::default()
        });
        let proxy = Self {
            address,
            shared,
            task: Mutex::new(None),
        };
        proxy.serve(listener);
        proxy
    }

    /// The base address of the proxy.
    pub fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets the server.
    pub fn connect(&self, to: SocketAddr) {
        self.shared.upstream.set(to).expect("connected once");
    }

    /// The next request whose path ends with `path` meets `fault`. Several faults apply in order.
    pub fn fault(&self, path: &str, fault: Fault) {
        self.shared
            .faults
            .lock()
            .expect("not poisoned")
            .push_back((path.to_owned(), fault));
    }

    /// Removes faults that no request has met yet.
    pub fn clear_faults(&self) {
        self.shared.faults.lock().expect("not poisoned").clear();
    }

    /// Resolves when the server has handled a request whose response is held.
    pub async fn response_held(&self) {
        self.shared.held.notified().await;
    }

    /// Stops listening: connections are refused.
    pub async fn stop(&self) {
        let task = self.task.lock().expect("not poisoned").take();
        let task = task.expect("the proxy is running");
        task.abort();
        let _ = task.await;
    }

    /// Listens again.
    pub async fn restart(&self) {
        let listener = TcpListener::bind(self.address)
            .await
            .expect("the port is still free");
        self.serve(listener);
    }

    /// Requests so far whose path ends with `path`.
    pub fn requests(&self, path: &str) -> Vec<RecordedRequest> {
        let requests = self.shared.requests.lock().expect("not poisoned");
        requests
            .iter()
            .filter(|request| request.path.ends_with(path))
            .cloned()
            .collect()
    }

    fn serve(&self, listener: TcpListener) {
        let router = Router::new()
            .fallback(handle)
            .with_state(Arc::clone(&self.shared));
        let task = tokio::spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        *self.task.lock().expect("not poisoned") = Some(task);
    }
}

async fn handle(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    shared
        .requests
        .lock()
        .expect("not poisoned")
        .push(RecordedRequest {
            path: path.clone(),
            headers: request.headers().clone(),
        });
    let fault = {
        let mut faults = shared.faults.lock().expect("not poisoned");
        let found = faults
            .iter()
            .position(|(end, _)| path.ends_with(end.as_str()));
        found
            .and_then(|index| faults.remove(index))
            .map(|(_, fault)| fault)
    };
    match fault {
        None => forward(&shared, request).await,
        Some(Fault::Hang) => std::future::pending().await,
        Some(Fault::HoldResponse) => {
            drop(forward(&shared, request).await);
            shared.held.notify_one();
            std::future::pending().await
        }
        Some(Fault::DropRequest) => broken_response(),
        Some(Fault::DropResponse) => {
            let _ = forward(&shared, request).await;
            broken_response()
        }
        Some(Fault::Edit(edit)) => edited(forward(&shared, request).await, edit).await,
        Some(Fault::Respond {
            status,
            headers,
            body,
        }) => {
            let mut response = body.into_response();
            *response.status_mut() = StatusCode::from_u16(status).expect("a status");
            response.headers_mut().remove(header::CONTENT_TYPE);
            for (name, value) in headers {
                response
                    .headers_mut()
                    .insert(name, value.parse().expect("a header"));
            }
            response
        }
    }
}

async fn forward(shared: &Shared, request: Request) -> Response {
    let Some(to) = shared.upstream.get() else {
        return broken_response();
    };
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 64 * 1024 * 1024)
        .await
        .expect("a body");
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let mut headers = parts.headers;
    // Computed again by the HTTP client.
    headers.remove(header::CONTENT_LENGTH);
    let sent = shared
        .client
        .request(parts.method, format!("http://{to}{path}"))
        .headers(headers)
        .body(body)
        .send()
        .await;
    let Ok(received) = sent else {
        return broken_response();
    };
    let (status, mut headers) = (received.status(), received.headers().clone());
    headers.remove(header::TRANSFER_ENCODING);
    let mut response = Response::new(Body::from(
        received.bytes().await.expect("the body is complete"),
    ));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

async fn edited(response: Response, edit: fn(&mut serde_json::Value)) -> Response {
    let (mut parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, 64 * 1024 * 1024)
        .await
        .expect("a body");
    let mut value = serde_json::from_slice(&body).expect("the response is JSON");
    edit(&mut value);
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(value.to_string()))
}

/// A response whose body breaks off.
fn broken_response() -> Response {
    let broken = std::io::Error::other("the connection was cut");
    let chunks = [Ok(Bytes::from_static(b"{")), Err(broken)];
    Body::from_stream(tokio_stream::iter(chunks)).into_response()
}
