//! The preparation of an attempt: builds the authorization request, and listens for its response.

use std::sync::Arc;

use secrecy::SecretString;

use super::attempt::PendingAuthorization;
use super::loopback::LoopbackListener;
use super::{SignIn, SignInOptions};
use crate::environments::Environment;
use crate::provider::{AuthorizationSecrets, AuthorizeOptions, Provider, ProviderError};
use crate::views::{CallbackMethod, CommandError};

impl SignIn {
    /// Builds the authorization request.
    pub(super) async fn prepare(
        self: &Arc<Self>,
        id: u64,
        options: &SignInOptions,
    ) -> Result<PendingAuthorization, CommandError> {
        let environment = self.environments.get(&options.environment).await?;
        let provider = Arc::new(Provider::new(
            environment.clone(),
            Arc::clone(&self.clock),
            Arc::clone(&self.rng),
            self.session.network(),
        ));
        let failed = |error: ProviderError| self.command_error(&error, &environment);
        provider.discover().await.map_err(failed)?;

        let listener = if options.loopback || !self.host.scheme_registered() {
            Some(LoopbackListener::bind(environment.loopback_path()).await?)
        } else {
            None
        };
        let callback_method = if listener.is_some() {
            CallbackMethod::Loopback
        } else {
            CallbackMethod::DeepLink
        };
        let redirect_uri = listener
            .as_ref()
            .map_or_else(|| environment.deep_link(), LoopbackListener::redirect_uri);
        let secrets = AuthorizationSecrets::generate(&*self.rng);
        let login_hint = self.session.login_hint(environment.name()).await;
        let asks_nothing = options.silent && !options.confirmed;
        // After a restart there is none: then the user confirms the account, unless the request is pushed.
        let id_token_hint = asks_nothing
            .then(|| self.session.id_token(environment.name()))
            .flatten();
        let authorize_options = AuthorizeOptions {
            redirect_uri: &redirect_uri,
            language: options.language,
            id_token_hint,
            continues_session: self.session.is_continued_in(environment.name()),
            asks_for_password: self.session.asks_for_password(&environment).await,
            login_hint: login_hint.as_deref(),
        };
        let access_token = if asks_nothing {
            self.access_token(&environment).await
        } else {
            None
        };
        let pushed = match &access_token {
            Some(token) => {
                provider
                    .pushed_authorize_url(&secrets, &authorize_options, token)
                    .await
            }
            None => None,
        };
        let (address, asked_for_password) = match pushed {
            // It has prompt=none.
            Some(address) => (address, false),
            None => {
                let address = provider.authorize_url(&secrets, &authorize_options).await;
                let asked_for_password = authorize_options.has_login_prompt();
                (address.map_err(failed)?, asked_for_password)
            }
        };
        let requires_issuer = provider.requires_response_issuer().await.map_err(failed)?;
        Ok(PendingAuthorization {
            requires_issuer,
            environment,
            provider,
            secrets,
            redirect_uri,
            address,
            callback_method,
            asked_for_password,
            _loopback: listener.map(|listener| listener.serve(self.loopback_callback(id))),
            started: self.clock.monotonic(),
        })
    }

    /// The access token of the active session, if it is in this environment.
    async fn access_token(&self, environment: &Environment) -> Option<SecretString> {
        let active = self.session.active().ok()?;
        if active.environment() != environment {
            return None;
        }
        let lease = self.session.lease_access_token(&active, None).await;
        lease.ok().map(|lease| lease.token().clone())
    }
}
