//! Tenants: organizations that invoice.

use std::sync::Arc;

use invoice::{Country, Currency};
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{FieldViolation, OrganizationId};
use jiff::tz::TimeZone;
use url::Host;
use uuid::Uuid;

use super::{Administration, AdministrationError, RecordKind};
use invoicing_storage::applications::{Application, ClientSecret, GrantType, ScopeKind};
use invoicing_storage::audit;
use invoicing_storage::directory::{Organization, Tenant, TenantAddress};
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::provisioning::{Machine, Provisioning};
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::Subject;

/// The role of machine users: all operations on documents and none of administration.
const MACHINE_ROLE: &str = "accountant";
/// Maximum number of characters of a name, a part of an address or a tax number.
const MAX_TEXT_CHARACTERS: usize = 200;

/// A tenant to create.
#[derive(Debug, Clone, Default)]
pub struct NewTenant {
    /// A UUIDv7 chosen by the caller, so that a retry is detected; generated if empty.
    pub organization_id: String,
    /// The English name.
    pub name: String,
    /// The Arabic name; the English one if empty.
    pub name_ar: String,
    /// The primary domain.
    pub domain: String,
    /// The profile for invoicing.
    pub profile: Profile,
}

/// The profile of an organization for invoicing: the fields of invoicing.identity.v2.Profile.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields are those of Tenant")]
pub struct Profile {
    pub currency: String,
    pub country: String,
    pub time_zone: String,
    pub tax_id: String,
    pub building: String,
    pub street: String,
    pub district: String,
    pub city: String,
    pub postal_code: String,
}

/// A tenant and the credentials of its new machine user, which are returned once.
#[derive(Debug)]
pub struct ProvisionedTenant {
    /// The tenant.
    pub tenant: Tenant,
    /// The client id of the machine user's application.
    pub client_id: String,
    /// The client secret of the machine user's application.
    pub client_secret: Secret,
}

impl Administration {
    /// Creates an organization, its tenant and a machine user in one transaction.
    ///
    /// # Errors
    /// [`AdministrationError::Violations`] with all violations; [`AdministrationError::Exists`] for the id or the domain.
    pub async fn create_tenant(
        &self,
        new: NewTenant,
    ) -> Result<ProvisionedTenant, AdministrationError> {
        let violations = [new.violations(), new.profile.violations()].concat();
        if !violations.is_empty() {
            return Err(AdministrationError::Violations(violations));
        }
        let id = if new.organization_id.is_empty() {
            self.new_id()
        } else {
            new.organization_id
        };
        let name_ar = if new.name_ar.is_empty() {
            new.name.clone()
        } else {
            new.name_ar
        };
        let organization = Organization {
            id: id.into(),
            name: new.name,
            name_ar,
            domain: new.domain.to_lowercase(),
        };
        let tenant = new.profile.into_tenant(organization);
        let (machine, client_secret) = self.new_machine(&tenant.organization);
        let events = [
            self.event(audit::AuditEventKind::TenantCreated)
                .organization(&tenant.organization.id)
                .client(&machine.application.client_id)
                .detail("domain", &*tenant.organization.domain),
            self.machine_created_event(&machine),
        ];
        let outcome = self
            .store
            .create_tenant(&tenant, &machine, self.now(), &events)
            .await?;
        provisioning_result(outcome, tenant, machine, client_secret)
    }

    /// Completes the profile of a tenant, which is possible once, and creates a machine user for it.
    ///
    /// # Errors
    /// [`AdministrationError::Violations`] with all violations; [`AdministrationError::ProfileComplete`] if it was
    /// completed before.
    pub async fn complete_profile(
        &self,
        tenant: Tenant,
        profile: Profile,
    ) -> Result<ProvisionedTenant, AdministrationError> {
        let violations = profile.violations();
        if !violations.is_empty() {
            return Err(AdministrationError::Violations(violations));
        }
        let completed = Tenant {
            monthly_documents: tenant.monthly_documents,
            requests_per_minute: tenant.requests_per_minute,
            authority_endpoint: tenant.authority_endpoint,
            ..profile.into_tenant(tenant.organization)
        };
        let (machine, client_secret) = self.new_machine(&completed.organization);
        let events = [
            self.event(audit::AuditEventKind::ProfileCompleted)
                .organization(&completed.organization.id)
                .client(&machine.application.client_id),
            self.machine_created_event(&machine),
        ];
        let outcome = self
            .store
            .complete_profile(&completed, &machine, self.now(), &events)
            .await?;
        provisioning_result(outcome, completed, machine, client_secret)
    }

