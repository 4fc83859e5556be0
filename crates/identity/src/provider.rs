//! The state that all endpoints of the OpenID Provider share.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use invoicing_contract::{AudienceId, EnvironmentKind, Names, SubjectId, Timestamp};
use invoicing_storage::access::Authorizer;
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::kept_secrets::{EncryptionAtRest, SecretSetting};
use invoicing_storage::secret::Secret;
use invoicing_storage::tokens::Bearer;
use invoicing_storage::{Clock, Rng, StorageError, Store};
use ipnet::IpNet;
use tokio_util::sync::CancellationToken;

use crate::bearer::{BearerResolver, PresentedToken};
use crate::csrf_tokens::CsrfTokens;
use crate::error::ProviderError;
use crate::i18n::Translations;
use crate::keys::{KeyStorage, SigningKeys};
use crate::limits::{AttemptKeys, RequestLimitSettings, RequestLimits};
use crate::machine_authorizations::MachineAuthorizationCache;
use crate::oauth::OAuthError;
use crate::password::{KnownDevices, PasswordThrottle};
use crate::password_hashing::PasswordHasher;

/// How often the stored signing keys are compared with those in memory. A new key is published long before it signs, so a
/// delay of seconds has no effect on verification (decision 0107).
const KEY_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The dependencies and configuration of a [`Provider`].
pub struct ProviderDependencies {
    /// The issuer URL, without a trailing slash.
    pub issuer: String,
    /// The kind of this environment.
    pub kind: EnvironmentKind,
    /// The project-audience id of this environment.
    pub audience_id: AudienceId,
    /// Networks of trusted proxies, whose forwarded client address is used.
    pub proxies: Vec<IpNet>,
    /// Limits of requests per address and per application.
    pub request_limits: RequestLimitSettings,
    /// Names of claims and scopes.
    pub names: Names,
    /// The storage of all records.
    pub store: Arc<dyn Store>,
    /// How its own secrets are stored.
    pub encryption: EncryptionAtRest,
    /// Decides who may impersonate.
    pub authorizer: Arc<dyn Authorizer>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// The random source of ids and secrets.
    pub rng: Arc<dyn Rng>,
}

/// The state that all endpoints share.
pub struct Provider {
    pub(crate) issuer: String,
    pub(crate) kind: EnvironmentKind,
    audience_id: AudienceId,
    pub(crate) proxies: Vec<IpNet>,
    pub(crate) names: Names,
    pub(crate) store: Arc<dyn Store>,
    encryption: EncryptionAtRest,
    authorizer: Arc<dyn Authorizer>,
    clock: Arc<dyn Clock>,
    pub(crate) rng: Arc<dyn Rng>,
    keys: RwLock<Arc<SigningKeys>>,
    pub(crate) request_limits: RequestLimits,
    pub(crate) attempt_keys: AttemptKeys,
    pub(crate) password_hasher: PasswordHasher,
    pub(crate) password_throttle: PasswordThrottle,
    pub(crate) known_devices: KnownDevices,
    pub(crate) csrf_tokens: CsrfTokens,
    pub(crate) translations: Translations,
    pub(crate) machine_authorizations: MachineAuthorizationCache,
}

