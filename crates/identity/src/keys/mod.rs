//! The signing keys of id_tokens and the signatures made with them.

mod signer;
mod signing_keys;

pub(crate) use signer::SigningError;
pub(crate) use signing_keys::{KeyStorage, SigningKeys, rotate};
