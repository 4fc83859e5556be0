//! The pages that people see: plain HTML without scripts.

mod assets;
mod change_password;
mod choose;
mod layout;
mod login;
mod sign_out;
mod trouble;

pub(super) use assets::{icon, icon_path, style, style_path};
pub(super) use change_password::{
    ChangePassword, PasswordProblem, change_password, password_changed,
};
pub(super) use choose::{Choice, choose};
pub(super) use layout::Frame;
pub(super) use login::{Login, Problem, login};
pub(super) use sign_out::{confirm_sign_out, signed_out};
pub(super) use trouble::{Trouble, trouble};
