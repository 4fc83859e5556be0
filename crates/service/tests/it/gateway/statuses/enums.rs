//! What every operation answers to a value that an enum of its request does not have: nothing is dropped silently (decision 0026).

use invoicing_contract::{Code, operation};
use prost_reflect::{Kind, MessageDescriptor};
use serde_json::{Value, json};

use super::call::{Protocol, method};
use super::guard::service_without_rate_limit;
use super::requests::{Environment, valid_request};

/// A field on the way to another one, and whether that is in the first item of a list.
#[derive(Debug, Clone)]
struct Step {
    name: String,
    is_list: bool,
}

#[tokio::test]
async fn unknown_value_of_every_enum_is_a_violation_at_its_path() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    let mut tested = Vec::new();
    for operation in operation::ALL {
        let mut paths = Vec::new();
        collect_enums(&method(operation).input(), &[], &mut paths);
        for path in paths {
            let Some(mut request) = valid_request(&environment, operation).await else {
                continue;
            };
            if let Some(fields) = request.as_object_mut() {
                // A field that a mask does not name is ignored.
                fields.remove("updateMask");
            }
            let field = path_text(&path);
            // Over gRPC an enum is a number.
            for (protocol, value) in [
                (Protocol::Rest, json!("NO_SUCH_VALUE")),
                (Protocol::Grpc, json!(999)),
            ] {
                let mut request = request.clone();
                set(&mut request, &path, &value);
                let outcome = environment.call(operation, &request, protocol).await;
                let what = format!(
                    "{protocol:?} {} with {field}: {outcome:?}",
                    operation.method
                );
                assert_eq!(outcome.code, Code::InvalidArgument, "{what}");
                assert!(outcome.fields.contains(&field), "{what}");
            }
            tested.push(format!("{} {field}", operation.method));
        }
    }
    for expected in [
        "GetDocumentPdf language",
        "ExportDocuments format",
        "ListDocuments filter.status[0]",
        "CreateParty party.roles[0]",
        "UpdateApplication application.kind",
    ] {
        assert!(
            tested.iter().any(|tested| tested == expected),
            "{expected} in {tested:?}"
        );
    }
    service.running.shutdown().await;
}

/// The paths of all enums in a message.
fn collect_enums(message: &MessageDescriptor, path: &[Step], found: &mut Vec<Vec<Step>>) {
    for field in message.fields() {
        let step = Step {
            name: field.json_name().to_owned(),
            is_list: field.is_list(),
        };
        let path = [path, &[step]].concat();
        let kind = field.kind();
        if kind.as_enum().is_some() {
            found.push(path);
        } else if let Kind::Message(inner) = kind {
            collect_enums(&inner, &path, found);
        }
    }
}

/// The path as violations have it: `sort[0].field`.
fn path_text(path: &[Step]) -> String {
    let steps = path.iter().map(|step| {
        let index = if step.is_list { "[0]" } else { "" };
        format!("{}{index}", step.name)
    });
    steps.collect::<Vec<_>>().join(".")
}

/// Sets a field of a request, with the messages on the way to it.
fn set(target: &mut Value, path: &[Step], value: &Value) {
    let Some((step, rest)) = path.split_first() else {
        target.clone_from(value);
        return;
    };
    let field = &mut target[step.name.as_str()];
    if !step.is_list {
        set(field, rest, value);
        return;
    }
    if field.as_array().is_none_or(Vec::is_empty) {
        *field = json!([null]);
    }
    set(&mut field[0], rest, value);
}
