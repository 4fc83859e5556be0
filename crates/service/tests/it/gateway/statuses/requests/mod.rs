//! A request of every operation that succeeds. Each is made anew, with the records that it needs, because a call uses some
//! of them up.

mod audit;
mod authorities;
mod documents;
mod domains;
mod identity;
mod identity_administration;
mod master_data;
mod payments;
mod plans;
mod rules;
mod simple;
mod tenants;

pub(super) use documents::{draft, issued};

use invoicing_contract::{Code, Operation, operation};
use serde_json::{Value, json};
use tonic::transport::Channel;

use super::call::{Protocol, send_rest};
use crate::fixtures::gateway::GatewayClient;
use crate::fixtures::{HESSA, HOME, NOURA, NOURA_ID, Service};
use crate::gateway::identity::signed_in;

/// The service, with callers who may do everything.
pub(super) struct Environment<'service> {
    pub(super) service: &'service Service,
    /// An administrator of the home organization.
    pub(super) administrator: GatewayClient<'service>,
    /// An operator.
    pub(super) operator: GatewayClient<'service>,
    /// The machine user of the home organization.
    pub(super) machine: GatewayClient<'service>,
    pub(super) channel: Channel,
}

impl<'service> Environment<'service> {
    pub(super) async fn new(service: &'service Service) -> Self {
        service.grant(NOURA_ID, HOME, "administrator").await;
        Self {
            service,
            administrator: signed_in(service, NOURA).await,
            operator: signed_in(service, HESSA).await,
            machine: GatewayClient::new(service).await,
            channel: crate::fixtures::gateway::channel(service).await,
        }
    }

    /// Who may call an operation.
    pub(super) fn caller(&self, operation: &Operation) -> &GatewayClient<'service> {
        if operation.is_platform() {
            &self.operator
        } else if operation.method == "MintOwnPat" {
            &self.machine
        } else {
            &self.administrator
        }
    }
}

/// The JSON form of a request that succeeds, with path parameters. `None`: no file of this folder has one.
pub(super) async fn valid_request(
    environment: &Environment<'_>,
    operation: &Operation,
) -> Option<Value> {
    let method = operation.method;
    if let Some(request) = documents::valid_request(environment, method).await {
        return Some(request);
    }
    if let Some(request) = audit::valid_request(method) {
        return Some(request);
    }
    if let Some(request) = authorities::valid_request(environment, method).await {
        return Some(request);
    }
    if let Some(request) = simple::valid_request(environment, method).await {
        return Some(request);
    }
    if let Some(request) = master_data::valid_request(environment, method).await {
        return Some(request);
    }
    if let Some(request) = payments::valid_request(environment, method).await {
        return Some(request);
    }
    if let Some(request) = rules::valid_request(environment, method).await {
        return Some(request);
    }
    if let Some(request) = domains::valid_request(environment, method).await {
        return Some(request);
    }
    if let Some(request) = tenants::valid_request(environment, method).await {
        return Some(request);
    }
    if let Some(request) = plans::valid_request(environment, method).await {
        return Some(request);
    }
    if let Some(request) = identity_administration::valid_request(environment, method).await {
        return Some(request);
    }
    identity::valid_request(environment, method).await
}

/// A request of every operation, all of them with records that exist now.
pub(super) async fn requests_of_all(
    environment: &Environment<'_>,
) -> Vec<(&'static Operation, Value)> {
    let mut requests = Vec::new();
    for operation in operation::ALL {
        let request = valid_request(environment, operation).await;
        let mut request = request.expect("every operation has a request");
        if operation.method == "CompleteProfile" {
            // Without a profile no other operation is called.
            let completed = environment.call(operation, &request, Protocol::Rest).await;
            assert_eq!(completed.code, Code::Ok, "{completed:?}");
        }
        let fields = request.as_object_mut().expect("a message is an object");
        fields.remove("validateOnly");
        requests.push((operation, request));
    }
    requests
}

/// Has every caller pass the request guard, which keeps what it has read until the directory changes.
pub(super) async fn pass_guard(environment: &Environment<'_>) {
    let Environment {
        administrator,
        operator,
        machine,
        ..
    } = environment;
    for caller in [administrator, operator, machine] {
        let passed = send_rest(caller, &operation::GET_PERMISSIONS, &json!({})).await;
        assert_eq!(passed.status, 200, "{}", passed.body);
    }
}

/// A new key as a client makes one.
pub(in crate::gateway) fn new_key() -> String {
    crate::fixtures::new_key().to_string()
}
