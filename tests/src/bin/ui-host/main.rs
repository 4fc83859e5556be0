//! Serves the built UI and the commands of the client core to an ordinary browser, for development and UI tests.
//!
//! `ui-host --data FOLDER [--listen ADDRESS] [--faults | --service ADDRESS]` prints the address to open. It listens on loopback only.
//! Commands are refused to pages of any other origin. With `--faults` there are proxies between the core and its service, and
//! `/faults` plans what they do to the next requests. With `--service` the service is that of another `ui-host` with `--faults`,
//! which outlives a killed one.

#![expect(clippy::print_stdout, reason = "the address goes to stdout")]

mod faults;
mod page_host;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path as Segment, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use end_to_end::service::{EmbeddedEnvironment, Service, copy_seed};
use end_to_end::window::INVOICES;
use invoicing_client::views::*;
use invoicing_client::{
    Desktop, Folders, Host, LocalEnvironment, Network, Setup, SystemClock, SystemRng, WindowKey,
    system_vault,
};
use invoicing_embedded_service::EmbeddedService;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tower_http::services::ServeDir;
use tower_http::services::fs::ServeFileSystemResponseBody;
use tower_http::set_header::{SetResponseHeader, SetResponseHeaderLayer};
use url::Url;

use page_host::{PageHost, Windows};

/// For the built files whose names have a hash of their content: a page that is opened again need not load them again.
const CACHED: &str = "max-age=31536000, immutable";

/// The policy of tauri.conf.json, with `connect-src` for the commands of this server.
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Replaces the IPC bridge of Tauri in the page: sends each command as a POST request.
const BRIDGE: &str = "\
window.__TAURI_INTERNALS__ = {
  async invoke(command, args) {
    const answer = await fetch('/commands/' + command, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-window': new URLSearchParams(location.search).get('window') ?? 'main' },
      body: JSON.stringify(args ?? {}),
    });
    const value = await answer.json();
    if (!answer.ok) throw value;
    return value;
  },
};
";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut data = None;
    let mut listen: SocketAddr = ([127, 0, 0, 1], 0).into();
    let mut with_faults = false;
    let mut service_host = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--data" => data = arguments.next().map(PathBuf::from),
            "--listen" => listen = arguments.next().unwrap_or_default().parse()?,
            "--faults" => with_faults = true,
            "--service" => service_host = Some(arguments.next().unwrap_or_default()),
            other => {
                return Err(format!(
                    "not understood: {other}. Usage: ui-host --data FOLDER [--listen ADDRESS] [--faults | --service ADDRESS]"
                )
                .into());
            }
        }
    }
    let data = data.ok_or("--data FOLDER is missing: where sessions and drafts are kept")?;
    if !listen.ip().is_loopback() {
        return Err("ui-host listens on loopback only: whoever reaches it may do all that the signed-in user may".into());
    }
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    if rustls::crypto::aws_lc_rs::default_provider()
        .install_default()
        .is_err()
    {
        tracing::warn!("another TLS provider was already installed");
    }

    let service = if with_faults {
        Some(Arc::new(Service::start().await))
    } else {
        None
    };
    let local: Arc<dyn LocalEnvironment> = match (&service, service_host) {
        (Some(service), _) => Arc::new(EmbeddedEnvironment(service.ready.clone())),
        (None, Some(address)) => Arc::new(EmbeddedEnvironment(faults::service_of(&address).await?)),
        (None, None) => {
            let folder = data.join("local");
            if std::env::var_os(INVOICES).is_none() {
                copy_seed(&folder).await;
            }
            Arc::new(EmbeddedService::new(folder))
        }
    };
    let host = Arc::new(PageHost::new(&data));
    let desktop = Desktop::start(Setup {
        host: Arc::clone(&host) as Arc<dyn Host>,
        local: Some(local),
        vault: system_vault(),
        folders: Folders {
            config: data.join("config"),
            data: data.join("data"),
        },
        network: Network::default(),
        clock: Arc::new(SystemClock::new()),
        rng: Arc::new(SystemRng),
    });
    desktop.open_window(&"main".into());
    for window in desktop.saved_windows() {
        desktop.open_window(&window);
    }
    let listener = TcpListener::bind(listen).await?;
    let address = format!("http://{}", listener.local_addr()?);
    println!("{address}");
    let mut router = router(desktop, host, &address);
    if let Some(service) = service {
        router = router.merge(faults::router(service));
    }
    axum::serve(listener, router).await?;
    Ok(())
}

/// The state of the request handlers.
#[derive(Clone)]
struct AppState {
    desktop: Arc<Desktop>,
    host: Arc<PageHost>,
    origin: HeaderValue,
}

