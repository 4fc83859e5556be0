//! Routes from the google.api.http annotations: `/api/v2/documents/{document_key}:issue`.

use std::collections::{HashMap, HashSet};

use http::Method;
use invoicing_contract::handlers::Handler;
use invoicing_contract::{Operation, descriptor_pool, operation};
use percent_encoding::percent_decode_str;
use prost_reflect::{DescriptorPool, FieldDescriptor, MessageDescriptor, MethodDescriptor};

use super::message_reader::{is_readable, is_timestamp};
use super::message_writer::{MessageWriter, UnsupportedField};
use super::read_mask::ReadMask;

/// The message of a file.
const HTTP_BODY: &str = "google.api.HttpBody";

/// One operation over REST.
pub(crate) struct Route {
    pub(super) operation: &'static Operation,
    pub(super) handler: Handler,
    pub(super) input: MessageDescriptor,
    pub(super) answer: AnswerForm,
    /// `None` if a request cannot say which fields of items it needs.
    pub(super) read_mask: Option<ReadMask>,
    /// Whether an answer may be given again until something is committed: it depends on the request, the organization, the day
    /// and what is stored, and on nothing else.
    pub(super) keeps_answers: bool,
    /// Whether the body is the message. If not, the query contains its fields.
    pub(super) takes_body: bool,
    /// The field that the body can be instead.
    pub(super) raw_body: Option<RawBody>,
    template: Template,
}

/// The form of an answer.
pub(super) enum AnswerForm {
    /// The file of a google.api.HttpBody.
    File,
    Json(MessageWriter),
}

/// A field with the option `(invoicing.raw_body)`.
#[derive(Debug)]
pub(crate) struct RawBody {
    pub(crate) field: FieldDescriptor,
    /// Media types in lower case, or `*/*`.
    pub(crate) media_types: Vec<String>,
}

impl RawBody {
    /// Whether a body of a media type is the field.
    pub(super) fn takes(&self, media_type: &str) -> bool {
        let media_type = media_type.to_ascii_lowercase();
        media_type != "application/json"
            && self
                .media_types
                .iter()
                .any(|known| *known == media_type || known == "*/*")
    }
}

/// What a method and path name.
pub(crate) enum Target<'routes> {
    /// An operation, and the fields that the path contains.
    Route(&'routes Route, Vec<(String, String)>),
    /// The path exists with these methods.
    MethodNotAllowed(Vec<&'static str>),
    NotFound,
}

impl Target<'_> {
    pub(crate) const fn operation(&self) -> Option<&'static Operation> {
        match self {
            Self::Route(route, _) => Some(route.operation),
            Self::MethodNotAllowed(_) | Self::NotFound => None,
        }
    }
}

