//! Tests of environment configurations.

use invoicing_contract::ClientId;

use super::*;
use crate::views::{EnvironmentField, EnvironmentKind, EnvironmentProblem, InvalidFieldReason};

fn config() -> EnvironmentConfig {
    EnvironmentConfig {
        name: "production".to_owned(),
        kind: EnvironmentKind::Production,
        auth_url: "https://id.example.com".to_owned(),
        base_url: "https://api.example.com/".to_owned(),
        project_audience_id: "2930".to_owned(),
        client_id: "desk".into(),
        namespace: "idp".to_owned(),
        proxy: String::new(),
        ca_file: String::new(),
    }
}

#[test]
fn environment_reads_back_from_json() {
    let environment = Environment::new(config()).expect("a valid configuration");
    let json = serde_json::to_string(&environment).expect("it serializes");
    assert_eq!(
        serde_json::from_str::<Environment>(&json).expect("it reads back"),
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
fn environment_is_in_clear_without_any_certificate_only() {
    let local = |auth_url: &str, base_url: &str, proxy: &str| {
        Environment::new(EnvironmentConfig {
            auth_url: auth_url.to_owned(),
            base_url: base_url.to_owned(),
            proxy: proxy.to_owned(),
            ..config()
        })
        .expect("a valid configuration")
        .is_in_clear()
    };
    let (clear, encrypted) = ("http://127.0.0.1:5", "https://127.0.0.1:6");
    assert!(local(clear, clear, ""));
    assert!(!local(clear, encrypted, ""));
    assert!(!local(encrypted, clear, ""));
    assert!(!local(clear, clear, "https://proxy.example.com:3128"));
}

#[test]
fn plain_http_to_another_computer_is_refused() {
    let with = |auth_url: &str| {
        Environment::new(EnvironmentConfig {
            auth_url: auth_url.to_owned(),
            ..config()
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
            refused(EnvironmentField::AuthUrl, InvalidFieldReason::NotHttps),
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
            refused(EnvironmentField::AuthUrl, InvalidFieldReason::NotAnAddress),
            "{wrong}"
        );
    }
}

#[test]
fn name_or_id_with_reserved_characters_is_refused() {
    for name in ["A", "a/b", "a b", "ä"] {
        assert_eq!(
            Environment::new(EnvironmentConfig {
                name: name.to_owned(),
                ..config()
            }),
            refused(EnvironmentField::Name, InvalidFieldReason::Characters),
            "{name}"
        );
    }
    for id in ["1 2", "1:aud openid", "é"] {
        let made = Environment::new(EnvironmentConfig {
            project_audience_id: id.to_owned(),
            ..config()
        });
        assert_eq!(
            made,
            refused(
                EnvironmentField::ProjectAudienceId,
                InvalidFieldReason::Characters
            ),
            "{id}"
        );
    }
}

#[test]
fn every_missing_field_is_reported() {
    let empty = EnvironmentConfig {
        name: String::new(),
        kind: EnvironmentKind::Staging,
        auth_url: String::new(),
        base_url: String::new(),
        project_audience_id: String::new(),
        client_id: ClientId::default(),
        namespace: String::new(),
        proxy: String::new(),
        ca_file: String::new(),
    };
    let Err(EnvironmentError::InvalidFields { problems }) = Environment::new(empty) else {
        panic!("an empty configuration is accepted")
    };
    assert_eq!(problems.len(), 6);
    assert!(
        problems
            .iter()
            .all(|problem| problem.reason == InvalidFieldReason::Empty)
    );
}

fn refused(
    field: EnvironmentField,
    reason: InvalidFieldReason,
) -> Result<Environment, EnvironmentError> {
    Err(EnvironmentError::InvalidFields {
        problems: vec![EnvironmentProblem {
            field,
            reason,
            earlier: None,
        }],
    })
}
