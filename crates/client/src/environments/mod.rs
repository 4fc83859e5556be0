//! Environments: a host and the project that belongs to it, as one value that cannot be taken apart.

mod error;
mod fields;
mod store;

use std::fmt;

use invoicing_contract::Names;
use invoicing_contract::ready::{ApplicationKind, Ready};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::views::{
    DemoAccount, EnvironmentField, EnvironmentKind, EnvironmentProblem, EnvironmentTrouble,
    EnvironmentView,
};

pub use crate::views::Particulars;
pub use error::EnvironmentError;
use fields::{address, identifier, is_loopback, name};
pub(crate) use store::Environments;

/// The application's own scheme; the path behind it tells the environments apart (RFC 8252, 7.1).
pub const SCHEME: &str = "com.invoicedesk.desktop";

/// The name of the embedded environment.
pub const LOCAL: &str = "local";

/// Where and as whom to sign in and work (decision 0002).
///
/// Its fields are private, so that no code can send one environment's project id to another's identity provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Particulars", into = "Particulars")]
pub struct Environment {
    name: String,
    kind: EnvironmentKind,
    auth_url: Url,
    base_url: Url,
    project_audience_id: String,
    client_id: String,
    names: Names,
    authority: Authority,
    demo_accounts: Vec<DemoAccount>,
}

/// What a kept session belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Authority {
    /// The identity provider at the environment's own address.
    Address,
    /// The embedded one, whose port may be another at each start.
    Embedded,
}

