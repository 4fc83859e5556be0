//! The network between the core and a server: it carries everything through unchanged, unless a test asks for a fault.

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

/// What goes wrong with a request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The server does it, and its answer is lost.
    LoseAnswer,
    /// It never gets to the server, and nobody can tell.
    LoseRequest,
    /// Something else answers.
    Answer {
        /// HTTP status.
        status: u16,
        /// Headers, without any other.
        headers: Vec<(&'static str, String)>,
        /// The body as it is.
        body: String,
    },
}

impl Fault {
    /// A Status of the contract, which the service itself only gives in circumstances that a test cannot bring about.
    pub fn status(http: u16, code: u16, reason: &str) -> Self {
        let body = format!(
            r#"{{"code":{code},"message":"server words","details":[{{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"{reason}","domain":"invoicing","metadata":{{}}}}]}}"#
        );
        Self::Answer {
            status: http,
            headers: vec![("x-correlation-id", "from-the-server".to_owned())],
            body,
        }
    }

    /// What a captive portal or a proxy says.
    pub fn page(status: u16) -> Self {
        Self::Answer {
            status,
            headers: vec![("content-type", "text/html".to_owned())],
            body: "<html>Sign in to Wi-Fi</html>".to_owned(),
        }
    }
}

/// A request as it went over the wire.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Its path, without a query.
    pub path: String,
    /// Its headers.
    pub headers: HeaderMap,
}

/// The wire to one server.
pub struct Wire {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    to: OnceLock<SocketAddr>,
    faults: Mutex<VecDeque<(String, Fault)>>,
    seen: Mutex<Vec<Seen>>,
    client: reqwest::Client,
}

impl Wire {
    /// A wire that leads nowhere yet.
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
        let wire = Self {
            address,
            shared,
            task: Mutex::new(None),
        };
        wire.serve(listener);
        wire
    }

    /// Where its near end is.
    pub fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Joins its far end to a server.
    pub fn connect(&self, to: SocketAddr) {
        self.shared.to.set(to).expect("connected once");
    }

    /// The next request whose path ends like this meets a fault. Several faults are met in their order.
    pub fn fault(&self, path: &str, fault: Fault) {
        self.shared
            .faults
            .lock()
            .expect("not poisoned")
            .push_back((path.to_owned(), fault));
    }

    /// What was asked for and has not been met is not met any more.
    pub fn forget_faults(&self) {
        self.shared.faults.lock().expect("not poisoned").clear();
    }

    /// Takes the plug out: connections are refused.
    pub async fn cut(&self) {
        let task = self.task.lock().expect("not poisoned").take();
        let task = task.expect("it was not cut");
        task.abort();
        let _ = task.await;
    }

    /// Puts the plug back in.
    pub async fn mend(&self) {
        let listener = TcpListener::bind(self.address)
            .await
            .expect("the port is still free");
        self.serve(listener);
    }

    /// Requests so far whose path ends like this.
    pub fn seen(&self, path: &str) -> Vec<Seen> {
        let seen = self.shared.seen.lock().expect("not poisoned");
        seen.iter()
            .filter(|request| request.path.ends_with(path))
            .cloned()
            .collect()
    }

    fn serve(&self, listener: TcpListener) {
        let router = Router::new()
            .fallback(carry)
            .with_state(Arc::clone(&self.shared));
        let task = tokio::spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        *self.task.lock().expect("not poisoned") = Some(task);
    }
}

async fn carry(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    shared.seen.lock().expect("not poisoned").push(Seen {
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
        Some(Fault::LoseRequest) => lost(),
        Some(Fault::LoseAnswer) => {
            let _ = forward(&shared, request).await;
            lost()
        }
        Some(Fault::Answer {
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
    let Some(to) = shared.to.get() else {
        return lost();
    };
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 64 * 1024 * 1024)
        .await
        .expect("a body");
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let mut headers = parts.headers;
    // Set anew for the way on.
    headers.remove(header::CONTENT_LENGTH);
    let sent = shared
        .client
        .request(parts.method, format!("http://{to}{path}"))
        .headers(headers)
        .body(body)
        .send()
        .await;
    let Ok(answer) = sent else { return lost() };
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    headers.remove(header::TRANSFER_ENCODING);
    let mut response = Response::new(Body::from(
        answer.bytes().await.expect("the body comes whole"),
    ));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// An answer that breaks off.
fn lost() -> Response {
    let broken = std::io::Error::other("the wire was cut");
    let pieces = [Ok(Bytes::from_static(b"{")), Err(broken)];
    Body::from_stream(tokio_stream::iter(pieces)).into_response()
}
