//! The token endpoint: code exchange (RFC 6749, section 4.1.3) and refresh (RFC 6749, section 6).

use std::time::Duration;

use oauth2::basic::BasicTokenType;
use oauth2::{AuthorizationCode, EmptyExtraTokenFields, RefreshToken, TokenResponse as _};
use openidconnect::core::{
    CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm,
};
use openidconnect::{IdTokenFields, Nonce, StandardTokenResponse, TokenResponse as _};
use secrecy::{ExposeSecret as _, SecretString};

use super::authorize::{AuthorizationSecrets, redirect_url};
use super::error::token_request_error;
use super::id_token::AdditionalIdTokenClaims;
use super::{Check, Identity, Provider, ProviderError};

type IdTokenResponseFields = IdTokenFields<
    AdditionalIdTokenClaims,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

/// A token response with an id_token.
pub(super) type TokenResponse = StandardTokenResponse<IdTokenResponseFields, BasicTokenType>;

/// The tokens of a token response.
pub(crate) struct TokenSet {
    pub(crate) access: SecretString,
    /// Absent if the provider issued none, or left the one that was used valid.
    pub(crate) refresh: Option<SecretString>,
    /// The lifetime of the access token.
    pub(crate) expires_in: Duration,
}

/// The tokens of a sign-in and the verified identity.
pub(crate) struct SignInTokens {
    pub(crate) tokens: TokenSet,
    pub(crate) identity: Identity,
    /// The id_token as received, for `id_token_hint`.
    pub(crate) id_token: SecretString,
}

impl Provider {
    /// Exchanges an authorization code for tokens and verifies the id_token among them. Tokens that fail a check are revoked.
    pub(crate) async fn exchange_code(
        &self,
        code: SecretString,
        secrets: AuthorizationSecrets,
        redirect_uri: &str,
    ) -> Result<SignInTokens, ProviderError> {
        let client = self
            .oidc_client()
            .await?
            .set_redirect_uri(redirect_url(redirect_uri)?);
        let code = AuthorizationCode::new(code.expose_secret().to_owned());
        let response = client
            .exchange_code(code)
            .set_pkce_verifier(secrets.verifier)
            .request_async(&self.transport)
            .await
            .map_err(token_request_error)?;
        let verified = self.verify_tokens(&response, &secrets.nonce).await;
        if verified.is_err() {
            // Nobody uses them. Those of a session without a refresh token are ended by the access token.
            let access = response.access_token().secret();
            let token = response
                .refresh_token()
                .map_or(access, RefreshToken::secret);
            self.revoke_unused(&token.clone().into()).await;
        }
        verified
    }

    /// The tokens of a response with the identity of its id_token.
    async fn verify_tokens(
        &self,
        response: &TokenResponse,
        nonce: &Nonce,
    ) -> Result<SignInTokens, ProviderError> {
        let id_token = response
            .id_token()
            .ok_or(ProviderError::failed(Check::IdToken))?;
        let identity = self
            .verify_id_token(id_token, response.access_token(), Some(nonce))
            .await
            // A wrong clock makes valid tokens fail, and is what the user can correct.
            .map_err(|error| self.check_clock().err().unwrap_or(error))?;
        Ok(SignInTokens {
            id_token: id_token.to_string().into(),
            tokens: token_set(response)?,
            identity,
        })
    }

    /// Exchanges a refresh token, which becomes invalid, for new tokens.
    pub(crate) async fn refresh(&self, token: &SecretString) -> Result<TokenSet, ProviderError> {
        let client = self.oauth_client().await?;
        let token = RefreshToken::new(token.expose_secret().to_owned());
        let response = client
            .exchange_refresh_token(&token)
            .request_async(&self.transport)
            .await
            .map_err(token_request_error)?;
        token_set(&response)
    }
}

fn token_set(response: &impl oauth2::TokenResponse) -> Result<TokenSet, ProviderError> {
    // Without a lifetime the time of the next refresh is unknown; the contract requires the field.
    let expires_in = response
        .expires_in()
        .ok_or(ProviderError::failed(Check::ExpiresIn))?;
    Ok(TokenSet {
        access: response.access_token().secret().clone().into(),
        refresh: response
            .refresh_token()
            .map(|token| token.secret().clone().into()),
        expires_in,
    })
}
