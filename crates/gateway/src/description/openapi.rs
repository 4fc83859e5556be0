//! The OpenAPI 3.1 document, generated from the descriptors, options and comments of the contract.

use invoicing_contract::{Names, Status, descriptor_pool};
use serde_json::{Value, json};

use super::comments::Comments;
use super::schemas::Schemas;
use super::{operations, responses};
use crate::target_organization::MAX_ID_BYTES;

const ABOUT: &str = "Invoices and other documents of many organizations. Over gRPC the same operations are served by the same \
handlers; reflection (v1 and v1alpha) describes them. Amounts, quantities, prices and rates are decimal strings. A request with \
a field that this document does not have is refused; a response may have more fields in a later version.";

const BEARER: &str = "An opaque access token of the identity provider, with the audience of the environment. The scopes of an \
operation are evaluated against the caller's roles in the organization of the request.";

/// The document. It depends on nothing but the contract, the namespace of the deployment, and examples of errors that other crates
/// answer.
#[must_use]
pub fn document(names: &Names, error_examples: &[Status]) -> Value {
    let pool = descriptor_pool();
    let comments = Comments::of(pool);
    let mut schemas = Schemas::new(pool, &comments);
    let paths = operations::paths(pool, &comments, &mut schemas);
    let tags: Vec<_> = pool
        .services()
        .map(|service| {
            json!({
                "name": operations::tag(service.full_name()),
                "description": comments.service(&service).unwrap_or_else(|| service.full_name()),
            })
        })
        .collect();
    let mut components = schemas.into_components();
    components.extend(responses::schemas());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Invoice Desk",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
        },
        "servers": [{"url": "/"}],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": responses::components(error_examples),
            "headers": responses::headers(),
            "parameters": {
                operations::ORGANIZATION: {
                    "name": names.organization_header(),
                    "in": "header",
                    "description": "The organization that the request is about, if it is not the home organization. The caller \
                                    needs a grant in it.",
                    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_ID_BYTES, "pattern": "^[0-9A-Za-z_-]+$"},
                },
                operations::IF_NONE_MATCH: {
                    "name": "If-None-Match",
                    "in": "header",
                    "description": "The entity tags of the files that the caller has, or *. If the file is one of them, the answer is \
                                    304 (RFC 9110, section 13.1.2).",
                    "schema": {"type": "string"},
                },
            },
            "securitySchemes": {
                operations::SECURITY: {"type": "http", "scheme": "bearer", "description": BEARER},
            },
        },
    })
}
