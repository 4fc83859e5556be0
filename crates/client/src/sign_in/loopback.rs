//! Loopback redirect URI (RFC 8252, section 7.3), for systems on which the application's URI scheme is not registered.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderValue, REFERRER_POLICY,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::BoxFuture;
use crate::views::CommandError;

/// How long after a connection that was not accepted, for example without a free file descriptor, the next one is accepted.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Receives the address of a request, and returns whether it is the expected authorization response.
pub(super) type CallbackHandler = Arc<dyn Fn(String) -> BoxFuture<'static, bool> + Send + Sync>;

/// A bound port that does not accept connections yet. It is bound before the authorization request names it.
pub(super) struct LoopbackListener {
    listener: TcpListener,
    path: String,
    authority: String,
}

/// Accepts connections until it is dropped.
pub(super) struct LoopbackServer {
    _shutdown: oneshot::Sender<()>,
}

/// The system has given no port.
#[derive(Debug, Error)]
#[error("no port could be bound for the loopback redirect URI")]
pub(super) struct LoopbackNotOpened(#[from] std::io::Error);

impl From<LoopbackNotOpened> for CommandError {
    fn from(error: LoopbackNotOpened) -> Self {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "sign-in has no address of this computer"
        );
        Self::LoopbackNotOpened {
            reason: error.0.kind().to_string(),
        }
    }
}

impl LoopbackListener {
    /// Binds a free port of 127.0.0.1.
    pub(super) async fn bind(path: String) -> Result<Self, LoopbackNotOpened> {
        Self::bind_at(Ipv4Addr::LOCALHOST, path).await
    }

    async fn bind_at(address: Ipv4Addr, path: String) -> Result<Self, LoopbackNotOpened> {
        let listener = TcpListener::bind((address, 0)).await?;
        let authority = listener.local_addr()?.to_string();
        Ok(Self {
            listener,
            path,
            authority,
        })
    }

    /// The redirect URI with this port.
    pub(super) fn redirect_uri(&self) -> String {
        format!("http://{}{}", self.authority, self.path)
    }

    /// Starts accepting connections. Any program on this computer can send requests; one that is not the expected
    /// authorization response has no effect.
    pub(super) fn serve(self, callback: CallbackHandler) -> LoopbackServer {
        let (shutdown, mut dropped) = oneshot::channel::<()>();
        let Self {
            listener,
            path,
            authority,
        } = self;
        let handler = Arc::new(LoopbackHandler {
            path,
            authority,
            callback,
        });
        tokio::spawn(async move {
            loop {
                let stream = tokio::select! {
                    _ = &mut dropped => return,
                    accepted = listener.accept() => match accepted {
                        Ok((stream, _)) => stream,
                        Err(error) => {
                            tracing::debug!(%error, "the loopback port accepted no connection");
                            tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                            continue;
                        }
                    },
                };
                let handler = Arc::clone(&handler);
                // A task of its own, so that the page is sent although the authorization response stops the server.
                tokio::spawn(async move {
                    let service = service_fn(move |request| {
                        let handler = Arc::clone(&handler);
                        async move { Ok::<_, Infallible>(handler.handle(request).await) }
                    });
                    let served = http1::Builder::new()
                        .timer(TokioTimer::new())
                        .header_read_timeout(Duration::from_secs(5))
                        .max_buf_size(16 * 1024)
                        .keep_alive(false)
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                    if let Err(error) = served {
                        tracing::debug!(%error, "a connection to the loopback port failed");
                    }
                });
            }
        });
        LoopbackServer {
            _shutdown: shutdown,
        }
    }
}

/// Answers the requests to the port.
struct LoopbackHandler {
    path: String,
    authority: String,
    callback: CallbackHandler,
}

impl LoopbackHandler {
    async fn handle(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        // Another name for 127.0.0.1 in Host means that a web page sends the request through DNS rebinding.
        let host = request.headers().get(HOST).map(HeaderValue::as_bytes);
        if request.uri().path() != self.path || host != Some(self.authority.as_bytes()) {
            return page(StatusCode::NOT_FOUND, NOT_FOUND_TEXT);
        }
        if request.method() != Method::GET {
            let mut response = page(StatusCode::METHOD_NOT_ALLOWED, NOT_FOUND_TEXT);
            response
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("GET"));
            return response;
        }
        let query = request.uri().query().unwrap_or_default();
        let address = format!("http://{}{}?{query}", self.authority, self.path);
        if (self.callback)(address).await {
            page(StatusCode::OK, ACCEPTED_TEXT)
        } else {
            page(StatusCode::BAD_REQUEST, REJECTED_TEXT)
        }
    }
}

const NOT_FOUND_TEXT: [&str; 2] = ["Nothing is here.", "لا شيء هنا."];
const ACCEPTED_TEXT: [&str; 2] = [
    "You can close this page and go back to Invoice Desk.",
    "يمكنك إغلاق هذه الصفحة والعودة إلى مكتب الفواتير.",
];
const REJECTED_TEXT: [&str; 2] = [
    "This answer belongs to another sign-in attempt, so it was not used.",
    "هذا الرد يخص محاولة دخول أخرى، لذلك لم يُستخدم.",
];

/// The only style that the policy of the page allows, by its hash.
const STYLE: &str = "\
    :root{color-scheme:light dark;--paper:#fbfaf8;--surface:#fff;--line:#e4e0d9;--ink:#1d1f23;--accent:#1f5f5b}\
    @media (prefers-color-scheme:dark){:root{--paper:#15171a;--surface:#1b1e22;--line:#2a2e34;--ink:#e9e7e3;--accent:#6cc4bb}}\
    body{margin:0;padding:min(15vh,8rem) 1rem 2rem;background:var(--paper);border-block-start:3px solid var(--accent);\
    color:var(--ink);font:1rem/1.6 Inter,\"Noto Sans Arabic\",system-ui,sans-serif}\
    main{max-inline-size:28rem;margin-inline:auto;padding:1.5rem;background:var(--surface);border:1px solid var(--line);border-radius:6px}\
    svg{display:block;inline-size:36px;block-size:36px}\
    section{margin-block-start:1.25rem}h1{margin:0;font-size:1rem;font-weight:600}p{margin:.25rem 0 0}";

