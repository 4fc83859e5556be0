//! Sign-in with username and password: the check, its throttling, and the change of a password, also with a code.

mod attempt_events;
mod change;
mod code;
mod credentials;
mod known_devices;
mod shared_attempts;
mod throttle;

pub(crate) use change::{
    NewPassword, account_password, change_account_password, change_password, well_known,
};
pub(crate) use code::{SET_PASSWORD_PATH, set_password, set_password_page};
pub(crate) use credentials::{MAX_USERNAME_LENGTH, PasswordCheck, PasswordCredentials};
pub(crate) use known_devices::{KnownDevice, KnownDevices};
pub(crate) use throttle::{AttemptOrigin, PasswordThrottle, RetryDelay};
