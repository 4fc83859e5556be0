//! An environment: the addresses of a service and the project that belongs to it, as one value.

use std::fmt;

use invoicing_contract::ready::{ApplicationKind, Ready};
use invoicing_contract::{ClientId, Names};
use serde::{Deserialize, Serialize};
use url::Url;

use super::fields::{address, identifier, is_loopback, name};
use super::network::{self, NetworkSettings};
use super::{EnvironmentConfig, EnvironmentError, LOCAL, SCHEME};
use crate::views::{
    DemoAccount, EnvironmentField, EnvironmentKind, EnvironmentProblem, EnvironmentView,
    InvalidFieldReason,
};

/// The servers, the project and the client of an environment (decision 0002).
///
/// Its fields are private, so that no code can combine one environment's project id with another's identity provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "EnvironmentConfig", into = "EnvironmentConfig")]
pub struct Environment {
    name: String,
    kind: EnvironmentKind,
    auth_url: Url,
    base_url: Url,
    project_audience_id: String,
    client_id: ClientId,
    names: Names,
    authority: Authority,
    network: NetworkSettings,
    demo_accounts: Vec<DemoAccount>,
}

/// What a stored session belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Authority {
    /// The identity provider at the environment's own address.
    Address,
    /// The embedded service, whose port may change at each start.
    Embedded,
}

impl Environment {
    /// Validates a configuration.
    ///
    /// # Errors
    /// Every invalid field.
    pub fn new(config: EnvironmentConfig) -> Result<Self, EnvironmentError> {
        let mut problems = Vec::new();
        let mut report = |field, reason| {
            problems.push(EnvironmentProblem {
                field,
                reason,
                earlier: None,
            });
        };
        if let Err(reason) = name(&config.name) {
            report(EnvironmentField::Name, reason);
        }
        let auth_url = address(&config.auth_url);
        let base_url = address(&config.base_url);
        for (field, address) in [
            (EnvironmentField::AuthUrl, &auth_url),
            (EnvironmentField::BaseUrl, &base_url),
        ] {
            if let Err(reason) = address {
                report(field, *reason);
            }
        }
        for (field, value) in [
            (
                EnvironmentField::ProjectAudienceId,
                config.project_audience_id.as_str(),
            ),
            (EnvironmentField::ClientId, config.client_id.as_str()),
        ] {
            if let Err(reason) = identifier(value) {
                report(field, reason);
            }
        }
        let proxy = network::proxy(&config.proxy);
        if let Err(reason) = proxy {
            report(EnvironmentField::Proxy, reason);
        }
        let names = Names::new(&config.namespace);
        if names.is_none() {
            report(
                EnvironmentField::Namespace,
                if config.namespace.is_empty() {
                    InvalidFieldReason::Empty
                } else {
                    InvalidFieldReason::Characters
                },
            );
        }
        let (Ok(auth_url), Ok(base_url), Ok(proxy), Some(names), []) =
            (auth_url, base_url, proxy, names, problems.as_slice())
        else {
            return Err(EnvironmentError::InvalidFields { problems });
        };
        Ok(Self {
            name: config.name,
            kind: config.kind,
            auth_url,
            base_url,
            project_audience_id: config.project_audience_id,
            client_id: config.client_id,
            names,
            authority: Authority::Address,
            network: NetworkSettings::new(proxy, &config.ca_file),
            demo_accounts: Vec::new(),
        })
    }

    /// The embedded environment, from what the service reports when it has started.
    ///
    /// # Errors
    /// The service has no public application, or an invalid address.
    pub fn embedded(ready: &Ready) -> Result<Self, EnvironmentError> {
        let application = ready
            .applications
            .iter()
            .find(|application| application.kind == ApplicationKind::Public);
        let application = application.ok_or(EnvironmentError::NoPublicApplication)?;
        let environment = Self::new(EnvironmentConfig {
            name: LOCAL.to_owned(),
            kind: EnvironmentKind::Local,
            auth_url: ready.auth_url.clone(),
            base_url: ready.base_url.clone(),
            project_audience_id: ready.audience_id.clone(),
            client_id: application.client_id.as_str().into(),
            namespace: Names::default().namespace().to_owned(),
            proxy: String::new(),
            ca_file: String::new(),
        })?;
        let demo_accounts = ready.users.iter().map(|user| DemoAccount {
            username: user.username.clone(),
            password: user.password.clone(),
            organizations: u32::try_from(user.organizations.len()).unwrap_or(u32::MAX),
        });
        Ok(Self {
            authority: Authority::Embedded,
            demo_accounts: demo_accounts.collect(),
            ..environment
        })
    }