    fn machine_created_event(&self, machine: &Machine) -> audit::AuditEvent {
        self.event(audit::AuditEventKind::UserCreated)
            .subject(&machine.subject.id)
            .organization(&machine.subject.home_organization)
            .client(&machine.application.client_id)
            .detail("role", machine.role)
    }

    /// A new machine user of an organization, whose tokens include the project audience (contract, part 5).
    fn new_machine(&self, organization: &Organization) -> (Machine, Secret) {
        let (id, secret) = (self.new_id(), Secret::random(&*self.rng));
        let name = format!("{} (automation)", organization.name);
        let machine = Machine {
            subject: Subject {
                username: format!("machine-{id}"),
                id: id.clone().into(),
                name: name.clone(),
                email: None,
                email_verified: false,
                home_organization: organization.id.clone(),
                password_hash: None,
                must_change_password: false,
                epoch: 0,
            },
            role: MACHINE_ROLE,
            application: Application {
                client_id: self.new_id().into(),
                name,
                kind: ApplicationKind::Machine,
                secret: Some(ClientSecret::new(secret.hash())),
                subject: Some(id.into()),
                organization: Some(organization.id.clone()),
                grant_types: vec![GrantType::ClientCredentials],
                scopes: ScopeKind::USUAL.to_vec(),
                includes_audience: true,
                redirect_uris: Vec::new(),
                post_logout_uris: Vec::new(),
                id_token_algorithm: SigningAlgorithm::Rs256,
                revoke_family_on_reuse: false,
            },
        };
        (machine, secret)
    }

    /// An organization by id.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn organization(&self, id: &str) -> Result<Organization, AdministrationError> {
        self.store
            .organization(&id.into())
            .await?
            .ok_or_else(|| AdministrationError::NotFound {
                kind: RecordKind::Organization,
                name: id.to_owned(),
            })
    }

    /// All organizations, with the tenant record if there is one.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn tenants(
        &self,
    ) -> Result<Vec<(Organization, Option<Tenant>)>, AdministrationError> {
        let mut organizations = Vec::new();
        let basis = self.store.basis().await?;
        for organization in self.store.organizations().await? {
            let tenant = self.store.tenant(&organization.id, basis).await?;
            organizations.push((organization, tenant.map(Arc::unwrap_or_clone)));
        }
        Ok(organizations)
    }

    /// Makes a tenant the operator organization. Naming it again changes nothing.
    ///
    /// # Errors
    /// [`AdministrationError::Exists`] if the environment has another one; [`AdministrationError::NotFound`] if it is no tenant.
    pub async fn name_operator(&self, organization: &str) -> Result<Tenant, AdministrationError> {
        let organization = &OrganizationId::new(organization);
        let basis = self.store.basis().await?;
        let Some(tenant) = self.store.tenant(organization, basis).await? else {
            return Err(AdministrationError::NotFound {
                kind: RecordKind::Tenant,
                name: organization.to_string(),
            });
        };
        let event = self
            .event(audit::AuditEventKind::OperatorNamed)
            .organization(organization);
        let operator = self.store.name_operator(organization, &event).await?;
        if operator != *organization {
            return Err(AdministrationError::Exists {
                kind: RecordKind::Operator,
                name: operator.into_string(),
            });
        }
        Ok(Arc::unwrap_or_clone(tenant))
    }

    /// Sets the limits of a tenant: documents per month and requests per minute; `None` for the default of the service.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn set_limits(
        &self,
        organization: &str,
        monthly_documents: Option<i64>,
        requests_per_minute: Option<i64>,
    ) -> Result<Tenant, AdministrationError> {
        let organization = &OrganizationId::new(organization);
        let format_limit =
            |limit: Option<i64>| limit.map_or_else(|| "none".to_owned(), |n| n.to_string());
        let event = self
            .event(audit::AuditEventKind::TenantChanged)
            .organization(organization)
            .detail("monthly_documents", format_limit(monthly_documents))
            .detail("requests_per_minute", format_limit(requests_per_minute));
        let not_found = || AdministrationError::NotFound {
            kind: RecordKind::Tenant,
            name: organization.to_string(),
        };
        if !self
            .store
            .set_limits(organization, monthly_documents, requests_per_minute, &event)
            .await?
        {
            return Err(not_found());
        }
        let basis = self.store.basis().await?;
        let tenant = self.store.tenant(organization, basis).await?;
        tenant.map(Arc::unwrap_or_clone).ok_or_else(not_found)
    }
}

