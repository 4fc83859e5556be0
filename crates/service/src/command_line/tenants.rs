//! `admin tenants …`

use std::sync::Arc;

use clap::Subcommand;
use invoicing_identity::administration::{Administration, NewOrganization, TenantFields};
use invoicing_storage::directory::{Organization, Tenant};
use invoicing_storage::plans::Limits;
use invoicing_storage::tenants::{OrganizationQuery, OrganizationState};
use serde::Serialize;

use super::CommandResult;
use super::output::Output;
use super::tenant_arguments::{Create, Update};

/// Organizations of a page that is read.
const PAGE: u32 = 500;

#[derive(Subcommand)]
pub(crate) enum Tenants {
    /// Show organizations
    List {
        /// Text in the id, a name or the tax number
        #[arg(long, default_value = "")]
        text: String,
        /// A domain
        #[arg(long)]
        domain: Option<String>,
    },
    /// Show an organization
    Show {
        /// Id of the organization
        organization: String,
    },
    /// Change what new invoices say about the seller; what is left out stays
    Update(Box<Update>),
    /// Disable a tenant: from the next request on it cannot be reached
    Disable {
        /// Id of the organization
        organization: String,
    },
    /// Enable a disabled tenant
    Enable {
        /// Id of the organization
        organization: String,
    },
    /// Make an organization that is no tenant
    CreateOrganization {
        /// A UUIDv7, so that a repeated attempt is recognised; made if left out
        #[arg(long, value_name = "UUID", default_value = "")]
        id: String,
        /// Name in English
        #[arg(long)]
        name: String,
        /// Name in Arabic; the English one if left out
        #[arg(long, default_value = "")]
        name_ar: String,
        /// Primary domain, of no other organization
        #[arg(long)]
        domain: String,
    },
    /// Make an organization a tenant; its administrator completes the profile
    CreateTenant {
        /// Id of the organization
        organization: String,
    },
    /// Make an organization, its tenant and a machine user, whose credentials are printed once
    Create(Box<Create>),
    /// Make a tenant the operator's, whose operators may create tenants; an environment has one, for good
    Operator {
        /// Id of the organization
        organization: String,
    },
    /// Set limits of a tenant's own, which replace those of its plan; what is left out is as the plan says
    Limits {
        /// Id of the organization
        organization: String,
        /// Documents it may create in a month
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
        monthly_documents: Option<i64>,
        /// Requests it may send in a minute
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
        requests_per_minute: Option<i64>,
        /// People with a role in it, or at home in it
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
        users: Option<i64>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    id: String,
    name: String,
    name_ar: String,
    domain: String,
    /// Whether it is a tenant, and can be reached.
    state: &'static str,
    /// Whether it is the operator organization.
    operator: bool,
    currency: Option<String>,
    country: Option<String>,
    tax_id: Option<String>,
    /// The limits that hold: of its own, else of its plan.
    monthly_documents: Option<i64>,
    requests_per_minute: Option<i64>,
    user_limit: Option<i64>,
    /// The id of its plan.
    plan: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
}

impl Tenants {
    pub(super) async fn run(self, administration: &Administration) -> CommandResult {
        match self {
            Self::List { text, domain } => {
                let operator = administration.store.operator().await?;
                let mut query = OrganizationQuery {
                    text,
                    domain: domain.map(|domain| domain.to_lowercase()),
                    size: PAGE,
                    ..OrganizationQuery::default()
                };
                let mut views = Vec::new();
                loop {
                    let page = administration.organizations(&query).await?;
                    query.after = page.last().map(|(organization, _)| organization.id.clone());
                    views.extend(page.into_iter().map(|(organization, tenant)| View {
                        operator: operator.as_ref() == Some(&organization.id),
                        ..view(organization, tenant)
                    }));
                    if query.after.is_none() {
                        break;
                    }
                }
                let columns = [
                    "id",
                    "name",
                    "domain",
                    "state",
                    "operator",
                    "currency",
                    "country",
                    "plan",
                    "monthlyDocuments",
                    "requestsPerMinute",
                    "userLimit",
                ];
                Ok(Output::list(&views, &columns))
            }
            Self::Show { organization } => {
                let organization = administration.organization(&organization).await?;
                let basis = administration.store.basis().await?;
                let tenant = administration.store.tenant(&organization.id, basis).await?;
                let operator = administration.store.operator().await?;
                Ok(Output::one(&View {
                    operator: operator.as_ref() == Some(&organization.id),
                    ..view(organization, tenant.map(Arc::unwrap_or_clone))
                }))
            }
            Self::Update(update) => {
                let id = update.organization.clone();
                let tenant = administration.tenant(&id).await?;
                let mut fields = TenantFields::of(&tenant);
                update.apply(&mut fields);
                let stamp = tenant.concurrency_stamp;
                let tenant = administration
                    .update_tenant(&id, fields, &stamp, false)
                    .await?;
                one(administration, tenant).await
            }
            Self::Disable { organization } => {
                let tenant = administration.disable_tenant(&organization).await?;
                one(administration, tenant).await
            }
            Self::Enable { organization } => {
                let tenant = administration.enable_tenant(&organization).await?;
                one(administration, tenant).await
            }
            Self::CreateOrganization {
                id,
                name,
                name_ar,
                domain,
            } => {
                let new = NewOrganization {
                    id,
                    name,
                    name_ar,
                    domain,
                };
                let organization = administration.create_organization(new, false).await?;
                Ok(Output::one(&view(organization, None)))
            }
            Self::CreateTenant { organization } => {
                let tenant = administration.make_tenant(&organization, false).await?;
                one(administration, tenant).await
            }
            Self::Create(create) => {
                let made = administration.create_tenant((*create).into()).await?;
                let mut view = view(made.tenant.organization.clone(), Some(made.tenant));
                view.client_id = Some(made.client_id);
                view.client_secret = Some(made.client_secret.expose().to_owned());
                Ok(Output::one(&view))
            }
            Self::Operator { organization } => {
                let tenant = administration.name_operator(&organization).await?;
                Ok(Output::one(&View {
                    operator: true,
                    ..view(tenant.organization.clone(), Some(tenant))
                }))
            }
            Self::Limits {
                organization,
                monthly_documents,
                requests_per_minute,
                users,
            } => {
                let limits = Limits {
                    monthly_documents,
                    requests_per_minute,
                    users,
                };
                let tenant = administration.set_limits(&organization, &limits).await?;
                one(administration, tenant).await
            }
        }
    }
}

async fn one(administration: &Administration, tenant: Tenant) -> CommandResult {
    let operator = administration.store.operator().await?;
    Ok(Output::one(&View {
        operator: operator.as_ref() == Some(&tenant.organization.id),
        ..view(tenant.organization.clone(), Some(tenant))
    }))
}

fn view(organization: Organization, tenant: Option<Tenant>) -> View {
    let Organization {
        id,
        name,
        name_ar,
        domain,
    } = organization;
    let limits = tenant.as_ref().map(Tenant::limits).unwrap_or_default();
    View {
        id: id.into_string(),
        name,
        name_ar,
        domain,
        state: OrganizationState::of(tenant.as_ref()).name(),
        operator: false,
        currency: tenant.as_ref().map(|tenant| tenant.currency.clone()),
        country: tenant.as_ref().map(|tenant| tenant.country.clone()),
        tax_id: tenant.as_ref().map(|tenant| tenant.tax_id.clone()),
        monthly_documents: limits.monthly_documents,
        requests_per_minute: limits.requests_per_minute,
        user_limit: limits.users,
        plan: tenant.and_then(|tenant| Some(tenant.plan?.id.into_string())),
        client_id: None,
        client_secret: None,
    }
}
