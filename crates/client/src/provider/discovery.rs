//! The discovery document: exactly this issuer's, and pointing nowhere else.

use openidconnect::core::{
    CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType,
    CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm,
    CoreResponseMode, CoreResponseType, CoreSubjectIdentifierType,
};
use openidconnect::{AdditionalProviderMetadata, DiscoveryError, IssuerUrl, ProviderMetadata};
use serde::{Deserialize, Serialize};
use url::Url;

use super::ProviderError;
use super::transport::{Transport, TransportError};
use crate::environments::Environment;

pub(super) type Metadata = ProviderMetadata<
    Further,
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

/// What the standards that came later add to the document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Further {
    #[serde(default)]
    revocation_endpoint: Option<Url>,
    #[serde(default)]
    end_session_endpoint: Option<Url>,
    #[serde(default)]
    prompt_values_supported: Vec<String>,
}

impl AdditionalProviderMetadata for Further {}

/// A document that was checked.
pub(super) struct Discovered {
    metadata: Metadata,
}

impl Discovered {
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

    /// Whether it can be told to let a person choose or confirm the account.
    pub(super) fn asks_for_account(&self) -> bool {
        self.metadata
            .additional_metadata()
            .prompt_values_supported
            .iter()
            .any(|value| value == "select_account")
    }
}

pub(super) async fn discover(
    environment: &Environment,
    transport: &Transport,
) -> Result<Discovered, ProviderError> {
    let issuer = IssuerUrl::new(environment.issuer().to_owned());
    let issuer = issuer.map_err(|_| ProviderError::NotTrusted { check: "issuer" })?;
    let metadata = Metadata::discover_async(issuer, transport)
        .await
        .map_err(discovery_error)?;
    let further = metadata.additional_metadata();
    let endpoints = [
        (
            "authorization_endpoint",
            Some(metadata.authorization_endpoint().url()),
        ),
        (
            "token_endpoint",
            metadata.token_endpoint().map(|address| address.url()),
        ),
        ("jwks_uri", Some(metadata.jwks_uri().url())),
        ("revocation_endpoint", further.revocation_endpoint.as_ref()),
        (
            "end_session_endpoint",
            further.end_session_endpoint.as_ref(),
        ),
    ];
    // All of them stand at {auth_url} (contract, part 4): a document that sends codes or tokens elsewhere is not believed.
    let own = Url::parse(environment.issuer()).map(|issuer| issuer.origin());
    for (check, address) in endpoints {
        if address.is_some_and(|address| Ok(address.origin()) != own) {
            return Err(ProviderError::NotTrusted { check });
        }
    }
    Ok(Discovered { metadata })
}

pub(super) fn discovery_error(error: DiscoveryError<TransportError>) -> ProviderError {
    match error {
        DiscoveryError::Request(error) => error.into(),
        DiscoveryError::Response(status, ..) => ProviderError::Strange {
            status: status.as_u16(),
        },
        DiscoveryError::Validation(_) => ProviderError::NotTrusted { check: "issuer" },
        DiscoveryError::Other(_) | DiscoveryError::Parse(_) | DiscoveryError::UrlParse(_) | _ => {
            ProviderError::Strange { status: 200 }
        }
    }
}
