//! A reverse proxy between the client core and a server, which injects network faults on demand.
//!
//! It works on bytes, so that a response can end or stall at any place. Every connection carries one request.

mod connection;
mod fault;
mod http2;
pub mod message;
mod tls;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::http::HeaderMap;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::http_client;
pub use fault::{ConnectionFault, Defect, Fault, Place};
use message::{Request, Response};
use tls::Tls;
pub use tls::{HOST, TestAuthority};

/// A request that reached the proxy.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    /// Its method.
    pub method: String,
    /// Its path, without a query.
    pub path: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Vec<u8>,
}

/// A request that the server handled.
#[derive(Debug, Clone)]
pub struct RecordedExchange {
    /// The request.
    pub request: RecordedRequest,
    /// HTTP status of the server's response.
    pub status: u16,
    /// Body of the server's response, whatever the client got of it.
    pub response: Vec<u8>,
}

/// Called with each request before its fault and before the server.
pub type Observer = Arc<dyn Fn(&RecordedRequest) + Send + Sync>;

/// The proxy in front of one server.
pub struct FaultProxy {
    address: SocketAddr,
    shared: Arc<Shared>,
}

enum Listening {
    Running(JoinHandle<()>),
    /// Bound and not listening, so that connections are refused and nobody else gets the port.
    Stopped(TcpSocket),
    /// Between the two.
    Changing,
}

#[derive(Default)]
struct State {
    upstream: Option<SocketAddr>,
    faults: Vec<PlannedFault>,
    connection_fault: Option<(ConnectionFault, Lasting)>,
    /// Begins when the server has handled a request whose path ends so.
    connection_fault_after: Option<(String, ConnectionFault, Lasting)>,
    requests: Vec<RecordedRequest>,
    exchanges: Vec<RecordedExchange>,
    observer: Option<Observer>,
}

struct PlannedFault {
    path: String,
    fault: Fault,
    lasting: Lasting,
}

/// How long a fault lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasting {
    /// For one request or connection.
    Once,
    /// Until it is taken away.
    UntilCleared,
}

/// What the connections of a proxy share.
pub(crate) struct Shared {
    client: reqwest::Client,
    tls: Option<Tls>,
    address: SocketAddr,
    listening: tokio::sync::Mutex<Listening>,
    state: Mutex<State>,
    held: watch::Sender<u64>,
    /// How often the faults have been cleared: what is held is let go.
    cleared: watch::Sender<u64>,
}

impl FaultProxy {
    /// A proxy without TLS and without a server yet.
    pub async fn new() -> Self {
        Self::with_tls(None).await
    }

    /// A proxy with certificates of `authority` for the name [`HOST`].
    pub async fn new_tls(authority: &TestAuthority) -> Self {
        Self::with_tls(Some(Tls::new(authority))).await
    }

    async fn with_tls(tls: Option<Tls>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let client = http_client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build();
        let shared = Arc::new(Shared {
            client: client.expect("a client"),
            tls,
            address,
            listening: tokio::sync::Mutex::new(Listening::Changing),
            state: Mutex::default(),
            held: watch::Sender::new(0),
            cleared: watch::Sender::new(0),
        });
        let task = accept(listener, Arc::clone(&shared));
        *shared.listening.lock().await = Listening::Running(task);
        Self { address, shared }
    }

    /// The base address of the proxy.
    pub fn address(&self) -> String {
        match self.shared.tls {
            Some(_) => format!("https://{HOST}:{}", self.address.port()),
            None => format!("http://{}", self.address),
        }
    }

    /// Sets the server, again after it was restarted at another port.
    pub fn connect(&self, to: SocketAddr) {
        self.shared.state().upstream = Some(to);
    }

    /// The next request whose path ends with `path` meets `fault`. Several faults apply in order.
    pub fn fault(&self, path: &str, fault: Fault) {
        self.plan(path, fault, Lasting::Once);
    }

    /// Requests whose path ends with `path`, which may begin with the method and a space, meet `fault`. A `*` at its end stands for
    /// any end.
    pub fn plan(&self, path: &str, fault: Fault, lasting: Lasting) {
        self.shared.state().faults.push(PlannedFault {
            path: path.to_owned(),
            fault,
            lasting,
        });
    }

    /// New connections meet `fault`.
    pub async fn plan_connection(&self, fault: ConnectionFault, lasting: Lasting) {
        self.shared.begin_fault(fault, lasting).await;
    }

    /// New connections meet `fault` once the server has handled a request whose path ends with `path`.
    pub fn plan_connection_after(&self, path: &str, fault: ConnectionFault, lasting: Lasting) {
        self.shared.state().connection_fault_after = Some((path.to_owned(), fault, lasting));
    }

    /// Removes all faults and listens again.
    pub async fn recover(&self) {
        self.clear_faults();
        self.shared.listen().await;
    }

    /// Removes faults that no request has met yet, and those that last.
    pub fn clear_faults(&self) {
        let mut state = self.shared.state();
        state.faults.clear();
        state.connection_fault = None;
        state.connection_fault_after = None;
        drop(state);
        self.shared.cleared.send_modify(|cleared| *cleared += 1);
    }

    /// Calls `observer` with each request from now on.
    pub fn observe(&self, observer: Option<Observer>) {
        self.shared.state().observer = observer;
    }

    /// Resolves when more than `seen` requests or connections have been held since the start. Returns their number.
    pub async fn held_after(&self, seen: u64) -> u64 {
        let mut held = self.shared.held.subscribe();
        let held = held.wait_for(|held| *held > seen).await;
        *held.expect("the sender is a field of self")
    }

