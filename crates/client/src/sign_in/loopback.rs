//! The way back through a port of this computer, for when the system does not know the application's scheme (RFC 8252, 7.3).

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
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::BoxFuture;

/// Takes an address that came to the port, and says whether it was the answer.
pub(super) type Deliver = Arc<dyn Fn(String) -> BoxFuture<'static, bool> + Send + Sync>;

/// A port that is listened on already, before the browser hears of it.
pub(super) struct Bound {
    listener: TcpListener,
    path: String,
    authority: String,
}

/// Listens until it is dropped.
pub(super) struct Listening {
    _until: oneshot::Sender<()>,
}

impl Bound {
    /// A free port of 127.0.0.1.
    pub(super) async fn any(path: String) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
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

    /// Starts answering. Requests that are not the answer leave no trace: anybody on this computer can send them.
    pub(super) fn listen(self, deliver: Deliver) -> Listening {
        let (until, mut dropped) = oneshot::channel::<()>();
        let Self {
            listener,
            path,
            authority,
        } = self;
        let door = Arc::new(Door {
            path,
            authority,
            deliver,
        });
        tokio::spawn(async move {
            loop {
                let stream = tokio::select! {
                    _ = &mut dropped => return,
                    accepted = listener.accept() => match accepted {
                        Ok((stream, _)) => stream,
                        Err(_) => {
                            // Out of file handles, say: the next one may get through.
                            tokio::task::yield_now().await;
                            continue;
                        }
                    },
                };
                let door = Arc::clone(&door);
                // On its own, so that the page is delivered even though the answer ends the listening.
                tokio::spawn(async move {
                    let service = service_fn(move |request| {
                        let door = Arc::clone(&door);
                        async move { Ok::<_, Infallible>(door.answer(request).await) }
                    });
                    let served = http1::Builder::new()
                        .timer(TokioTimer::new())
                        .header_read_timeout(Duration::from_secs(5))
                        .max_buf_size(16 * 1024)
                        .keep_alive(false)
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                    if served.is_err() {
                        tracing::debug!("a connection to the callback port broke off");
                    }
                });
            }
        });
        Listening { _until: until }
    }
}

struct Door {
    path: String,
    authority: String,
    deliver: Deliver,
}

impl Door {
    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        // Another name for 127.0.0.1 in Host means that a web page somewhere asks through the browser (DNS rebinding).
        let host = request.headers().get(HOST).map(HeaderValue::as_bytes);
        if request.uri().path() != self.path || host != Some(self.authority.as_bytes()) {
            return page(StatusCode::NOT_FOUND, NOTHING);
        }
        if request.method() != Method::GET {
            let mut response = page(StatusCode::METHOD_NOT_ALLOWED, NOTHING);
            response
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("GET"));
            return response;
        }
        let query = request.uri().query().unwrap_or_default();
        let address = format!("http://{}{}?{query}", self.authority, self.path);
        if (self.deliver)(address).await {
            page(StatusCode::OK, DONE)
        } else {
            page(StatusCode::BAD_REQUEST, NOT_USED)
        }
    }
}

const NOTHING: [&str; 2] = ["Nothing is here.", "لا شيء هنا."];
const DONE: [&str; 2] = [
    "You can close this page and go back to Invoice Desk.",
    "يمكنك إغلاق هذه الصفحة والعودة إلى Invoice Desk.",
];
const NOT_USED: [&str; 2] = [
    "This answer belongs to another sign-in attempt, so it was not used.",
    "هذا الرد يخص محاولة دخول أخرى، لذلك لم يُستخدم.",
];

/// A fixed page: nothing of the request is in it.
fn page(status: StatusCode, [english, arabic]: [&str; 2]) -> Response<Full<Bytes>> {
    let body = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Invoice Desk</title><p>{english}</p><p lang=\"ar\" dir=\"rtl\">{arabic}</p></html>"
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
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
    );
    response
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// A listening port, what it delivered, and the redirect URI.
    async fn listening(accept: bool) -> (Listening, Arc<Mutex<Vec<String>>>, String) {
        let delivered = Arc::new(Mutex::new(Vec::new()));
        let bound = Bound::any("/oauth/local".to_owned()).await.expect("a port");
        let uri = bound.redirect_uri();
        let log = Arc::clone(&delivered);
        let deliver: Deliver = Arc::new(move |address| {
            log.lock().expect("not poisoned").push(address);
            Box::pin(std::future::ready(accept))
        });
        (bound.listen(deliver), delivered, uri)
    }

    fn client() -> reqwest::Client {
        reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("a client")
    }

    #[tokio::test]
    async fn the_answer_is_delivered_whole_and_a_page_in_both_languages_shown() {
        let (_listening, delivered, uri) = listening(true).await;
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
        assert!(!page.contains("state=s"), "{page}");
        assert_eq!(
            *delivered.lock().expect("not poisoned"),
            [format!("{uri}?code=c&state=s")]
        );
    }

    #[tokio::test]
    async fn other_methods_paths_and_hosts_are_ignored_and_the_next_request_is_served() {
        let (_listening, delivered, uri) = listening(false).await;
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
            delivered.lock().expect("not poisoned").is_empty(),
            "something was delivered"
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
        assert_eq!(delivered.lock().expect("not poisoned").len(), 1);
    }

    #[tokio::test]
    async fn the_port_is_free_again_when_the_attempt_is_over() {
        let (listening, _, uri) = listening(true).await;
        drop(listening);
        // The listening task ends when it is next polled.
        while client().get(&uri).send().await.is_ok() {
            tokio::task::yield_now().await;
        }
    }
}
