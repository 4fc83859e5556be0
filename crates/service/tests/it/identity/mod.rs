//! Tests of the OpenID Provider over HTTP.

mod accounts;
mod audit;
mod authorize_table;
mod client_authentication;
mod clock_steps;
mod codes;
mod conformance;
mod limits;
mod machine;
mod maintenance;
mod pages;
mod password;
mod pats;
mod pushed_requests;
mod refresh;
mod relying_party;
mod scopes;
mod sign_in;
mod sign_out;
mod throttling;
