//! `admin tenants …`

use clap::Subcommand;
use invoicing_identity::administration::{Administration, NewTenant, Profile};
use invoicing_storage::directory::{Organization, Tenant};
use serde::Serialize;

use super::CommandResult;
use super::output::Output;

#[derive(Subcommand)]
pub(crate) enum Tenants {
    /// Show all organizations
    List,
    /// Make an organization, its tenant and a machine user, whose credentials are printed once
    Create(Box<Create>),
    /// Make a tenant the operator's, whose operators may create tenants; an environment has one, for good
    Operator {
        /// Id of the organization
        organization: String,
    },
    /// Set how much a tenant may do; what is left out gets the service's default
    Limits {
        /// Id of the organization
        organization: String,
        /// Documents it may create in a month
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
        monthly_documents: Option<i64>,
        /// Requests it may send in a minute
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
        requests_per_minute: Option<i64>,
    },
}

#[derive(clap::Args)]
pub(crate) struct Create {
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
    /// ISO 4217, of its accounts
    #[arg(long)]
    currency: String,
    /// ISO 3166-1 alpha-2
    #[arg(long)]
    country: String,
    /// IANA name, as Asia/Riyadh
    #[arg(long)]
    time_zone: String,
    /// Its VAT number
    #[arg(long)]
    tax_id: String,
    /// Of its address
    #[arg(long, default_value = "")]
    building: String,
    /// Of its address
    #[arg(long)]
    street: String,
    /// Of its address
    #[arg(long, default_value = "")]
    district: String,
    /// Of its address
    #[arg(long)]
    city: String,
    /// Of its address
    #[arg(long, default_value = "")]
    postal_code: String,
}

impl From<Create> for NewTenant {
    fn from(create: Create) -> Self {
        Self {
            organization_id: create.id,
            name: create.name,
            name_ar: create.name_ar,
            domain: create.domain,
            profile: Profile {
                currency: create.currency,
                country: create.country,
                time_zone: create.time_zone,
                tax_id: create.tax_id,
                building: create.building,
                street: create.street,
                district: create.district,
                city: create.city,
                postal_code: create.postal_code,
            },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    id: String,
    name: String,
    name_ar: String,
    domain: String,
    /// Whether it can be resolved to a tenant.
    tenant: bool,
    /// Whether it is the operator organization.
    operator: bool,
    currency: Option<String>,
    country: Option<String>,
    tax_id: Option<String>,
    monthly_documents: Option<i64>,
    requests_per_minute: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
}

impl Tenants {
    pub(super) async fn run(self, administration: &Administration) -> CommandResult {
        match self {
            Self::List => {
                let operator = administration.store.operator().await?;
                let all = administration.tenants().await?.into_iter();
                let views: Vec<_> = all
                    .map(|(organization, tenant)| View {
                        operator: operator.as_ref() == Some(&organization.id),
                        ..view(organization, tenant)
                    })
                    .collect();
                let columns = [
                    "id",
                    "name",
                    "domain",
                    "tenant",
                    "operator",
                    "currency",
                    "country",
                    "monthlyDocuments",
                    "requestsPerMinute",
                ];
                Ok(Output::list(&views, &columns))
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
            } => {
                let tenant = administration
                    .set_limits(&organization, monthly_documents, requests_per_minute)
                    .await?;
                let operator = administration.store.operator().await?;
                Ok(Output::one(&View {
                    operator: operator.as_ref() == Some(&tenant.organization.id),
                    ..view(tenant.organization.clone(), Some(tenant))
                }))
            }
        }
    }
}

fn view(organization: Organization, tenant: Option<Tenant>) -> View {
    let Organization {
        id,
        name,
        name_ar,
        domain,
    } = organization;
    View {
        id: id.into_string(),
        name,
        name_ar,
        domain,
        tenant: tenant.is_some(),
        operator: false,
        currency: tenant.as_ref().map(|tenant| tenant.currency.clone()),
        country: tenant.as_ref().map(|tenant| tenant.country.clone()),
        tax_id: tenant.as_ref().map(|tenant| tenant.tax_id.clone()),
        monthly_documents: tenant.as_ref().and_then(|tenant| tenant.monthly_documents),
        requests_per_minute: tenant.and_then(|tenant| tenant.requests_per_minute),
        client_id: None,
        client_secret: None,
    }
}
