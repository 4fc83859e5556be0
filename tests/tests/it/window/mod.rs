//! Tests of the application in its real window.

mod main_job;
mod sign_in_fallbacks;
mod system_keyring;