/// The mark of the product, as on the pages of the provider and in the taskbar.
const MARK: &str = include_str!("../../../../icons/app.svg");

/// A fixed page that contains nothing of the request, in English and Arabic.
fn page(status: StatusCode, [english, arabic]: [&str; 2]) -> Response<Full<Bytes>> {
    let body = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style>{STYLE}</style>\
         <title>Invoice Desk · مكتب الفواتير</title></head><body><main><div aria-hidden=\"true\">{MARK}</div>\
         <section lang=\"en\" dir=\"ltr\"><h1>Invoice Desk</h1><p>{english}</p></section>\
         <section lang=\"ar\" dir=\"rtl\"><h1>مكتب الفواتير</h1><p>{arabic}</p></section></main></body></html>"
    );
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'sha256-EZE73xGrtt7HyA0qrwbokrBwg5aaqfnRiHuwetP0Ba4='; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
        ),
    );
    response
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest as _, Sha256};

    use super::*;

    /// A server, the addresses that its handler received, and the redirect URI.
    async fn serve(accept: bool) -> (LoopbackServer, Arc<Mutex<Vec<String>>>, String) {
        let received = Arc::new(Mutex::new(Vec::new()));
        let listener = LoopbackListener::bind("/oauth/local".to_owned())
            .await
            .expect("a port");
        let uri = listener.redirect_uri();
        let log = Arc::clone(&received);
        let callback: CallbackHandler = Arc::new(move |address| {
            log.lock().expect("not poisoned").push(address);
            Box::pin(std::future::ready(accept))
        });
        (listener.serve(callback), received, uri)
    }

    fn client() -> reqwest::Client {
        reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("a client")
    }

    #[test]
    fn policy_of_the_page_allows_its_style_and_no_other() {
        let response = page(StatusCode::OK, ACCEPTED_TEXT);
        let policy = response.headers()[CONTENT_SECURITY_POLICY]
            .to_str()
            .expect("ASCII");
        let hash = STANDARD.encode(Sha256::digest(STYLE));
        assert!(
            policy.contains(&format!("style-src 'sha256-{hash}';")),
            "{policy}"
        );
    }

    #[tokio::test]
    async fn accepted_request_is_passed_on_unchanged_and_answered_in_both_languages() {
        let (_server, received, uri) = serve(true).await;
        let response = client()
            .get(format!("{uri}?code=c&state=s"))
            .send()
            .await
            .expect("an answer");
        assert_eq!(response.headers()["cache-control"], "no-store");
        let page = response.text().await.expect("a page");
        assert!(
            page.contains("close this page") && page.contains("إغلاق"),
            "{page}"
        );
        for section in ["lang=\"en\" dir=\"ltr\"", "lang=\"ar\" dir=\"rtl\""] {
            assert!(page.contains(section), "{section}: {page}");
        }
        let loaded = ["<link", "<script", "<img", "src=", "url(", " style="];
        assert!(
            page.contains("<svg") && !loaded.iter().any(|part| page.contains(part)),
            "the mark is in the page, and nothing is loaded: {page}"
        );
        assert!(!page.contains("state=s"), "{page}");
        assert_eq!(
            *received.lock().expect("not poisoned"),
            [format!("{uri}?code=c&state=s")]
        );
    }

    #[tokio::test]
    async fn request_with_another_method_path_or_host_is_rejected_and_the_next_is_served() {
        let (_server, received, uri) = serve(false).await;
        let port = uri.trim_start_matches("http://").to_owned();
        let other = uri.replace("/oauth/local", "/oauth/other");
        assert_eq!(
            client()
                .get(&other)
                .send()
                .await
                .expect("an answer")
                .status(),
            404
        );
        assert_eq!(
            client()
                .post(&uri)
                .send()
                .await
                .expect("an answer")
                .status(),
            405
        );
        let rebound = client()
            .get(&uri)
            .header("host", "evil.example")
            .send()
            .await
            .expect("an answer");
        assert_eq!(rebound.status(), 404, "{port}");
        assert!(
            received.lock().expect("not poisoned").is_empty(),
            "a rejected request reached the handler"
        );
        assert_eq!(
            client()
                .get(format!("{uri}?state=x"))
                .send()
                .await
                .expect("an answer")
                .status(),
            400
        );
        assert_eq!(received.lock().expect("not poisoned").len(), 1);
    }

    #[tokio::test]
    async fn port_that_cannot_be_bound_is_an_error_of_its_own() {
        // An address for documentation (RFC 5737), which no computer has.
        let bound = LoopbackListener::bind_at(Ipv4Addr::new(192, 0, 2, 1), "/oauth/local".into());
        let error = bound
            .await
            .err()
            .expect("the address is not of this computer");
        let reason = std::io::ErrorKind::AddrNotAvailable.to_string();
        assert_eq!(
            CommandError::from(error),
            CommandError::LoopbackNotOpened { reason }
        );
    }

    #[tokio::test]
    async fn dropped_server_releases_the_port() {
        let (server, _, uri) = serve(true).await;
        drop(server);
        // The task of the server ends when it is polled next.
        while client().get(&uri).send().await.is_ok() {
            tokio::task::yield_now().await;
        }
    }
}
