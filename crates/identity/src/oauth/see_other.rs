//! Redirects of a browser to an address that it opens with GET.

use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};

use super::parameters::Parameters;

/// The redirect to `uri`.
pub(crate) fn see_other(uri: &str) -> Response {
    match HeaderValue::from_str(uri) {
        Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Repeats a form as a GET of `path`. A browser names the page that submits a form, and does not send its cookies with a form of
/// another site. Its next request has them (decision 0010).
pub(crate) fn repeat_as_get(path: &str, form: &Parameters) -> Response {
    see_other(&format!("{path}?{}", form.to_query()))
}