impl Environment {
    /// Checks particulars.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn new(particulars: Particulars) -> Result<Self, EnvironmentError> {
        let mut problems = Vec::new();
        let mut wrong = |field, trouble| problems.push(EnvironmentProblem { field, trouble });
        if let Err(trouble) = name(&particulars.name) {
            wrong(EnvironmentField::Name, trouble);
        }
        let auth_url = address(&particulars.auth_url);
        let base_url = address(&particulars.base_url);
        for (field, address) in [
            (EnvironmentField::AuthUrl, &auth_url),
            (EnvironmentField::BaseUrl, &base_url),
        ] {
            if let Err(trouble) = address {
                wrong(field, *trouble);
            }
        }
        for (field, value) in [
            (
                EnvironmentField::ProjectAudienceId,
                &particulars.project_audience_id,
            ),
            (EnvironmentField::ClientId, &particulars.client_id),
        ] {
            if let Err(trouble) = identifier(value) {
                wrong(field, trouble);
            }
        }
        let names = Names::new(&particulars.namespace);
        if names.is_none() {
            wrong(
                EnvironmentField::Namespace,
                if particulars.namespace.is_empty() {
                    EnvironmentTrouble::Empty
                } else {
                    EnvironmentTrouble::Characters
                },
            );
        }
        let (Ok(auth_url), Ok(base_url), Some(names), []) =
            (auth_url, base_url, names, problems.as_slice())
        else {
            return Err(EnvironmentError::Refused { problems });
        };
        Ok(Self {
            name: particulars.name,
            kind: particulars.kind,
            auth_url,
            base_url,
            project_audience_id: particulars.project_audience_id,
            client_id: particulars.client_id,
            names,
            authority: Authority::Address,
            demo_accounts: Vec::new(),
        })
    }

    /// The embedded environment, from what the service says of itself.
    ///
    /// # Errors
    /// It has no public application, or an address that is not one.
    pub fn embedded(ready: &Ready) -> Result<Self, EnvironmentError> {
        let application = ready
            .applications
            .iter()
            .find(|application| application.kind == ApplicationKind::Public);
        let application = application.ok_or(EnvironmentError::NoPublicApplication)?;
        let environment = Self::new(Particulars {
            name: LOCAL.to_owned(),
            kind: EnvironmentKind::Local,
            auth_url: ready.auth_url.clone(),
            base_url: ready.base_url.clone(),
            project_audience_id: ready.audience_id.clone(),
            client_id: application.client_id.clone(),
            namespace: Names::default().namespace().to_owned(),
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
    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    /// The names of claims, scopes and headers there.
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

    /// The audiences that an id_token may name beside this application.
    #[must_use]
    pub fn accepts_audience(&self, audience: &str) -> bool {
        audience == self.client_id || audience == self.project_audience_id
    }

    /// The scopes of a sign-in: identity, a refresh token, this environment's project, the home organization.
    #[must_use]
    pub fn scopes(&self) -> Vec<String> {
        let mut scopes: Vec<_> = ["openid", "profile", "email", "offline_access"]
            .map(str::to_owned)
            .into();
        scopes.push(self.names.audience_scope(&self.project_audience_id));
        scopes.push(self.names.home_organization_scope().to_owned());
        scopes
    }

    /// Where the browser comes back to through the system: one path for each environment, so that an answer of one
    /// identity provider is never taken for another's (RFC 9700, 4.4.2).
    #[must_use]
    pub fn deep_link(&self) -> String {
        format!("{SCHEME}:/oauth/{}", self.name)
    }

    /// The path that the browser comes back to on a port of this computer.
    #[must_use]
    pub fn loopback_path(&self) -> String {
        format!("/oauth/{}", self.name)
    }

    /// What a kept session belongs to: the issuer, or the embedded service whatever its port is today.
    #[must_use]
    pub(crate) fn authority(&self) -> &str {
        match self.authority {
            Authority::Address => self.issuer(),
            Authority::Embedded => "embedded",
        }
    }

    /// Whether plain http is never meant.
    pub(crate) fn https_only(&self) -> bool {
        self.auth_url.scheme() == "https" && self.base_url.scheme() == "https"
    }

    /// Whether both of its servers run on this computer: no proxy stands between.
    pub(crate) fn is_on_this_computer(&self) -> bool {
        [&self.auth_url, &self.base_url]
            .into_iter()
            .all(is_loopback)
    }

    pub(crate) fn view(&self) -> EnvironmentView {
        EnvironmentView {
            name: self.name.clone(),
            kind: self.kind,
            auth_url: self.issuer().to_owned(),
            base_url: self.gateway().to_owned(),
            particulars: match self.authority {
                Authority::Address => Some(self.clone().into()),
                Authority::Embedded => None,
            },
            demo_accounts: self.demo_accounts.clone(),
        }
    }
}

impl TryFrom<Particulars> for Environment {
    type Error = EnvironmentError;

    fn try_from(particulars: Particulars) -> Result<Self, EnvironmentError> {
        Self::new(particulars)
    }
}

impl From<Environment> for Particulars {
    fn from(environment: Environment) -> Self {
        Self {
            auth_url: environment.issuer().to_owned(),
            base_url: environment.gateway().to_owned(),
            name: environment.name,
            kind: environment.kind,
            project_audience_id: environment.project_audience_id,
            client_id: environment.client_id,
            namespace: environment.names.namespace().to_owned(),
        }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn particulars() -> Particulars {
        Particulars {
            name: "production".to_owned(),
            kind: EnvironmentKind::Production,
            auth_url: "https://id.example.com".to_owned(),
            base_url: "https://api.example.com/".to_owned(),
            project_audience_id: "2930".to_owned(),
            client_id: "desk".to_owned(),
            namespace: "idp".to_owned(),
        }
    }

    #[test]
    fn it_is_kept_and_read_back_whole() {
        let environment = Environment::new(particulars()).expect("it is right");
        let kept = serde_json::to_string(&environment).expect("it can be kept");
        assert_eq!(
            serde_json::from_str::<Environment>(&kept).expect("it reads back"),
            environment
        );
        assert_eq!(
            environment.deep_link(),
            "com.invoicedesk.desktop:/oauth/production"
        );
        assert!(
            environment
                .scopes()
                .contains(&"urn:idp:iam:org:project:id:2930:aud".to_owned())
        );
    }

    #[test]
    fn plain_http_is_for_this_computer_only() {
        let with = |auth_url: &str| {
            Environment::new(Particulars {
                auth_url: auth_url.to_owned(),
                ..particulars()
            })
        };
        for good in [
            "https://id.example.com:8443",
            "http://127.0.0.1:5",
            "http://[::1]:5",
            "http://localhost:5",
        ] {
            assert!(with(good).is_ok(), "{good}");
        }
        for plain in [
            "http://id.example.com",
            "http://127.0.0.2",
            "http://localhost.example.com",
            "http://10.0.0.1",
        ] {
            assert_eq!(
                with(plain),
                refused(EnvironmentField::AuthUrl, EnvironmentTrouble::NotHttps),
                "{plain}"
            );
        }
        for wrong in [
            "id.example.com",
            "ftp://id",
            "https://u@id",
            "https://u:p@id",
            "https://id/x",
            "https://id/?q",
            "https://id/#f",
        ] {
            assert_eq!(
                with(wrong),
                refused(EnvironmentField::AuthUrl, EnvironmentTrouble::NotAnAddress),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_name_or_id_that_would_change_a_redirect_or_scope_is_refused() {
        for name in ["A", "a/b", "a b", "ä"] {
            assert_eq!(
                Environment::new(Particulars {
                    name: name.to_owned(),
                    ..particulars()
                }),
                refused(EnvironmentField::Name, EnvironmentTrouble::Characters),
                "{name}"
            );
        }
        for id in ["1 2", "1:aud openid", "é"] {
            let made = Environment::new(Particulars {
                project_audience_id: id.to_owned(),
                ..particulars()
            });
            assert_eq!(
                made,
                refused(
                    EnvironmentField::ProjectAudienceId,
                    EnvironmentTrouble::Characters
                ),
                "{id}"
            );
        }
    }

    #[test]
    fn everything_that_is_missing_is_told_at_once() {
        let nothing = Particulars {
            name: String::new(),
            kind: EnvironmentKind::Staging,
            auth_url: String::new(),
            base_url: String::new(),
            project_audience_id: String::new(),
            client_id: String::new(),
            namespace: String::new(),
        };
        let Err(EnvironmentError::Refused { problems }) = Environment::new(nothing) else {
            panic!("nothing at all is an environment")
        };
        assert_eq!(problems.len(), 6);
        assert!(
            problems
                .iter()
                .all(|problem| problem.trouble == EnvironmentTrouble::Empty)
        );
    }

    fn refused(
        field: EnvironmentField,
        trouble: EnvironmentTrouble,
    ) -> Result<Environment, EnvironmentError> {
        Err(EnvironmentError::Refused {
            problems: vec![EnvironmentProblem { field, trouble }],
        })
    }
}