impl Provider {
    /// Loads the signing keys and the keys of CSRF tokens and device cookies from storage; creates them on the first start.
    ///
    /// # Errors
    /// See [`ProviderError`].
    pub async fn load(dependencies: ProviderDependencies) -> Result<Arc<Self>, ProviderError> {
        let ProviderDependencies {
            issuer,
            kind,
            audience_id,
            proxies,
            request_limits,
            names,
            store,
            encryption,
            authorizer,
            clock,
            rng,
        } = dependencies;
        let storage = KeyStorage {
            store: &*store,
            encryption: &encryption,
            rng: &*rng,
        };
        // First, since it writes nothing if the encryption keys are not those of the database.
        let keys = SigningKeys::load(storage, clock.timestamp()).await?;
        let secret = async |setting| {
            let new = Secret::random(&*rng);
            encryption
                .setting_or(&*store, &*rng, setting, new.expose())
                .await
        };
        let csrf_key = secret(SecretSetting::CsrfKey).await?;
        let device_key = secret(SecretSetting::DeviceKey).await?;
        let attempt_keys = AttemptKeys::new(&device_key);
        Ok(Arc::new(Self {
            issuer,
            kind,
            audience_id,
            proxies,
            names,
            store,
            encryption,
            keys: RwLock::new(Arc::new(keys)),
            request_limits: RequestLimits::new(request_limits),
            password_hasher: PasswordHasher::new(&*rng),
            password_throttle: PasswordThrottle::new(attempt_keys.clone()),
            attempt_keys,
            known_devices: KnownDevices::new(&device_key),
            csrf_tokens: CsrfTokens::new(&csrf_key),
            translations: Translations::load(),
            machine_authorizations: MachineAuthorizationCache::new(),
            authorizer,
            clock,
            rng,
        }))
    }

    /// Reloads the signing keys when another process has rotated them, until `stop` is cancelled.
    pub async fn watch_keys(self: Arc<Self>, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(KEY_POLL_INTERVAL) => {}
            }
            match self
                .keys()
                .reload_if_changed(self.key_storage(), self.now())
                .await
            {
                Ok(None) => {}
                Ok(Some(reloaded)) => {
                    tracing::info!("the signing keys were rotated");
                    *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(reloaded);
                }
                Err(error) => {
                    tracing::warn!(%error, "the signing keys could not be read; those known stay in use");
                }
            }
        }
    }

    /// The record of a valid access token or personal access token, and its subject.
    pub(crate) async fn resolve_bearer(&self, token: &str) -> Result<Option<Bearer>, StorageError> {
        let resolver = BearerResolver {
            store: &*self.store,
            authorizer: &*self.authorizer,
            kind: self.kind,
            audience_id: &self.audience_id,
            names: &self.names,
        };
        let presented = PresentedToken::of(token);
        resolver.resolve(&presented, self.now()).await
    }

    /// An event about a subject, in the audit of its home organization.
    pub(crate) async fn event_about(
        &self,
        kind: AuditEventKind,
        subject: &SubjectId,
    ) -> Result<AuditEvent, StorageError> {
        let event = AuditEvent::new(self.now(), kind).subject(subject);
        let account = self.store.account(subject.as_str()).await?;
        // By its id, and not by a username that is the same.
        Ok(match account.filter(|found| found.subject.id == *subject) {
            Some(account) => event.organization(&account.subject.home_organization),
            None => event,
        })
    }

    fn key_storage(&self) -> KeyStorage<'_> {
        KeyStorage {
            store: &*self.store,
            encryption: &self.encryption,
            rng: &*self.rng,
        }
    }

    /// The signing keys in memory.
    pub(crate) fn keys(&self) -> Arc<SigningKeys> {
        // The lock only guards an assignment of the Arc, so a poisoned lock still holds a valid value.
        self.keys
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.timestamp()
    }

    /// Monotonic time, for limits and delays (decision 0088).
    pub(crate) fn monotonic(&self) -> Duration {
        self.clock.monotonic()
    }

    /// Counts a request of `address` that was refused with `error`. Returns `error`, or 429 if the limit is reached.
    pub(crate) fn count_failure(&self, address: IpAddr, error: OAuthError) -> OAuthError {
        match self.request_limits.admit_failure(address, self.monotonic()) {
            Ok(()) => error,
            Err(exceeded) => exceeded.into(),
        }
    }

    /// The project-audience id of this environment.
    pub(crate) fn audience_id(&self) -> &str {
        self.audience_id.as_str()
    }

    /// Whether clients reach the issuer over HTTPS.
    pub(crate) fn uses_https(&self) -> bool {
        self.issuer.starts_with("https:")
    }
}
