//! What a test of the UI plans for the next requests of the core to the gateway: `POST /faults` and `DELETE /faults`. `GET /service`
//! tells another `ui-host` where the service is.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use end_to_end::fault_proxy::{Defect, Fault, Lasting, Place};
use end_to_end::http_client;
use end_to_end::service::Service;
use invoicing_contract::ready::Ready;
use serde::Deserialize;

/// A fault of the requests to the gateway.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Planned {
    /// `METHOD /path` or the end of a path; `*` at its end stands for any rest.
    path: String,
    fault: FaultName,
    /// For all requests until the faults are cleared, and not for one.
    #[serde(default)]
    until_cleared: bool,
}

/// The faults that tests of the UI use. Tests of the client have all of them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum FaultName {
    DropRequest,
    DropResponse,
    /// The response ends in its middle, and the connection stays open.
    StallResponse,
}

/// The routes that plan faults of the service.
pub(super) fn router(service: Arc<Service>) -> Router {
    Router::new()
        .route("/faults", post(plan))
        .route("/faults", delete(clear))
        .route("/service", get(ready))
        .with_state(service)
}

async fn plan(State(service): State<Arc<Service>>, Json(planned): Json<Planned>) -> StatusCode {
    let fault = match planned.fault {
        FaultName::DropRequest => Fault::DropRequest,
        FaultName::DropResponse => Fault::DropResponse,
        FaultName::StallResponse => Fault::Deliver(Defect::Stall(Place::Middle)),
    };
    let lasting = if planned.until_cleared {
        Lasting::UntilCleared
    } else {
        Lasting::Once
    };
    service.gateway.plan(&planned.path, fault, lasting);
    StatusCode::NO_CONTENT
}

async fn clear(State(service): State<Arc<Service>>) -> StatusCode {
    service.gateway.clear_faults();
    StatusCode::NO_CONTENT
}

async fn ready(State(service): State<Arc<Service>>) -> Json<Ready> {
    Json(service.ready.clone())
}

/// The service of the `ui-host` at `address`, which has [`router`].
pub(super) async fn service_of(address: &str) -> Result<Ready, reqwest::Error> {
    let client = http_client::builder().build()?;
    let response = client.get(format!("{address}/service")).send().await?;
    response.error_for_status()?.json().await
}
