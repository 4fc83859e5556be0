//! The HTML pages, without scripts.

mod account_chooser;
mod assets;
mod change_password;
mod error_page;
mod layout;
mod login;
mod sign_out;

pub(super) use account_chooser::{AccountChoice, account_chooser};
pub(super) use assets::{icon, icon_path, style, style_path};
pub(super) use change_password::{
    ChangePasswordPage, PasswordProblem, PasswordProof, change_password, password_changed,
    password_set,
};
pub(super) use error_page::{ErrorPage, error_page};
pub(super) use layout::PageLayout;
pub(super) use login::{LoginPage, LoginProblem, login};
pub(super) use sign_out::{confirm_sign_out, signed_out};
