//! The status of a response by the table of the contract, over REST and gRPC alike.

use axum::response::Response;
use http::{HeaderName, StatusCode};
use invoicing_contract::Code;

/// A name that is read already: every response is looked at.
static GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// The status of a response. An error over gRPC is HTTP 200 with its code in a header: it has the status of that code over REST
/// (contract, part 7, "Status mapping"), so that log and metrics tell it from a success.
#[must_use]
pub fn contract_status(response: &Response) -> StatusCode {
    let code = response.headers().get(&GRPC_STATUS);
    let code = code.and_then(|code| code.to_str().ok()?.parse::<i64>().ok());
    let status = code.and_then(|code| StatusCode::from_u16(Code::from_number(code).http()).ok());
    status.unwrap_or_else(|| response.status())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn error_over_grpc_has_the_status_of_its_code_and_other_responses_their_own() {
        let status = |own: u16, grpc: Option<&str>| {
            let mut response = http::Response::builder().status(own);
            if let Some(code) = grpc {
                response = response.header("grpc-status", code);
            }
            contract_status(&response.body(Body::empty()).expect("a response")).as_u16()
        };
        assert_eq!(status(404, None), 404);
        assert_eq!(status(200, None), 200);
        assert_eq!(status(200, Some("0")), 200);
        assert_eq!(status(200, Some("7")), 403);
        assert_eq!(status(200, Some("13")), 500);
        assert_eq!(status(200, Some("14")), 503);
        assert_eq!(status(200, Some("no number")), 200);
    }
}
