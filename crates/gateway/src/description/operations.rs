//! The operations of the OpenAPI document: path, parameters, body, scope and statuses of each.

use std::collections::BTreeMap;

use invoicing_contract::{Operation, operation};
use prost_reflect::{DescriptorPool, Kind, MethodDescriptor};
use serde_json::{Map, Value, json};

use super::comments::Comments;
use super::responses::{self, Success};
use super::schemas::Schemas;
use crate::rest::{MEDIA_TYPE_FIELD, RawBody, raw_body};

/// The component of the header that names an organization.
pub(super) const ORGANIZATION: &str = "Organization";
/// The component of the header that names the file which the caller has.
pub(super) const IF_NONE_MATCH: &str = "If-None-Match";
/// The component of the security scheme.
pub(super) const SECURITY: &str = "bearer";
/// The output of an operation whose answer is a file.
const FILE: &str = "google.api.HttpBody";

/// What the description of a parameter ends with that is in the query only beside a body that is a file.
const IN_QUERY: &str = " In the query only if the body is the file itself; JSON contains it.";

/// The paths with their operations.
pub(super) fn paths(
    pool: &DescriptorPool,
    comments: &Comments,
    schemas: &mut Schemas<'_>,
) -> Value {
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for operation in operation::ALL {
        let method = pool
            .get_service_by_name(operation.service)
            .and_then(|service| service.methods().find(|one| one.name() == operation.method));
        let Some(method) = method else { continue };
        let raw = raw_body(pool, &method);
        let described = describe(operation, &method, raw.as_ref(), comments, schemas);
        paths
            .entry(path(operation))
            .or_default()
            .insert(operation.verb.to_lowercase(), described);
    }
    json!(paths)
}

/// `documents v2` of `invoicing.documents.v2.Documents`.
pub(super) fn tag(service: &str) -> String {
    let parts: Vec<_> = service.split('.').skip(1).collect();
    match parts.as_slice() {
        [.., version, name] => format!("{name} {version}"),
        _ => service.to_owned(),
    }
}

/// The path with its variables in the names of the JSON form: `/api/v2/documents/{documentKey}`.
fn path(operation: &Operation) -> String {
    let mut path = String::new();
    let mut upper = false;
    let mut variable = false;
    for letter in operation.path.chars() {
        match letter {
            '{' | '}' => {
                variable = letter == '{';
                path.push(letter);
            }
            '_' if variable => upper = true,
            letter if upper => {
                path.push(letter.to_ascii_uppercase());
                upper = false;
            }
            letter => path.push(letter),
        }
    }
    path
}

fn describe(
    operation: &Operation,
    method: &MethodDescriptor,
    raw: Option<&RawBody>,
    comments: &Comments,
    schemas: &mut Schemas<'_>,
) -> Value {
    let comment = comments.method(method).unwrap_or(operation.method);
    let summary = comment.split(". ").next().unwrap_or(comment);
    let takes_body = matches!(operation.verb, "POST" | "PUT" | "PATCH");
    let in_path = |name: &str| operation.path.contains(&format!("{{{name}}}"));
    let success = success(method, schemas);
    let mut headers = vec![ORGANIZATION];
    if matches!(success, Success::File) {
        headers.push(IF_NONE_MATCH);
    }
    let reference = |name| json!({"$ref": format!("#/components/parameters/{name}")});
    let mut parameters: Vec<_> = headers.into_iter().map(reference).collect();
    for field in method.input().fields() {
        let beside_raw_body =
            raw.is_some_and(|raw| raw.field != field && field.name() != MEDIA_TYPE_FIELD);
        let place = if in_path(field.name()) {
            "path"
        } else if (takes_body && !beside_raw_body)
            || field.is_list()
            || !is_parameter(&field.kind())
        {
            continue;
        } else {
            "query"
        };
        let mut schema = schemas.request_field(&field);
        if place == "path" {
            // A path without it is another path. A segment of points is one that clients remove.
            schema["minLength"] = json!(1);
            schema["pattern"] = json!("^[0-9A-Za-z_-]([0-9A-Za-z._-]*[0-9A-Za-z_-])?$");
        }
        let description = schema
            .as_object_mut()
            .and_then(|schema| schema.remove("description"));
        let mut parameter = json!({
            "name": field.json_name(),
            "in": place,
            "required": place == "path",
            "schema": schema,
        });
        if let Some(Value::String(mut description)) = description {
            if place == "query" && takes_body {
                description.push_str(IN_QUERY);
            }
            parameter["description"] = json!(description);
        }
        parameters.push(parameter);
    }
    let mut described = json!({
        "operationId": operation.method,
        "tags": [tag(operation.service)],
        "summary": summary.trim_end_matches('.'),
        "description": format!(
            "{comment}\n\nScope: `{}`, held by the role {} and those above it. Over gRPC: `{}`.",
            operation.scope,
            format!("{:?}", operation.least_role).to_lowercase(),
            operation.grpc_path(),
        ),
        "parameters": parameters,
        "security": [{SECURITY: [operation.scope]}],
        "responses": responses::of_operation(takes_body, success),
    });
    if takes_body {
        let without: Vec<_> = method
            .input()
            .fields()
            .filter(|field| in_path(field.name()))
            .map(|field| field.name().to_owned())
            .collect();
        let schema = schemas.request(&method.input(), &without);
        let mut content = json!({"application/json": {"schema": schema}});
        for media_type in raw.iter().flat_map(|raw| &raw.media_types) {
            content[media_type] = json!({"schema": {"type": "string", "format": "binary"}});
        }
        described["requestBody"] = json!({"required": true, "content": content});
    }
    described
}

fn success(method: &MethodDescriptor, schemas: &mut Schemas<'_>) -> Success {
    let output = method.output();
    if output.full_name() != FILE {
        return Success::Json(schemas.reference(&output));
    }
    if method.is_server_streaming() {
        Success::Stream
    } else {
        Success::File
    }
}

/// Whether a value of this kind fits into a query.
fn is_parameter(kind: &Kind) -> bool {
    match kind.as_message() {
        Some(message) => message.full_name() == "google.protobuf.FieldMask",
        None => true,
    }
}
