//! Verification of the id_token of an impersonation, which no authorization request has asked for.

use std::str::FromStr as _;

use invoicing_contract::SubjectId;
use oauth2::AccessToken;
use secrecy::{ExposeSecret as _, SecretString};

use super::id_token::IdToken;
use super::{Check, Identity, Provider, ProviderError};

impl Provider {
    /// The identity of the person whom `actor` impersonates, from the id_token that was issued with the access token.
    ///
    /// # Errors
    /// A check of an id_token fails, or `act` does not name the actor (RFC 8693, section 4.1).
    pub(crate) async fn verify_impersonation(
        &self,
        id_token: &SecretString,
        access: &SecretString,
        actor: &SubjectId,
    ) -> Result<Identity, ProviderError> {
        let token = IdToken::from_str(id_token.expose_secret())
            .map_err(ProviderError::because(Check::IdToken))?;
        let access = AccessToken::new(access.expose_secret().to_owned());
        let identity = self.verify_id_token(&token, &access, None).await?;
        if identity.actor.as_ref() == Some(actor) {
            Ok(identity)
        } else {
            Err(ProviderError::failed(Check::Act))
        }
    }
}
