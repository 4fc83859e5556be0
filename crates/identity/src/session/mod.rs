//! Browser sessions: the request of a browser, its cookies, and RP-initiated logout.

mod browser;
mod cookies;
mod end_session;

pub(crate) use browser::{Browser, SignedInAccount};
pub(crate) use end_session::{end_session_get, end_session_post};