fn provisioning_result(
    outcome: Provisioning,
    tenant: Tenant,
    machine: Machine,
    client_secret: Secret,
) -> Result<ProvisionedTenant, AdministrationError> {
    match outcome {
        Provisioning::Done => Ok(ProvisionedTenant {
            tenant,
            client_id: machine.application.client_id.into_string(),
            client_secret,
        }),
        Provisioning::OrganizationTaken => Err(AdministrationError::Exists {
            kind: RecordKind::Tenant,
            name: tenant.organization.id.into_string(),
        }),
        Provisioning::DomainTaken => Err(AdministrationError::Exists {
            kind: RecordKind::Domain,
            name: tenant.organization.domain,
        }),
        Provisioning::Complete => Err(AdministrationError::ProfileComplete),
    }
}

impl NewTenant {
    fn violations(&self) -> Vec<FieldViolation> {
        let mut violations = Vec::new();
        let id = &self.organization_id;
        if !id.is_empty() && !Uuid::try_parse(id).is_ok_and(|id| id.get_version_num() == 7) {
            violations.push(FieldViolation::new("organizationId", "must be a UUIDv7"));
        }
        check_text(&mut violations, "name", &self.name, true);
        check_text(&mut violations, "nameAr", &self.name_ar, false);
        let host = Host::parse(&self.domain);
        if self.domain.len() > 253
            || !matches!(host, Ok(Host::Domain(_)))
            || !self.domain.contains('.')
        {
            violations.push(FieldViolation::new(
                "domain",
                "must be a domain name, as in alkhair.example",
            ));
        }
        violations
    }
}

impl Profile {
    fn violations(&self) -> Vec<FieldViolation> {
        let mut violations = Vec::new();
        let mut require = |is_valid: bool, field: &str, description: &str| {
            if !is_valid {
                violations.push(FieldViolation::new(field, description));
            }
        };
        require(
            Currency::parse(&self.currency).is_some(),
            "profile.currency",
            "must be a currency of ISO 4217",
        );
        require(
            Country::parse(&self.country).is_some(),
            "profile.country",
            "must be a country of ISO 3166-1, two letters",
        );
        require(
            TimeZone::get(&self.time_zone).is_ok(),
            "profile.timeZone",
            "must be an IANA time zone, as in Asia/Riyadh",
        );
        for (field, value, required) in [
            ("profile.taxId", &self.tax_id, true),
            ("profile.address.building", &self.building, false),
            ("profile.address.street", &self.street, true),
            ("profile.address.district", &self.district, false),
            ("profile.address.city", &self.city, true),
            ("profile.address.postalCode", &self.postal_code, false),
        ] {
            check_text(&mut violations, field, value, required);
        }
        violations
    }

    /// The tenant record, without limits and without a tax authority.
    fn into_tenant(self, organization: Organization) -> Tenant {
        Tenant {
            organization,
            currency: self.currency,
            country: self.country,
            time_zone: self.time_zone,
            tax_id: self.tax_id,
            address: TenantAddress {
                building: self.building,
                street: self.street,
                district: self.district,
                city: self.city,
                postal_code: self.postal_code,
            },
            monthly_documents: None,
            requests_per_minute: None,
            authority_endpoint: None,
        }
    }
}

fn check_text(violations: &mut Vec<FieldViolation>, field: &str, value: &str, required: bool) {
    let is_valid =
        value.chars().count() <= MAX_TEXT_CHARACTERS && !value.chars().any(char::is_control);
    if !is_valid {
        violations.push(FieldViolation::new(
            field,
            format!("must have at most {MAX_TEXT_CHARACTERS} characters on one line"),
        ));
    } else if required && value.trim().is_empty() {
        violations.push(FieldViolation::new(field, "must be given"));
    }
}
