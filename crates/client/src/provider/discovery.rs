//! The discovery document (OpenID Connect Discovery, section 4): of exactly this issuer, with endpoints at its origin only.

use openidconnect::core::{
    CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType,
    CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm,
    CoreResponseMode, CoreResponseType, CoreSubjectIdentifierType,
};
use openidconnect::{AdditionalProviderMetadata, IssuerUrl, ProviderMetadata};
use serde::{Deserialize, Serialize};
use url::Url;

use super::error::discovery_error;
use super::transport::Transport;
use super::{Check, ProviderError};
use crate::environments::Environment;

pub(super) type Metadata = ProviderMetadata<
    ExtraMetadata,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// Metadata of later standards: RFC 8414, RP-Initiated Logout, RFC 9207, and the `prompt` values of Initiating User Registration.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ExtraMetadata {
    #[serde(default)]
    revocation_endpoint: Option<Url>,
    #[serde(default)]
    end_session_endpoint: Option<Url>,
    #[serde(default)]
    pushed_authorization_request_endpoint: Option<Url>,
    #[serde(default)]
    prompt_values_supported: Vec<String>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl AdditionalProviderMetadata for ExtraMetadata {}

/// A verified discovery document.
pub(super) struct DiscoveryDocument {
    metadata: Metadata,
}

impl DiscoveryDocument {
    pub(super) fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    pub(super) fn revocation_endpoint(&self) -> Option<&Url> {
        self.metadata
            .additional_metadata()
            .revocation_endpoint
            .as_ref()
    }

    pub(super) fn end_session_endpoint(&self) -> Option<&Url> {
        self.metadata
            .additional_metadata()
            .end_session_endpoint
            .as_ref()
    }

    /// Whether every authorization response of the provider has `iss` (RFC 9207, section 3).
    pub(super) fn announces_response_issuer(&self) -> bool {
        self.metadata
            .additional_metadata()
            .authorization_response_iss_parameter_supported
    }

    /// Where authorization requests are pushed (RFC 9126, section 5).
    pub(super) fn pushed_authorization_request_endpoint(&self) -> Option<&Url> {
        self.metadata
            .additional_metadata()
            .pushed_authorization_request_endpoint
            .as_ref()
    }

    /// Whether the provider knows `prompt=select_account`.
    pub(super) fn supports_select_account(&self) -> bool {
        self.metadata
            .additional_metadata()
            .prompt_values_supported
            .iter()
            .any(|value| value == "select_account")
    }
}

/// Fetches and verifies the discovery document.
pub(super) async fn discover(
    environment: &Environment,
    transport: &Transport,
) -> Result<DiscoveryDocument, ProviderError> {
    let issuer = IssuerUrl::new(environment.issuer().to_owned());
    let issuer = issuer.map_err(ProviderError::because(Check::Issuer))?;
    let metadata = Metadata::discover_async(issuer, transport)
        .await
        .map_err(discovery_error)?;
    let extra = metadata.additional_metadata();
    let endpoints = [
        (
            Check::AuthorizationEndpoint,
            Some(metadata.authorization_endpoint().url()),
        ),
        (
            Check::TokenEndpoint,
            metadata.token_endpoint().map(|address| address.url()),
        ),
        (Check::JwksUri, Some(metadata.jwks_uri().url())),
        (
            Check::RevocationEndpoint,
            extra.revocation_endpoint.as_ref(),
        ),
        (
            Check::EndSessionEndpoint,
            extra.end_session_endpoint.as_ref(),
        ),
        (
            Check::PushedAuthorizationRequestEndpoint,
            extra.pushed_authorization_request_endpoint.as_ref(),
        ),
    ];
    // The contract puts all of them at {auth_url} (contract, part 4). A document that directs codes or tokens to another
    // origin is rejected.
    let origin = Url::parse(environment.issuer()).map(|issuer| issuer.origin());
    for (check, address) in endpoints {
        if address.is_some_and(|address| Ok(address.origin()) != origin) {
            return Err(ProviderError::failed(check));
        }
    }
    Ok(DiscoveryDocument { metadata })
}
