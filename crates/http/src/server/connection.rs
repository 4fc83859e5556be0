//! One connection: TLS handshake, then HTTP/1.1 or HTTP/2, until it ends or is closed.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use futures_util::FutureExt as _;
use http::{Request, Response, Version};
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

use super::activity::{Activity, Order};
use super::bodies::{RequestBody, RequestInProgress, ResponseBody};
use super::connection_table::Entry;
use super::limits::ConnectionLimits;
use super::stream::ObservedStream;
use crate::Peer;

const MAX_HEADER_BYTES: usize = 64 * 1024;

/// What the connections of a listener share.
pub(super) struct Protocol {
    pub(super) router: Router,
    pub(super) tls: Option<TlsAcceptor>,
    pub(super) limits: ConnectionLimits,
    builder: Builder<TokioExecutor>,
}

impl Protocol {
    pub(super) fn new(router: Router, tls: Option<TlsAcceptor>, limits: ConnectionLimits) -> Self {
        Self {
            // Makes the routes now. Otherwise each request would make the one that it takes, with all of its layers.
            router: router.with_state(()),
            tls,
            limits,
            builder: builder(),
        }
    }

    /// Serves the requests of one connection until it ends.
    pub(super) async fn serve(&self, stream: TcpStream, peer: SocketAddr, entry: Entry) {
        let activity = &entry.activity;
        let Some(tls) = &self.tls else {
            return self.exchange(stream, peer, activity).await;
        };
        let handshake = tokio::select! {
            biased;
            handshake = tls.accept(stream) => handshake,
            _ = activity.ordered() => return,
        };
        match handshake {
            Ok(stream) => self.exchange(stream, peer, activity).await,
            Err(error) => tracing::debug!(%error, "a TLS handshake failed"),
        }
    }

    /// Calls the router, and keeps the activity of the connection.
    fn service(
        &self,
        peer: SocketAddr,
        activity: Arc<Activity>,
    ) -> impl Service<
        Request<Incoming>,
        Response = Response<ResponseBody>,
        Error = io::Error,
        Future: Send + 'static,
    > + use<> {
        let router = self.router.clone();
        let body_timeout = self.limits.request_body;
        service_fn(move |request: Request<Incoming>| {
            let http_2 = request.version() == Version::HTTP_2;
            let handled = RequestInProgress::start(&activity, http_2).map(|in_progress| {
                let mut request =
                    request.map(|body| Body::new(RequestBody::new(body, body_timeout, http_2)));
                request.extensions_mut().insert(Peer(peer));
                (in_progress, router.clone().oneshot(request))
            });
            async move {
                let Some((in_progress, response)) = handled else {
                    return Err(io::Error::from(io::ErrorKind::ConnectionAborted));
                };
                let Ok(response) = response.await;
                Ok(response.map(|body| ResponseBody::new(body, in_progress, http_2)))
            }
        })
    }

    async fn exchange(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: SocketAddr,
        activity: &Arc<Activity>,
    ) {
        let stream = ObservedStream::new(stream, activity.clone());
        let service = self.service(peer, activity.clone());
        let mut connection = pin!(
            self.builder
                .serve_connection(TokioIo::new(stream), service)
                .into_owned()
        );
        let mut ordered = pin!(activity.ordered());
        loop {
            tokio::select! {
                biased;
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection ended early");
                    }
                    return;
                }
                order = ordered.as_mut() => {
                    connection.as_mut().graceful_shutdown();
                    if order == Order::Close {
                        // Once, so that a client of HTTP/2 is told.
                        let _ = connection.as_mut().now_or_never();
                        return;
                    }
                    ordered.set(activity.ordered());
                }
            }
        }
    }
}

fn builder() -> Builder<TokioExecutor> {
    const PING_INTERVAL: Duration = Duration::from_secs(20);
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        // The listener closes slow connections, of which it knows more.
        .header_read_timeout(None)
        .max_buf_size(MAX_HEADER_BYTES)
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(200)
        .max_header_list_size(16 * 1024)
        .max_pending_accept_reset_streams(20)
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_INTERVAL);
    builder
}
