//! The stylesheet and the icon, under names that change with their content, so that they can be cached for ever.

use std::sync::LazyLock;

use axum::response::IntoResponse;
use http::header;
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("style.css");
const ICON: &str = include_str!("../../../../icons/app.svg");
const FOR_EVER: &str = "public, max-age=31536000, immutable";

static STYLE_PATH: LazyLock<String> = LazyLock::new(|| named("style", STYLE, "css"));
static ICON_PATH: LazyLock<String> = LazyLock::new(|| named("icon", ICON, "svg"));

/// Where the stylesheet is.
pub(crate) fn style_path() -> &'static str {
    &STYLE_PATH
}

/// Where the icon is.
pub(crate) fn icon_path() -> &'static str {
    &ICON_PATH
}

/// GET of the stylesheet.
pub(crate) async fn style() -> impl IntoResponse {
    (
        [
            (header::CONTENT_TYPE, "text/css; charset=utf-8"),
            (header::CACHE_CONTROL, FOR_EVER),
        ],
        STYLE,
    )
}

/// GET of the icon.
pub(crate) async fn icon() -> impl IntoResponse {
    (
        [
            (header::CONTENT_TYPE, "image/svg+xml"),
            (header::CACHE_CONTROL, FOR_EVER),
        ],
        ICON,
    )
}

fn named(name: &str, content: &str, extension: &str) -> String {
    let hash: String = Sha256::digest(content)
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("/{name}-{hash}.{extension}")
}
