//! Sign-out at the provider: token revocation (RFC 7009) and the end of the session (RP-Initiated Logout).

use secrecy::{ExposeSecret as _, SecretString};

use super::{Provider, ProviderError};

impl Provider {
    /// Revokes a refresh token, and with it its whole family.
    ///
    /// Not through `oauth2`, which refuses a revocation endpoint without TLS, as that of the embedded environment is.
    pub(crate) async fn revoke(&self, token: &SecretString) -> Result<(), ProviderError> {
        let Some(endpoint) = self.discovery().await?.revocation_endpoint() else {
            return Ok(());
        };
        let form = [
            ("token", token.expose_secret()),
            ("token_type_hint", "refresh_token"),
            ("client_id", self.environment.client_id().as_str()),
        ];
        self.transport.post(endpoint, &form).await
    }

    /// Revokes a token that nobody uses. An error is logged only: the token expires by itself.
    pub(crate) async fn revoke_unused(&self, token: &SecretString) {
        if let Err(error) = self.revoke(token).await {
            tracing::info!(
                error = &error as &dyn std::error::Error,
                "a token that nobody uses was not revoked"
            );
        }
    }

    /// Ends the session at the provider that the id_token belongs to.
    pub(crate) async fn end_session(&self, id_token: &SecretString) -> Result<(), ProviderError> {
        let Some(endpoint) = self.discovery().await?.end_session_endpoint() else {
            return Ok(());
        };
        let form = [
            ("id_token_hint", id_token.expose_secret()),
            ("client_id", self.environment.client_id().as_str()),
        ];
        match self.transport.post(endpoint, &form).await {
            // A page that says so, or a redirect to one, is how this endpoint answers.
            Err(ProviderError::UnexpectedResponse {
                status: 200..400, ..
            }) => Ok(()),
            // The hint is refused, as after a change of the keys. That will not be different later.
            Err(ProviderError::UnexpectedResponse { status: 400, .. }) => {
                tracing::info!("the identity provider does not know the session of the browser");
                Ok(())
            }
            answer => answer,
        }
    }
}