fn router(desktop: Arc<Desktop>, host: Arc<PageHost>, address: &str) -> Router {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/dist");
    let origin = HeaderValue::from_str(address).expect("an address is ASCII");
    let assets = ServeDir::new(dist.join("assets"));
    Router::new()
        .route("/", get(index))
        .route(
            "/ui-host.js",
            get(async || ([(header::CONTENT_TYPE, "text/javascript")], BRIDGE)),
        )
        .route("/commands/{name}", post(command))
        .route("/opened", get(opened))
        .route("/windows", get(windows))
        .route("/follow", post(follow))
        .nest_service(
            "/assets",
            SetResponseHeader::overriding(assets, header::CACHE_CONTROL, cached_if_found),
        )
        .fallback_service(ServeDir::new(dist))
        // The largest file in Base64.
        .layer(DefaultBodyLimit::max(32 << 20))
        .layer(SetResponseHeaderLayer::overriding(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(CSP),
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
        .with_state(AppState {
            desktop,
            host,
            origin,
        })
}

/// A file that is absent can be there after the next build.
fn cached_if_found(file: &Response<ServeFileSystemResponseBody>) -> Option<HeaderValue> {
    (file.status() != StatusCode::NOT_FOUND).then_some(HeaderValue::from_static(CACHED))
}

/// The built page, with the bridge script before its first script.
async fn index() -> Result<Response, StatusCode> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/dist/index.html");
    let page = tokio::fs::read_to_string(page)
        .await
        .map_err(|_not_built| StatusCode::NOT_FOUND)?;
    let page = page.replacen("<head>", "<head><script src=\"/ui-host.js\"></script>", 1);
    Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response())
}

/// The last address that the core asked to open in the system browser.
async fn opened(State(state): State<AppState>) -> Json<Option<Url>> {
    Json(state.host.opened().clone())
}

/// The windows that the core has opened, and those that it has brought to the front: a page shows one at `/?window=LABEL`.
async fn windows(State(state): State<AppState>) -> Json<Windows> {
    Json(state.host.windows().clone())
}

/// Follows a link, as the system does with an address of the application's scheme.
async fn follow(State(state): State<AppState>, headers: HeaderMap, address: String) -> StatusCode {
    if headers.get(header::ORIGIN) != Some(&state.origin) {
        return StatusCode::FORBIDDEN;
    }
    state.desktop.follow(&address);
    StatusCode::NO_CONTENT
}

async fn command(
    State(state): State<AppState>,
    Segment(name): Segment<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    // Another page in the same browser must not act for the signed-in user.
    if headers.get(header::ORIGIN) != Some(&state.origin) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let window = headers
        .get("x-window")
        .and_then(|window| window.to_str().ok())
        .unwrap_or("main");
    match dispatch(&state.desktop, &window.into(), &name, &body).await {
        Some(Ok(value)) => Json(value).into_response(),
        Some(Err(error)) => (StatusCode::UNPROCESSABLE_ENTITY, Json(error)).into_response(),
        None => (
            StatusCode::NOT_FOUND,
            Json(json!({"kind": "invalidCall", "reason": format!("there is no command {name}")})),
        )
            .into_response(),
    }
}

macro_rules! dispatch_commands {
    ($( $(#[$doc:meta])* $name:ident ( $($argument:ident : $type:ty),* $(,)? ) -> $out:ty; )*) => {
        /// Calls the command of this name; `None` if there is none.
        async fn dispatch(desktop: &Desktop, window: &WindowKey, name: &str, body: &[u8]) -> Option<Result<Value, CommandError>> {
            match name {
                $(stringify!($name) => {
                    #[derive(Deserialize)]
                    #[serde(rename_all = "camelCase")]
                    struct Arguments { $($argument: $type),* }
                    let Arguments { $($argument),* } = match arguments(body) {
                        Ok(arguments) => arguments,
                        Err(error) => return Some(Err(error)),
                    };
                    // A frame of its own for each command: together they are larger than the stack of a thread.
                    let call = move || Box::pin(desktop.$name(window, $($argument),*));
                    Some(call().await.and_then(|out| value(&out)))
                })*
                _ => None,
            }
        }
    };
}

invoicing_client::for_each_command!(dispatch_commands);

fn arguments<'body, T: Deserialize<'body>>(body: &'body [u8]) -> Result<T, CommandError> {
    serde_json::from_slice(body).map_err(|error| CommandError::InvalidCall {
        reason: error.to_string(),
    })
}

fn value(out: &impl Serialize) -> Result<Value, CommandError> {
    serde_json::to_value(out).map_err(|error| CommandError::InvalidCall {
        reason: error.to_string(),
    })
}
