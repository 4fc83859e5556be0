//! What every operation answers for a tenant that has not completed its profile: FAILED_PRECONDITION with PROFILE_INCOMPLETE, unless
//! it is one that such a tenant may call (decision 0114).

use invoicing_contract::Code;

use super::call::{Outcome, Protocol};
use super::guard::service_without_rate_limit;
use super::requests::{Environment, requests_of_all};
use crate::fixtures::HOME;

const REASON: &str = "PROFILE_INCOMPLETE";

#[tokio::test]
async fn operation_of_a_tenant_is_refused_until_the_profile_is_complete() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    let mut requests = requests_of_all(&environment).await;
    // What completes the profile is called after what is refused without.
    requests.sort_by_key(|(operation, _)| operation.without_profile);
    let incomplete = format!(
        "UPDATE tenants SET currency = '', profile_completed_at = NULL WHERE organization_id = '{HOME}'"
    );
    service.execute_sql(&incomplete).await;
    let refused = Outcome {
        code: Code::FailedPrecondition,
        reason: REASON.to_owned(),
        fields: Vec::new(),
    };
    let mut without_profile = 0;
    // What an operator calls is about another organization.
    for (operation, request) in &requests {
        if operation.is_platform() {
            continue;
        }
        for protocol in Protocol::BOTH {
            let outcome = environment.call(operation, request, protocol).await;
            let what = format!("{protocol:?} {}", operation.method);
            if operation.without_profile {
                assert_ne!(outcome.reason, REASON, "{what}");
                without_profile += 1;
            } else {
                assert_eq!(outcome, refused, "{what}");
            }
        }
    }
    assert!(without_profile > 0, "the profile can be completed");
    service.running.shutdown().await;
}
