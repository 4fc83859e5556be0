//! Routes from the google.api.http annotations: `/api/v2/documents/{document_key}:issue`.

use std::collections::HashSet;

use http::Method;
use invoicing_contract::{DESCRIPTORS, Operation, operation};
use percent_encoding::percent_decode_str;
use prost_reflect::{DescriptorPool, MessageDescriptor, MethodDescriptor};

use super::message::readable;

/// One operation over REST.
#[derive(Debug)]
pub(crate) struct Route {
    pub(super) operation: &'static Operation,
    pub(super) input: MessageDescriptor,
    pub(super) output: MessageDescriptor,
    /// The body is the whole message; else it has none, and the query gives the fields.
    pub(super) takes_body: bool,
    template: Template,
}

/// Where a method and path lead.
#[derive(Debug)]
pub(crate) enum Target<'routes> {
    /// An operation, and the fields that the path gives.
    Route(&'routes Route, Vec<(String, String)>),
    /// The path exists with these methods.
    WrongMethod(Vec<&'static str>),
    Unknown,
}

impl Target<'_> {
    pub(crate) const fn operation(&self) -> Option<&'static Operation> {
        match self {
            Self::Route(route, _) => Some(route.operation),
            Self::WrongMethod(_) | Self::Unknown => None,
        }
    }
}

/// An annotation that this transcoder cannot serve.
#[derive(Debug, thiserror::Error)]
#[error("{method}: {reason}")]
pub(super) struct Unsupported {
    method: String,
    reason: &'static str,
}

#[derive(Debug)]
pub(super) struct Routes(Vec<Route>);

impl Routes {
    pub(super) fn read() -> Result<Self, Unsupported> {
        let unsupported = |method: &str, reason| Unsupported {
            method: method.to_owned(),
            reason,
        };
        let pool = DescriptorPool::decode(DESCRIPTORS)
            .map_err(|_| unsupported("", "the descriptors do not decode"))?;
        let routes = operation::ALL.iter().map(|operation| {
            let method = pool
                .get_service_by_name(operation.service)
                .and_then(|service| {
                    service
                        .methods()
                        .find(|method| method.name() == operation.method)
                })
                .ok_or_else(|| unsupported(operation.method, "is not in the descriptors"))?;
            let body = body(&pool, &method);
            if !matches!(body.as_deref(), None | Some("*")) {
                return Err(unsupported(
                    operation.method,
                    "only a whole body or none is supported",
                ));
            }
            if !all_readable(&method.input(), &mut HashSet::new()) {
                return Err(unsupported(
                    operation.method,
                    "a field of its request has a kind that is not supported",
                ));
            }
            let template = Template::read(operation.path)
                .ok_or_else(|| unsupported(operation.method, "its path"))?;
            Ok(Route {
                operation,
                input: method.input(),
                output: method.output(),
                takes_body: body.is_some(),
                template,
            })
        });
        Ok(Self(routes.collect::<Result<_, _>>()?))
    }

    pub(super) fn find(&self, method: &Method, path: &str) -> Target<'_> {
        let mut allowed = Vec::new();
        for route in &self.0 {
            let Some(variables) = route.template.matches(path) else {
                continue;
            };
            if route.operation.verb == method.as_str() {
                return Target::Route(route, variables);
            }
            allowed.push(route.operation.verb);
        }
        if allowed.is_empty() {
            Target::Unknown
        } else {
            Target::WrongMethod(allowed)
        }
    }
}

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

fn all_readable(message: &MessageDescriptor, seen: &mut HashSet<String>) -> bool {
    if !seen.insert(message.full_name().to_owned()) {
        return true;
    }
    message.fields().all(|field| {
        let kind = field.kind();
        readable(&field)
            && kind
                .as_message()
                .is_none_or(|inner| all_readable(inner, seen))
    })
}

/// A path template: segments, and a verb after a colon.
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
    fn read(template: &str) -> Option<Self> {
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

    /// The variables, if the path fits.
    fn matches(&self, path: &str) -> Option<Vec<(String, String)>> {
        let (path, verb) = split_verb(path);
        if verb != self.verb.as_deref() {
            return None;
        }
        let mut variables = Vec::new();
        let mut given = path.strip_prefix('/')?.split('/');
        for segment in &self.segments {
            let given = given.next()?;
            match segment {
                Segment::Literal(literal) if literal == given => {}
                Segment::Literal(_) => return None,
                Segment::Variable(name) => {
                    let value = percent_decode_str(given)
                        .decode_utf8()
                        .ok()
                        .filter(|value| !value.is_empty())?;
                    variables.push((name.clone(), value.into_owned()));
                }
            }
        }
        given.next().is_none().then_some(variables)
    }
}

/// The verb is what stands after the colon of the last segment.
fn split_verb(path: &str) -> (&str, Option<&str>) {
    let last = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[last..].rfind(':') {
        Some(colon) => (&path[..last + colon], Some(&path[last + colon + 1..])),
        None => (path, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_annotation_of_the_contract_can_be_served() {
        let routes = Routes::read().expect("all of them");
        assert_eq!(routes.0.len(), operation::ALL.len());
    }

    #[test]
    fn a_path_leads_to_its_operation() {
        let routes = Routes::read().expect("all of them");
        let found = |method: Method, path: &str| match routes.find(&method, path) {
            Target::Route(route, variables) => format!("{} {variables:?}", route.operation.method),
            Target::WrongMethod(allowed) => format!("allow {allowed:?}"),
            Target::Unknown => "unknown".to_owned(),
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
            assert_eq!(found(Method::GET, path), "unknown", "{path}");
        }
    }
}
