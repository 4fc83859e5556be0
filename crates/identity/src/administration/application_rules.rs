//! The rules for an application of its kind (contract, part 5).

use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::applications::{Application, GrantType, kind_name};
use url::{Host, Url};

use super::Input;

/// A rule that an application breaks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ApplicationViolation {
    /// What is wrong.
    pub(super) input: Input,
    /// Its path in an application of the contract, as `redirectUris[0]`.
    pub(super) field: String,
    /// The rule.
    pub(super) reason: String,
}

/// The grants of an application that names none.
pub(super) const fn default_grant_types(kind: ApplicationKind) -> &'static [GrantType] {
    match kind {
        ApplicationKind::Public | ApplicationKind::Confidential => {
            &[GrantType::AuthorizationCode, GrantType::RefreshToken]
        }
        ApplicationKind::Machine => &[GrantType::ClientCredentials],
        ApplicationKind::Api => &[],
    }
}

/// All rules that an application breaks.
pub(super) fn violations(application: &Application) -> Vec<ApplicationViolation> {
    let Application {
        kind, grant_types, ..
    } = application;
    let mut found = grant_violations(*kind, grant_types);
    let mut require = |is_kept: bool, input, field: &str, reason: &str| {
        if !is_kept {
            found.push(ApplicationViolation {
                input,
                field: field.to_owned(),
                reason: reason.to_owned(),
            });
        }
    };
    require(
        !grant_types.contains(&GrantType::Password) || application.organization.is_some(),
        Input::GrantType,
        "grantTypes",
        "password is for an application that belongs to a tenant",
    );
    require(
        !grant_types.contains(&GrantType::ClientCredentials) || application.subject.is_some(),
        Input::User,
        "grantTypes",
        "client_credentials is for an application that acts for a machine user",
    );
    let lists = [
        ("redirectUris", &application.redirect_uris),
        ("postLogoutUris", &application.post_logout_uris),
    ];
    for (list, uris) in lists {
        for (index, uri) in uris.iter().enumerate() {
            if let Err(reason) = check_redirect_uri(*kind, uri) {
                found.push(ApplicationViolation {
                    input: Input::RedirectUri,
                    field: format!("{list}[{index}]"),
                    reason: format!("{uri}: {reason}"),
                });
            }
        }
    }
    found
}

fn grant_violations(kind: ApplicationKind, grant_types: &[GrantType]) -> Vec<ApplicationViolation> {
    let allowed: &[GrantType] = match kind {
        ApplicationKind::Public | ApplicationKind::Api | ApplicationKind::Machine => {
            default_grant_types(kind)
        }
        ApplicationKind::Confidential => &[
            GrantType::AuthorizationCode,
            GrantType::RefreshToken,
            GrantType::Password,
        ],
    };
    let forbidden = grant_types
        .iter()
        .enumerate()
        .filter(|(_, grant)| !allowed.contains(grant));
    let violation = |(index, grant): (usize, &GrantType)| ApplicationViolation {
        input: Input::GrantType,
        field: format!("grantTypes[{index}]"),
        reason: format!(
            "{} is not for a {} application",
            grant.name(),
            kind_name(kind)
        ),
    };
    forbidden.map(violation).collect()
}

/// Checks a redirect URI: https; for a native application also a private-use scheme with a dot or a loopback address (RFC
/// 8252, 7).
fn check_redirect_uri(kind: ApplicationKind, uri: &str) -> Result<(), &'static str> {
    let url = Url::parse(uri).map_err(|_not_a_uri| "is no URI")?;
    let has_user = !url.username().is_empty() || url.password().is_some();
    if url.fragment().is_some() || has_user || uri.contains(char::is_whitespace) {
        return Err("must have no fragment, no user and no space");
    }
    let loopback = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    };
    let native = kind == ApplicationKind::Public;
    match url.scheme() {
        "https" => Ok(()),
        "http" if native && loopback => Ok(()),
        "http" => Err("must be https"),
        scheme if native && scheme.contains('.') => Ok(()),
        _ => Err("must be https, or for a native application a scheme with a dot in it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_uri_is_valid_according_to_the_kind_of_application() {
        use ApplicationKind::{Confidential, Public};
        for (kind, uri, allowed) in [
            (Confidential, "https://books.example/callback", true),
            (Confidential, "http://books.example/callback", false),
            (Confidential, "http://127.0.0.1/callback", false),
            (Confidential, "com.example.books:/callback", false),
            (Public, "https://books.example/callback", true),
            (Public, "http://127.0.0.1/callback", true),
            (Public, "http://[::1]:7/callback", true),
            (Public, "http://localhost/callback", false),
            (Public, "com.example.books:/callback", true),
            (Public, "javascript:alert(1)", false),
            (Public, "https://books.example/#callback", false),
            (Public, "https://somebody@books.example/", false),
            (Public, "https://:secret@books.example/", false),
            (Public, "https://books.example/a b", false),
            (Public, "callback", false),
        ] {
            assert_eq!(
                check_redirect_uri(kind, uri).is_ok(),
                allowed,
                "{kind:?} {uri}"
            );
        }
    }
}
