//! Properties of arbitrary bytes as a REST request, for the fuzz target and for its short run in the tests.

use std::sync::{Arc, LazyLock};

use http::Method;
use invoicing_contract::handlers::Handler;
use prost::Message as _;
use prost_reflect::{DynamicMessage, SerializeOptions};

use super::json;
use super::message_reader::MessageReader;
use super::routes::{Routes, Target};

static ROUTES: LazyLock<Routes> = LazyLock::new(|| {
    Routes::new(|_operation| {
        Some(Handler::Unary(Arc::new(|_request| {
            Box::pin(async { Err(tonic::Status::unimplemented("no handler is called")) })
        })))
    })
    .expect("routes of all operations")
});

/// Bytes are a method, a path with a query, and after a line break a body. Either there are violations, or the message has a JSON
/// form that is read as the same message.
///
/// # Panics
/// A property does not hold.
pub fn check_rest_request(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (line, body) = bytes.split_at(end.unwrap_or(bytes.len()));
    let line = String::from_utf8_lossy(line);
    let (method, target) = line.split_once(' ').unwrap_or(("POST", &line));
    let Ok(method) = method.parse::<Method>() else {
        return;
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let Target::Route(route, variables) = ROUTES.find(&method, path) else {
        return;
    };
    let body = if route.takes_body { body } else { b"{}" };
    let Ok(body) = json::parse(body) else { return };
    let mut reader = MessageReader::default();
    let mut message = reader.read_message(&route.input, body, "");
    reader.set_path_variables(&mut message, &variables);
    reader.set_query_parameters(&mut message, query, !route.takes_body);
    if !reader.violations.is_empty() {
        assert!(reader.violations.len() <= 100);
        return;
    }
    let encoded = message.encode_to_vec();
    let decoded = DynamicMessage::decode(route.input.clone(), encoded.as_slice());
    // A field that was sent with its default is set in one of the two messages only.
    let decoded = decoded.expect("the bytes of a message");
    assert_eq!(decoded.encode_to_vec(), encoded);
    let mut written = Vec::new();
    let options = SerializeOptions::new().skip_default_fields(false);
    message
        .serialize_with_options(&mut serde_json::Serializer::new(&mut written), &options)
        .expect("a message has a JSON form");
    let written = json::parse(&written).expect("the JSON form is JSON");
    let mut reader = MessageReader::default();
    let again = reader.read_message(&route.input, written, "");
    // A mask can have paths that its JSON form cannot say.
    if reader.violations.is_empty() {
        assert_eq!(again.encode_to_vec(), encoded);
    }
}
