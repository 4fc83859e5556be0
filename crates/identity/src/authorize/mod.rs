//! The authorization endpoint and its sign-in pages (OpenID Connect Core, 3.1.2).

mod code;
mod endpoint;
mod interaction;
mod pending_step;
mod push;
mod pushed_request;
mod redirect;
mod request;
mod request_error;
mod sign_in;

pub(crate) use endpoint::{authorize_get, authorize_post};
pub(crate) use pending_step::pending_step_post;
pub(crate) use push::push;
pub(crate) use sign_in::{sign_in_get, sign_in_post};
