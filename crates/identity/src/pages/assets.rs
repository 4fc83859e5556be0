//! The stylesheet and the icon. Their paths contain a hash of the content, so they are cached without expiry.

use std::sync::LazyLock;

use axum::response::IntoResponse;
use http::header;
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("style.css");
const ICON: &str = include_str!("../../../../icons/app.svg");
const CACHE_CONTROL: &str = "public, max-age=31536000, immutable";

static STYLE_PATH: LazyLock<String> = LazyLock::new(|| hashed_path("style", STYLE, "css"));
static ICON_PATH: LazyLock<String> = LazyLock::new(|| hashed_path("icon", ICON, "svg"));

/// The path of the stylesheet.
pub(crate) fn style_path() -> &'static str {
    &STYLE_PATH
}

/// The path of the icon.
pub(crate) fn icon_path() -> &'static str {
    &ICON_PATH
}

/// GET of the stylesheet.
pub(crate) async fn style() -> impl IntoResponse {
    (
        [
            (header::CONTENT_TYPE, "text/css; charset=utf-8"),
            (header::CACHE_CONTROL, CACHE_CONTROL),
        ],
        STYLE,
    )
}

/// GET of the icon.
pub(crate) async fn icon() -> impl IntoResponse {
    (
        [
            (header::CONTENT_TYPE, "image/svg+xml"),
            (header::CACHE_CONTROL, CACHE_CONTROL),
        ],
        ICON,
    )
}

fn hashed_path(name: &str, content: &str, extension: &str) -> String {
    let hash = base16ct::lower::encode_string(&Sha256::digest(content)[..8]);
    format!("/{name}-{hash}.{extension}")
}