/// Why an operation of the contract cannot be served over REST.
#[derive(Debug, thiserror::Error)]
pub enum RouteError {
    /// The descriptors do not contain the operation.
    #[error("{0} is not in the descriptors of the contract")]
    UnknownMethod(&'static str),
    /// No service of the gateway implements it.
    #[error("{0} has no handler")]
    MissingHandler(&'static str),
    /// The body of its annotation is a single field.
    #[error("{0} has a body that is neither absent nor the whole message")]
    UnsupportedBody(&'static str),
    /// Its request has a field of a type that cannot be read from JSON.
    #[error("{0} has a request with a field of an unsupported type")]
    UnsupportedField(&'static str),
    /// Its answer has a field of a type that cannot be written as JSON.
    #[error("{method} has an answer with the field {field} of an unsupported type")]
    UnsupportedAnswer {
        /// The name of the operation.
        method: &'static str,
        /// The full name of the field.
        field: String,
    },
    /// It answers with a stream of something else than chunks of a file.
    #[error("{0} answers with a stream of messages")]
    UnsupportedStream(&'static str),
    /// Its path uses more of the syntax than plain variables.
    #[error("{0} has a path that is not supported")]
    UnsupportedPath(&'static str),
}

/// The routes of all operations, by the number of segments of their paths: a path is compared with few of them.
pub(super) struct Routes(HashMap<usize, Vec<Route>>);

impl Routes {
    /// The routes of all operations, each with the handler that `handler` returns.
    pub(super) fn new(handler: impl Fn(&Operation) -> Option<Handler>) -> Result<Self, RouteError> {
        let mut routes: HashMap<_, Vec<_>> = HashMap::new();
        for operation in operation::ALL {
            let route = route(descriptor_pool(), operation, &handler)?;
            routes
                .entry(route.template.segments.len())
                .or_default()
                .push(route);
        }
        Ok(Self(routes))
    }

    pub(super) fn find(&self, method: &Method, path: &str) -> Target<'_> {
        let (path, verb) = split_verb(path);
        let Some(path) = path.strip_prefix('/') else {
            return Target::NotFound;
        };
        let parts: Vec<_> = path.split('/').collect();
        let mut allowed = Vec::new();
        for route in self.0.get(&parts.len()).into_iter().flatten() {
            let Some(variables) = route.template.matches(&parts, verb) else {
                continue;
            };
            if route.operation.verb == method.as_str() {
                return Target::Route(route, variables);
            }
            allowed.push(route.operation.verb);
        }
        if allowed.is_empty() {
            Target::NotFound
        } else {
            Target::MethodNotAllowed(allowed)
        }
    }
}

fn route(
    pool: &DescriptorPool,
    operation: &'static Operation,
    handler: impl Fn(&Operation) -> Option<Handler>,
) -> Result<Route, RouteError> {
    let name = operation.method;
    let method = pool
        .get_service_by_name(operation.service)
        .and_then(|service| service.methods().find(|method| method.name() == name))
        .ok_or(RouteError::UnknownMethod(name))?;
    let body = body(pool, &method);
    if !matches!(body.as_deref(), None | Some("*")) {
        return Err(RouteError::UnsupportedBody(name));
    }
    if !is_readable_message(&method.input(), &mut HashSet::new()) {
        return Err(RouteError::UnsupportedField(name));
    }
    let handler = handler(operation).ok_or(RouteError::MissingHandler(name))?;
    let answer = if method.output().full_name() == HTTP_BODY {
        AnswerForm::File
    } else if matches!(handler, Handler::Stream(_)) {
        return Err(RouteError::UnsupportedStream(name));
    } else {
        let writer = MessageWriter::new(&method.output());
        AnswerForm::Json(writer.map_err(|UnsupportedField(field)| {
            RouteError::UnsupportedAnswer {
                method: name,
                field,
            }
        })?)
    };
    Ok(Route {
        operation,
        handler,
        input: method.input(),
        answer,
        read_mask: ReadMask::of(&method),
        keeps_answers: [&operation::LIST_DOCUMENTS, &operation::LIST_INVOICES].contains(&operation),
        takes_body: body.is_some(),
        raw_body: raw_body(pool, &method),
        template: Template::parse(operation.path).ok_or(RouteError::UnsupportedPath(name))?,
    })
}

/// The field `body` of the method's google.api.http annotation.
fn body(pool: &DescriptorPool, method: &MethodDescriptor) -> Option<String> {
    let extension = pool.get_extension_by_name("google.api.http")?;
    let options = method.options();
    let rule = options.get_extension(&extension);
    let body = rule
        .as_message()?
        .get_field_by_name("body")?
        .as_str()?
        .to_owned();
    Some(body).filter(|body| !body.is_empty())
}

/// The field of the request with the option `(invoicing.raw_body)`.
pub(crate) fn raw_body(pool: &DescriptorPool, method: &MethodDescriptor) -> Option<RawBody> {
    let option = pool.get_extension_by_name("invoicing.raw_body")?;
    method.input().fields().find_map(|field| {
        let options = field.options();
        let types = options.get_extension(&option);
        let media_types: Vec<_> = types.as_str()?.split(' ').map(str::to_owned).collect();
        media_types
            .iter()
            .all(|known| !known.is_empty())
            .then_some(RawBody { field, media_types })
    })
}

fn is_readable_message(message: &MessageDescriptor, seen: &mut HashSet<String>) -> bool {
    if !seen.insert(message.full_name().to_owned()) {
        return true;
    }
    message.fields().all(|field| {
        let kind = field.kind();
        is_readable(&field)
            && kind
                .as_message()
                .is_none_or(|inner| is_timestamp(inner) || is_readable_message(inner, seen))
    })
}

/// A path template of google.api.http: segments, and a custom verb after a colon.
#[derive(Debug, PartialEq, Eq)]
struct Template {
    segments: Vec<Segment>,
    verb: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum Segment {
    Literal(String),
    Variable(String),
}

impl Template {
    fn parse(template: &str) -> Option<Self> {
        let (path, verb) = split_verb(template);
        let segments = path.strip_prefix('/')?.split('/').map(|segment| {
            match segment
                .strip_prefix('{')
                .and_then(|rest| rest.strip_suffix('}'))
            {
                Some(name) if name.contains(['=', '.', '*']) => None,
                Some(name) => Some(Segment::Variable(name.to_owned())),
                None if segment.is_empty() || segment.contains(['{', '}', '*']) => None,
                None => Some(Segment::Literal(segment.to_owned())),
            }
        });
        Some(Self {
            segments: segments.collect::<Option<_>>()?,
            verb: verb.map(str::to_owned),
        })
    }

    /// The variables of a path of as many `parts`, decoded, if the path matches.
    fn matches(&self, parts: &[&str], verb: Option<&str>) -> Option<Vec<(String, String)>> {
        let matches_literals = verb == self.verb.as_deref()
            && self
                .segments
                .iter()
                .zip(parts)
                // From the end: nearly all paths begin alike.
                .rev()
                .all(|(segment, part)| match segment {
                    Segment::Literal(literal) => literal == part,
                    Segment::Variable(_) => true,
                });
        if !matches_literals {
            return None;
        }
        let variables = self.segments.iter().zip(parts);
        let variables = variables.filter_map(|(segment, part)| match segment {
            Segment::Literal(_) => None,
            Segment::Variable(name) => {
                let value = percent_decode_str(part).decode_utf8().ok();
                let value = value.filter(|value| !value.is_empty());
                Some(value.map(|value| (name.clone(), value.into_owned())))
            }
        });
        variables.collect()
    }
}

/// A path without its custom verb, and the verb: the text after the colon of the last segment (AIP-136).
fn split_verb(path: &str) -> (&str, Option<&str>) {
    let last = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[last..].rfind(':') {
        Some(colon) => (&path[..last + colon], Some(&path[last + colon + 1..])),
        None => (path, None),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn handler() -> Handler {
        Handler::Unary(Arc::new(|_| {
            Box::pin(async { Err(tonic::Status::unimplemented("")) })
        }))
    }

    fn routes() -> Routes {
        Routes::new(|_| Some(handler())).expect("routes of all operations")
    }

    #[test]
    fn every_operation_of_the_contract_has_a_route() {
        let count: usize = routes().0.values().map(Vec::len).sum();
        assert_eq!(count, operation::ALL.len());
    }

    #[test]
    fn operation_without_a_handler_is_refused_at_start() {
        let routes = Routes::new(|operation| (*operation != operation::IMPERSONATE).then(handler));
        assert!(matches!(
            routes.err(),
            Some(RouteError::MissingHandler("Impersonate"))
        ));
    }

    #[test]
    fn path_and_method_find_their_operation() {
        let routes = routes();
        let found = |method: Method, path: &str| match routes.find(&method, path) {
            Target::Route(route, variables) => format!("{} {variables:?}", route.operation.method),
            Target::MethodNotAllowed(allowed) => format!("allow {allowed:?}"),
            Target::NotFound => "not found".to_owned(),
        };
        assert_eq!(
            found(Method::POST, "/api/v2/documents"),
            "CreateDocument []"
        );
        assert_eq!(
            found(Method::GET, "/api/v2/documents/a%20b"),
            r#"GetDocument [("document_key", "a b")]"#
        );
        assert_eq!(
            found(Method::POST, "/api/v2/documents/k:issue"),
            r#"IssueDocument [("document_key", "k")]"#
        );
        assert_eq!(
            found(Method::GET, "/api/v1/simple/invoices/list"),
            r#"allow ["POST"]"#
        );
        for path in [
            "/",
            "",
            "/api/v2/documents/",
            "/api/v2/documents/k:shred",
            "/api/v2/documents/a/b",
            "/api/v2/documents/%ff",
            "//",
        ] {
            assert_eq!(found(Method::GET, path), "not found", "{path}");
        }
    }
}
