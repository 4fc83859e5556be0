//! Makes the identity provider and the gateway of a configuration and a store.

use std::sync::Arc;

use invoicing_contract::AudienceId;
use invoicing_gateway::clearance::{AddressPolicy, ClearanceWorker};
use invoicing_gateway::{
    GatewayDependencies, HealthWatch, HostedServices, RuleAuthorizer, router as gateway_router,
};
use invoicing_http::{PageTokens, Readiness};
use invoicing_identity::administration::{
    AdministrationDependencies, DomainsRpc, IdentityRpc, TenantsRpc,
};
use invoicing_identity::{Provider, ProviderDependencies, StoreAccess};
use invoicing_storage::access::Authorizer;
use invoicing_storage::kept_secrets::EncryptionAtRest;
use invoicing_storage::{Clock, Rng, Store};

use crate::config::Config;
use crate::domain_verifier::HttpsDomainVerifier;
use crate::identity_services::identity_services;
use crate::start_error::StartError;

/// What identity provider and gateway are made of.
pub(crate) struct Composition<'a> {
    config: &'a Config,
    audience_id: AudienceId,
    store: Arc<dyn Store>,
    authorizer: Arc<dyn Authorizer>,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    encryption: EncryptionAtRest,
}

/// The identity provider, and its services for the gateway to host.
pub(crate) struct ComposedIdentity {
    pub(crate) provider: Arc<Provider>,
    pub(crate) services: HostedServices,
    pub(crate) page_tokens: PageTokens,
}

/// The gateway, and its background tasks.
pub(crate) struct ComposedGateway {
    pub(crate) router: axum::Router,
    pub(crate) health_watch: HealthWatch,
    pub(crate) clearance_worker: ClearanceWorker,
}

impl<'a> Composition<'a> {
    /// Loads the authorization rules of the store.
    ///
    /// # Errors
    /// When storage fails, or a published rule or the file of encryption keys cannot be read.
    pub(crate) async fn load(
        config: &'a Config,
        audience_id: AudienceId,
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
    ) -> Result<Self, StartError> {
        let encryption = config.encryption(&*rng)?;
        let authorizer = Arc::new(RuleAuthorizer::load(store.clone()).await?);
        Ok(Self {
            config,
            audience_id,
            store,
            authorizer,
            clock,
            rng,
            encryption,
        })
    }

    /// Warns of secrets that are stored in clear beside encryption keys of the operator (decision 0160).
    ///
    /// # Errors
    /// When storage fails, or a secret cannot be read.
    pub(crate) async fn warn_of_secrets_in_clear(&self) -> Result<(), StartError> {
        let secrets = self.encryption.secrets_in_clear(&*self.store).await?;
        if !secrets.is_empty() {
            let secrets: Vec<_> = secrets.iter().map(ToString::to_string).collect();
            tracing::warn!(
                "stored in clear: {}. Run keys rotate-encryption to encrypt them",
                secrets.join(", ")
            );
        }
        Ok(())
    }

    /// Makes the identity provider at the public address `issuer`.
    ///
    /// # Errors
    /// When storage fails, or a key cannot be used.
    pub(crate) async fn compose_identity(
        &self,
        issuer: String,
    ) -> Result<ComposedIdentity, StartError> {
        let config = self.config;
        let provider = Provider::load(ProviderDependencies {
            issuer,
            kind: config.kind,
            audience_id: self.audience_id.clone(),
            proxies: config.proxies.clone(),
            request_limits: config.request_limits,
            names: config.names.clone(),
            store: self.store.clone(),
            encryption: self.encryption.clone(),
            authorizer: self.authorizer.clone(),
            clock: self.clock.clone(),
            rng: self.rng.clone(),
        })
        .await?;
        let page_tokens = PageTokens::open(&*self.store, &self.encryption, &*self.rng).await?;
        let dependencies = AdministrationDependencies {
            store: self.store.clone(),
            kind: config.kind,
            clock: self.clock.clone(),
            rng: self.rng.clone(),
            page_tokens: page_tokens.clone(),
        };
        let tenants = TenantsRpc {
            dependencies: dependencies.clone(),
        };
        let domains = DomainsRpc {
            dependencies: dependencies.clone(),
            verifier: match &config.domain_verifier {
                Some(verifier) => verifier.clone(),
                None => Arc::new(HttpsDomainVerifier::default()),
            },
        };
        let identity = IdentityRpc {
            provider: provider.clone(),
            authorizer: self.authorizer.clone(),
            dependencies,
        };
        Ok(ComposedIdentity {
            provider,
            page_tokens,
            services: identity_services(identity, tenants, domains),
        })
    }

    /// Makes the gateway, which hosts `services`.
    ///
    /// # Errors
    /// When storage fails, or an operation has no handler.
    pub(crate) async fn compose_gateway(
        &self,
        services: HostedServices,
        page_tokens: PageTokens,
        readiness: Arc<Readiness>,
    ) -> Result<ComposedGateway, StartError> {
        let config = self.config;
        let access = Arc::new(StoreAccess::new(
            self.store.clone(),
            self.authorizer.clone(),
            self.clock.clone(),
            config.names.clone(),
            config.kind,
            self.audience_id.clone(),
            config.request_limits,
        ));
        let (router, health_watch, clearance_worker) = gateway_router(GatewayDependencies {
            services,
            authorizer: self.authorizer.clone(),
            audience_id: self.audience_id.clone(),
            tokens: access.clone(),
            tenants: access,
            store: self.store.clone(),
            readiness,
            clock: self.clock.clone(),
            rng: self.rng.clone(),
            names: config.names.clone(),
            rate_limit: config.rate_limit,
            proxies: config.proxies.clone(),
            cors_origins: config.cors_origins.clone(),
            authority_addresses: AddressPolicy::new(config.authority_networks()),
            authority_timeout: config.authority_timeout,
            encryption_keys: self.encryption.keys().cloned(),
            page_tokens,
        })
        .await?;
        Ok(ComposedGateway {
            router,
            health_watch,
            clearance_worker,
        })
    }
}
