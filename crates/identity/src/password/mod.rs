//! Sign-in with username and password: the check, its throttling, and the change of a password.

mod change;
mod credentials;
mod throttle;

pub(crate) use change::{
    NewPassword, account_password, change_account_password, change_password, well_known,
};
pub(crate) use credentials::{MAX_USERNAME_LENGTH, PasswordCheck, PasswordCredentials};
pub(crate) use throttle::{RetryDelay, SignInAttempt};
