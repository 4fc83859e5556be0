//! The token requests that are killed, and what has to hold after the restart.

use super::{TokenFlow, owned_form, refresh_form};
use crate::fixtures::user_agent::{AuthorizationRequest, Callback, UserAgent};
use crate::fixtures::{NOURA, Response, Service, ServiceClient};
use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;

pub(super) struct RefreshFlow;

impl TokenFlow for RefreshFlow {
    type Prepared = Response;
    const TABLES_OF_SQLITE: &'static [&'static str] =
        &["refresh_tokens", "access_tokens", "audit_events"];
    const TABLES_OF_POSTGRES: &'static [&'static str] = Self::TABLES_OF_SQLITE;

    async fn prepare(service: &ServiceClient) -> Response {
        service.sign_in(NOURA).await
    }

    fn form(service: &ServiceClient, tokens: &Response) -> Vec<(String, String)> {
        refresh_form(service, tokens.text("refresh_token"))
    }

    async fn verify(service: &Service, tokens: Response, committed: bool, killed_at: &str) {
        let before = service.userinfo(tokens.text("access_token")).await;
        assert_eq!(
            before.status,
            StatusCode::OK,
            "{killed_at}: the token issued before works"
        );
        let second = service.refresh(tokens.text("refresh_token")).await;
        if committed {
            // The client never got the successor. A used token is invalid_grant (contract, part 3), so the user has to sign
            // in again; tokens issued before stay valid.
            second.is_oauth_error(400, "invalid_grant");
            let before = service.userinfo(tokens.text("access_token")).await;
            assert_eq!(
                before.status,
                StatusCode::OK,
                "{killed_at}: nothing revoked"
            );
            return;
        }
        assert_eq!(
            second.status,
            StatusCode::OK,
            "{killed_at}: the old token works: {}",
            second.body
        );
        let next = service.refresh(second.text("refresh_token")).await;
        assert_eq!(
            next.status,
            StatusCode::OK,
            "{killed_at}: the successor works"
        );
    }
}

pub(super) struct CodeExchangeFlow;

impl TokenFlow for CodeExchangeFlow {
    type Prepared = (UserAgent, AuthorizationRequest, Callback);
    const TABLES_OF_SQLITE: &'static [&'static str] = &[
        "authorization_codes",
        "access_tokens",
        "refresh_tokens",
        "audit_events",
    ];
    const TABLES_OF_POSTGRES: &'static [&'static str] = &[
        "families",
        "access_tokens",
        "refresh_tokens",
        "audit_events",
    ];

    async fn prepare(service: &ServiceClient) -> Self::Prepared {
        let authorization = AuthorizationRequest::new(service, &service.desktop_scope());
        let mut browser = UserAgent::new(service);
        let callback = browser.sign_in(service, &authorization, NOURA).await;
        (browser, authorization, callback)
    }

    fn form(
        _: &ServiceClient,
        (_, authorization, callback): &Self::Prepared,
    ) -> Vec<(String, String)> {
        owned_form(&[
            ("grant_type", "authorization_code"),
            ("client_id", &authorization.client_id),
            ("code", callback.get("code")),
            ("redirect_uri", &authorization.redirect_uri),
            ("code_verifier", &authorization.verifier),
        ])
    }

    async fn verify(service: &Service, prepared: Self::Prepared, committed: bool, killed_at: &str) {
        let (browser, authorization, callback) = prepared;
        let redeemed = service.redeem(&authorization, &callback).await;
        if committed {
            redeemed.is_oauth_error(400, "invalid_grant");
        } else {
            assert_eq!(
                redeemed.status,
                StatusCode::OK,
                "{killed_at}: the code works: {}",
                redeemed.body
            );
        }
        // The session was acknowledged before: the next code is issued without a page.
        let silent = AuthorizationRequest::confidential(service, "openid").with("prompt", "none");
        let callback = Callback::from_redirect(&browser.at(service).get(&silent.path()).await);
        assert_eq!(callback.error(), None, "{killed_at}: the session is active");
        let next = service.redeem(&silent, &callback).await;
        assert_eq!(next.status, StatusCode::OK, "{killed_at}: {}", next.body);
    }
}

pub(super) struct ClientCredentialsFlow;

impl TokenFlow for ClientCredentialsFlow {
    type Prepared = String;
    const TABLES_OF_SQLITE: &'static [&'static str] = &["access_tokens", "audit_events"];
    const TABLES_OF_POSTGRES: &'static [&'static str] = Self::TABLES_OF_SQLITE;

    async fn prepare(service: &ServiceClient) -> String {
        service.machine_token("").await
    }

    fn form(service: &ServiceClient, _: &String) -> Vec<(String, String)> {
        let machine = service.application(ApplicationKind::Machine);
        owned_form(&[
            ("grant_type", "client_credentials"),
            ("client_id", &machine.client_id),
            (
                "client_secret",
                machine
                    .client_secret
                    .as_deref()
                    .expect("a machine has a secret"),
            ),
        ])
    }

    async fn verify(service: &Service, before: String, _: bool, killed_at: &str) {
        for token in [before, service.machine_token("").await] {
            assert_eq!(
                service.userinfo(&token).await.status,
                StatusCode::OK,
                "{killed_at}: acknowledged tokens work"
            );
        }
    }
}
