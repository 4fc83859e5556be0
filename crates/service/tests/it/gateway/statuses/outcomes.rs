//! What every operation answers to a right request and to each way to spoil it, the same over REST and gRPC.

use invoicing_contract::{Code, Operation, operation};
use serde_json::{Value, json};

use super::call::{
    Outcome, Protocol, call, client_made_key, grpc_outcome, has_field, json_name, send_rest,
};
use super::guard::service_without_rate_limit;
use super::requests::{Environment, new_key, valid_request};
use crate::fixtures::gateway::DOCUMENTS;
use crate::fixtures::operations::path_parameters;

#[tokio::test]
async fn every_operation_answers_a_right_request_with_ok() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    let mut without_request = Vec::new();
    for operation in operation::ALL {
        for protocol in Protocol::BOTH {
            let Some(request) = valid_request(&environment, operation).await else {
                without_request.push(operation.method);
                break;
            };
            let outcome = environment.call(operation, &request, protocol).await;
            assert_eq!(
                outcome.code,
                Code::Ok,
                "{protocol:?} {}: {outcome:?}",
                operation.method
            );
        }
    }
    assert_eq!(
        without_request, [""; 0],
        "operations without a request in requests/"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn missing_record_of_every_path_parameter_returns_not_found() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    for operation in operation::ALL {
        for parameter in path_parameters(operation.path) {
            let Some(mut request) = valid_request(&environment, operation).await else {
                continue;
            };
            request[json_name(&parameter)] = json!(new_key());
            let missing = environment
                .assert_both(operation, &request, Code::NotFound, &[], &parameter)
                .await;
            let expected = match &*parameter {
                "item_key" => "ITEM_NOT_FOUND",
                "party_key" => "PARTY_NOT_FOUND",
                "payment_key" => "PAYMENT_NOT_FOUND",
                "plan_id" => "PLAN_NOT_FOUND",
                // Of the others some are of several kinds.
                _ => continue,
            };
            assert_eq!(missing.reason, expected, "{}", operation.method);
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn absent_stamp_is_invalid_and_stale_stamp_is_aborted() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    for operation in operation::ALL {
        if !has_field(operation, "concurrency_stamp") {
            continue;
        }
        let Some(mut request) = valid_request(&environment, operation).await else {
            continue;
        };
        request["concurrencyStamp"] = json!("00000000-0000-0000-0000-000000000000");
        environment
            .assert_both(operation, &request, Code::Aborted, &[], "a stale stamp")
            .await;
        request["concurrencyStamp"] = json!("");
        let fields = ["concurrencyStamp"];
        environment
            .assert_both(
                operation,
                &request,
                Code::InvalidArgument,
                &fields,
                "no stamp",
            )
            .await;
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn repeated_creation_returns_already_exists_with_the_reason_of_what_is_there() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    for operation in operation::ALL {
        let key = client_made_key(operation);
        let Some(expected) = refusal_to_repeat(operation.method) else {
            let adds = key.is_some() || operation.method.starts_with("Create");
            assert!(!adds, "no reason for a repeated {}", operation.method);
            continue;
        };
        let request = valid_request(&environment, operation).await;
        let mut request = request.expect("every operation has a request");
        let has_key = key.is_none_or(|key| request[key].is_string());
        assert!(has_key, "{} without its key", operation.method);
        let first = environment.call(operation, &request, Protocol::Rest).await;
        assert_eq!(first.code, Code::Ok, "{}: {first:?}", operation.method);
        if has_field(operation, "concurrency_stamp") {
            // What it is added to has another stamp now.
            request["concurrencyStamp"] = stamp(&environment, &request["documentKey"]).await;
        }
        if operation.method == "InviteAdministrator" {
            // Of a person who was invited already only the code is made anew.
            request["username"] = json!(format!("{}@palms.example", new_key()));
        }
        let again = environment
            .assert_both(
                operation,
                &request,
                Code::AlreadyExists,
                &[],
                "the same again",
            )
            .await;
        assert_eq!(again.reason, expected, "{}", operation.method);
    }
    service.running.shutdown().await;
}

/// The reason with which an operation refuses to add what is there already. `None`: it adds nothing that its request names.
fn refusal_to_repeat(method: &str) -> Option<&'static str> {
    Some(match method {
        "AddAttachment" => "ATTACHMENT_EXISTS",
        "CompleteProfile" => "PROFILE_COMPLETE",
        "CreateApplication" => "APPLICATION_EXISTS",
        "CreateAuthority" => "AUTHORITY_EXISTS",
        "CreateDocument" | "CreateInvoice" | "DuplicateDocument" | "ImportDocument" => {
            "DOCUMENT_EXISTS"
        }
        "CreateItem" => "ITEM_EXISTS",
        "CreateMachineUser" | "InviteAdministrator" | "InviteUser" => "USER_EXISTS",
        "CreateOrganization" => "ORGANIZATION_EXISTS",
        "CreateParty" => "PARTY_EXISTS",
        "CreatePlan" => "PLAN_EXISTS",
        "CreateTenant" | "CreateTenantOfOrganization" => "TENANT_EXISTS",
        "MintOwnPat" | "MintPat" => "PAT_EXISTS",
        "RecordPayment" => "PAYMENT_EXISTS",
        _ => return None,
    })
}

/// The stamp of a document as it is now.
async fn stamp(environment: &Environment<'_>, key: &Value) -> Value {
    let path = format!("{DOCUMENTS}/{}", key.as_str().expect("a key"));
    let document = environment.administrator.get(&path).await;
    document.json["concurrencyStamp"].clone()
}

#[tokio::test]
async fn request_that_was_only_validated_is_accepted_afterwards() {
    /// Each is done once for an organization (decision 0129).
    const WITHOUT: [&str; 2] = ["CreateTenant", "CompleteProfile"];

    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    for operation in operation::ALL {
        if !has_field(operation, "validate_only") {
            let verbs = ["Create", "Update", "Issue"];
            let takes_it = verbs.iter().any(|verb| operation.method.starts_with(verb));
            assert!(
                !takes_it || WITHOUT.contains(&operation.method),
                "{} has no validate_only",
                operation.method
            );
            continue;
        }
        let Some(mut request) = valid_request(&environment, operation).await else {
            continue;
        };
        // A write would have taken the key or the stamp.
        for validate_only in [true, true, false] {
            request["validateOnly"] = json!(validate_only);
            let outcome = environment.call(operation, &request, Protocol::Rest).await;
            let what = format!("{} with {validate_only}: {outcome:?}", operation.method);
            assert_eq!(outcome.code, Code::Ok, "{what}");
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn answer_to_a_request_that_is_only_validated_has_no_stamp_that_is_not_stored() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    let mut answers_with_stamp = 0;
    for operation in operation::ALL {
        if !has_field(operation, "validate_only") {
            continue;
        }
        let Some(mut request) = valid_request(&environment, operation).await else {
            continue;
        };
        request["validateOnly"] = json!(true);
        let response = send_rest(environment.caller(operation), operation, &request).await;
        let what = operation.method;
        assert_eq!(response.status, 200, "{what}: {}", response.body);
        // A publication of rules is a new version, and its stamp that of the version before.
        let is_new = operation.service == operation::PUBLISH_RULES.service
            || !has_field(operation, "concurrency_stamp");
        let expected = if is_new {
            json!("")
        } else {
            request["concurrencyStamp"].clone()
        };
        let mut stamps = Vec::new();
        collect_stamps(&response.json, &mut stamps);
        answers_with_stamp += usize::from(!stamps.is_empty());
        assert!(
            stamps.iter().all(|stamp| **stamp == expected),
            "{what}: {stamps:?}"
        );
    }
    assert!(answers_with_stamp > 10, "{answers_with_stamp}");
    service.running.shutdown().await;
}

/// The stamps of the records of an answer. Those of `similar` are other records, which are stored.
fn collect_stamps<'answer>(answer: &'answer Value, stamps: &mut Vec<&'answer Value>) {
    match answer {
        Value::Object(fields) => {
            for (name, value) in fields {
                match &**name {
                    "concurrencyStamp" => stamps.push(value),
                    "similar" => {}
                    _ => collect_stamps(value, stamps),
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                collect_stamps(item, stamps);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[tokio::test]
async fn unknown_field_and_undecodable_message_are_invalid() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    for operation in operation::ALL {
        let Some(mut request) = valid_request(&environment, operation).await else {
            continue;
        };
        request["nonsense"] = json!("1");
        let rest = environment.call(operation, &request, Protocol::Rest).await;
        let what = operation.method;
        assert_eq!(
            (rest.code, rest.fields),
            (Code::InvalidArgument, vec!["nonsense".to_owned()]),
            "{what}"
        );
        let caller = environment.caller(operation);
        let message = vec![0xff; 3];
        let answer = caller
            .call_encoded(&environment.channel, operation, message)
            .await;
        assert_eq!(grpc_outcome(answer).code, Code::InvalidArgument, "{what}");
    }
    service.running.shutdown().await;
}

impl Environment<'_> {
    pub(super) async fn call(
        &self,
        operation: &Operation,
        request: &Value,
        protocol: Protocol,
    ) -> Outcome {
        call(
            self.caller(operation),
            &self.channel,
            operation,
            request,
            protocol,
        )
        .await
    }

    /// Both protocols answer with `code`, one reason and the violations of `fields`. Returns the answer.
    async fn assert_both(
        &self,
        operation: &Operation,
        request: &Value,
        code: Code,
        fields: &[&str],
        case: &str,
    ) -> Outcome {
        let rest = self.call(operation, request, Protocol::Rest).await;
        let what = format!("{} with {case}: {rest:?}", operation.method);
        assert_eq!(rest.code, code, "{what}");
        assert!(!rest.reason.is_empty(), "{what}");
        assert_eq!(rest.fields, fields, "{what}");
        let grpc = self.call(operation, request, Protocol::Grpc).await;
        assert_eq!(grpc, rest, "{what}");
        rest
    }
}
