//! An empty Tauri window: what the start and the memory of the application are compared with (`cargo xtask bench desk`).

use tauri::http::Response;
use tauri::{WebviewUrl, WebviewWindowBuilder};

/// Its only content: one word, so that there is something to see when it is painted.
const PAGE: &[u8] = b"<!doctype html><title>Empty</title><h1 style='font-size:96px;text-align:center;margin-top:30vh'>Empty</h1>";

fn main() -> tauri::Result<()> {
    tauri::Builder::default()
        .register_uri_scheme_protocol("empty", |_, _| {
            Response::builder()
                .header("content-type", "text/html")
                .body(PAGE)
                .expect("a response with one valid header")
        })
        .setup(|app| {
            let address = "empty://localhost/".parse()?;
            WebviewWindowBuilder::new(app, "main", WebviewUrl::CustomProtocol(address))
                .inner_size(1280.0, 800.0)
                .build()?;
            Ok(())
        })
        .run(tauri::generate_context!())
}