    /// Its unique name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// OAuth client id.
    #[must_use]
    pub fn client_id(&self) -> &ClientId {
        &self.client_id
    }

    /// The names of its claims, scopes and headers.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The issuer: the identity provider's address without a trailing slash.
    #[must_use]
    pub fn issuer(&self) -> &str {
        self.auth_url.as_str().trim_end_matches('/')
    }

    /// The gateway's address without a trailing slash.
    #[must_use]
    pub fn gateway(&self) -> &str {
        self.base_url.as_str().trim_end_matches('/')
    }

    /// Whether an id_token may have this audience: the client id or the project-audience id.
    #[must_use]
    pub fn accepts_audience(&self, audience: &str) -> bool {
        self.client_id == *audience || audience == self.project_audience_id
    }

    /// The scopes of a sign-in: profile, refresh token, the audience of the project, the home organization.
    #[must_use]
    pub fn scopes(&self) -> Vec<String> {
        let mut scopes: Vec<_> = ["openid", "profile", "email", "offline_access"]
            .map(str::to_owned)
            .into();
        scopes.push(self.names.audience_scope(&self.project_audience_id));
        scopes.push(self.names.home_organization_scope().to_owned());
        scopes
    }

    /// The redirect URI with the application's scheme: one per environment, against mix-up of authorization responses
    /// (RFC 9700, section 4.4.2).
    #[must_use]
    pub fn deep_link(&self) -> String {
        format!("{SCHEME}:/oauth/{}", self.name)
    }

    /// The path of the loopback redirect URI.
    #[must_use]
    pub fn loopback_path(&self) -> String {
        format!("/oauth/{}", self.name)
    }

    /// What a stored session belongs to: the issuer, or `embedded` for the embedded service, whose port may change.
    #[must_use]
    pub(crate) fn authority(&self) -> &str {
        match self.authority {
            Authority::Address => self.issuer(),
            Authority::Embedded => "embedded",
        }
    }

    /// Whether it still has the authority and the client id of a sign-in.
    pub(crate) fn has_sign_in_of(&self, authority: &str, client_id: &ClientId) -> bool {
        self.authority() == authority && self.client_id() == client_id
    }

    /// How its servers are reached.
    pub(crate) fn network(&self) -> &NetworkSettings {
        &self.network
    }

    /// Whether both addresses are https, so that plain http can be refused.
    pub(crate) fn https_only(&self) -> bool {
        self.auth_url.scheme() == "https" && self.base_url.scheme() == "https"
    }

    /// Whether nothing is encrypted on the way: neither server has a certificate, and there is no proxy, which could have one.
    /// Such servers run on this computer.
    pub(crate) fn is_in_clear(&self) -> bool {
        let servers = [&self.auth_url, &self.base_url];
        servers.into_iter().all(|url| url.scheme() == "http")
            && !matches!(self.network.proxy(), network::Proxy::Address(_))
    }

    /// Whether both servers run on this computer, so that no proxy is used.
    pub(crate) fn is_on_this_computer(&self) -> bool {
        [&self.auth_url, &self.base_url]
            .into_iter()
            .all(is_loopback)
    }

    /// The environment as the UI shows it.
    pub(crate) fn view(&self) -> EnvironmentView {
        EnvironmentView {
            name: self.name.clone(),
            kind: self.kind,
            auth_url: self.issuer().to_owned(),
            base_url: self.gateway().to_owned(),
            config: match self.authority {
                Authority::Address => Some(self.clone().into()),
                Authority::Embedded => None,
            },
            demo_accounts: self.demo_accounts.clone(),
        }
    }
}

impl TryFrom<EnvironmentConfig> for Environment {
    type Error = EnvironmentError;

    fn try_from(config: EnvironmentConfig) -> Result<Self, EnvironmentError> {
        Self::new(config)
    }
}

impl From<Environment> for EnvironmentConfig {
    fn from(environment: Environment) -> Self {
        Self {
            auth_url: environment.issuer().to_owned(),
            base_url: environment.gateway().to_owned(),
            name: environment.name,
            kind: environment.kind,
            project_audience_id: environment.project_audience_id,
            client_id: environment.client_id,
            namespace: environment.names.namespace().to_owned(),
            proxy: environment.network.proxy_text(),
            ca_file: environment.network.ca_file_text(),
        }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}
