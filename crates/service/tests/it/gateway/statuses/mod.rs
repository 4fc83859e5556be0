//! The status of every operation in every case of the contract, over REST and gRPC (contract, part 7). The cases follow from
//! the descriptor of an operation, so a new operation is tested as soon as `requests` has a request of it, and fails until then.

mod audited;
mod call;
mod document_states;
mod enums;
pub(super) mod guard;
mod http_requests;
mod incomplete_profile;
mod outcomes;
mod plan_refusals;
pub(super) mod requests;
mod storage_failures;
mod unavailable;
