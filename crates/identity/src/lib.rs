//! The OpenID Provider, and the administration of its records.

pub mod administration;
mod authorize;
mod bearer;
mod claims;
mod csrf_tokens;
mod discovery;
mod error;
#[doc(hidden)]
pub mod fuzz_checks;
mod hash_queue;
mod i18n;
mod id_token;
mod introspect;
mod json_object;
mod keys;
mod lifetimes;
mod limits;
mod machine_authorizations;
mod oauth;
mod pages;
mod password;
pub mod password_hashing;
mod provider;
mod revoke;
mod router;
mod scope;
mod session;
mod store_access;
mod token;
mod userinfo;
mod verified_tokens;

pub use error::{ProviderError, SigningKeyError};
pub use limits::RequestLimitSettings;
pub use provider::{Provider, ProviderDependencies};
pub use router::{default_response_headers, router};
pub use store_access::StoreAccess;