    /// How many requests and connections have been held since the start.
    pub fn held(&self) -> u64 {
        *self.shared.held.borrow()
    }

    /// Stops listening: connections are refused.
    pub async fn stop(&self) {
        self.shared.refuse().await;
    }

    /// Listens again.
    pub async fn restart(&self) {
        self.shared.listen().await;
    }

    /// Requests so far whose path ends with `path`.
    pub fn requests(&self, path: &str) -> Vec<RecordedRequest> {
        let state = self.shared.state();
        let requests = state.requests.iter();
        requests
            .filter(|request| request.path.ends_with(path))
            .cloned()
            .collect()
    }

    /// Requests so far that the server handled, whose path ends with `path`.
    pub fn exchanges(&self, path: &str) -> Vec<RecordedExchange> {
        let state = self.shared.state();
        let exchanges = state.exchanges.iter();
        exchanges
            .filter(|exchange| exchange.request.path.ends_with(path))
            .cloned()
            .collect()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        let mut state = self.shared.state();
        state.requests.clear();
        state.exchanges.clear();
    }
}

fn accept(listener: TcpListener, shared: Arc<Shared>) -> JoinHandle<()> {
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let shared = Arc::clone(&shared);
            // A client that gives up is part of most tests.
            tokio::spawn(async move {
                let _ = connection::serve(shared, stream).await;
            });
        }
    })
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("not poisoned")
    }

    async fn begin_fault(&self, fault: ConnectionFault, lasting: Lasting) {
        if fault == ConnectionFault::Refused {
            self.refuse().await;
        } else {
            self.state().connection_fault = Some((fault, lasting));
        }
    }

    /// Begins the fault that was planned for the time after this request.
    async fn begin_fault_after(&self, request: &Request) {
        let planned = self
            .state()
            .connection_fault_after
            .take_if(|(path, ..)| request.line().ends_with(path.as_str()));
        if let Some((_, fault, lasting)) = planned {
            self.begin_fault(fault, lasting).await;
        }
    }

    async fn refuse(&self) {
        let mut listening = self.listening.lock().await;
        match std::mem::replace(&mut *listening, Listening::Changing) {
            Listening::Running(task) => {
                task.abort();
                let _ = task.await;
                let socket = TcpSocket::new_v4().expect("a socket");
                socket.set_reuseaddr(true).expect("a free socket");
                socket.bind(self.address).expect("the port is still free");
                *listening = Listening::Stopped(socket);
            }
            other @ (Listening::Stopped(_) | Listening::Changing) => *listening = other,
        }
    }

    async fn listen(self: &Arc<Self>) {
        let mut listening = self.listening.lock().await;
        match std::mem::replace(&mut *listening, Listening::Changing) {
            Listening::Stopped(socket) => {
                let listener = socket.listen(1024).expect("the port is ours");
                *listening = Listening::Running(accept(listener, Arc::clone(self)));
            }
            other @ (Listening::Running(_) | Listening::Changing) => *listening = other,
        }
    }

    /// The fault that a new connection meets.
    fn connection_fault(&self) -> Option<ConnectionFault> {
        let mut state = self.state();
        let (fault, lasting) = state.connection_fault?;
        if lasting == Lasting::Once {
            state.connection_fault = None;
        }
        Some(fault)
    }

    fn count_held(&self) {
        self.held.send_modify(|held| *held += 1);
    }

    /// Records a request and returns the fault that it meets.
    fn meet(&self, request: &Request) -> Option<Fault> {
        self.record(request);
        let line = request.line();
        let mut state = self.state();
        let index =
            state
                .faults
                .iter()
                .position(|planned| match planned.path.strip_suffix('*') {
                    Some(start) => line.contains(start),
                    None => line.ends_with(planned.path.as_str()),
                })?;
        let fault = state.faults[index].fault.clone();
        if state.faults[index].lasting == Lasting::Once {
            state.faults.remove(index);
        }
        Some(fault)
    }

    fn record(&self, request: &Request) {
        let recorded = recorded(request);
        let observer = {
            let mut state = self.state();
            state.requests.push(recorded.clone());
            state.observer.clone()
        };
        if let Some(observer) = observer {
            observer(&recorded);
        }
    }

    /// Lets the server handle a request. `None` if there is none.
    async fn forward(&self, request: &Request) -> Option<Response> {
        let to = self.state().upstream?;
        let mut headers = request.headers.clone();
        // Computed again by the HTTP client.
        headers.remove("content-length");
        headers.remove("connection");
        let sent = self
            .client
            .request(
                request.method.clone(),
                format!("http://{to}{}", request.target),
            )
            .headers(headers)
            .body(request.body.clone())
            .send()
            .await;
        let received = sent.ok()?;
        let (status, headers) = (received.status(), received.headers().clone());
        let body = received.bytes().await.ok()?.to_vec();
        self.state().exchanges.push(RecordedExchange {
            request: recorded(request),
            status: status.as_u16(),
            response: body.clone(),
        });
        Some(Response {
            status,
            headers,
            body,
        })
    }
}

impl RecordedRequest {
    /// Method and path, without the query.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

fn recorded(request: &Request) -> RecordedRequest {
    RecordedRequest {
        method: request.method.to_string(),
        path: request.path().to_owned(),
        headers: request.headers.clone(),
        body: request.body.clone(),
    }
}
