//! The authorization endpoint: who is it, and may the application know (OpenID Connect Core, 3.1.2).

mod endpoint;
mod request;
mod response;
mod sign_in;
mod steps;

pub(super) use endpoint::{authorize_get, authorize_post};
pub(super) use sign_in::{sign_in, sign_in_again};
pub(super) use steps::step;
