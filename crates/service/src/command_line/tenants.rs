//! `admin tenants …`

use clap::Subcommand;
use invoicing_service::administration::Administration;
use invoicing_service::storage::directory::{Organization, Tenant};
use serde::Serialize;

use super::Done;
use super::output::Shown;

#[derive(Subcommand)]
pub(crate) enum Tenants {
    /// Show all organizations
    List,
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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    id: String,
    name: String,
    name_ar: String,
    domain: String,
    /// Whether it can be resolved to a tenant.
    tenant: bool,
    currency: Option<String>,
    country: Option<String>,
    tax_id: Option<String>,
    monthly_documents: Option<i64>,
    requests_per_minute: Option<i64>,
}

impl Tenants {
    pub(super) async fn run(self, administration: &Administration) -> Done {
        match self {
            Self::List => {
                let all = administration.tenants().await?;
                let views: Vec<_> = all
                    .into_iter()
                    .map(|(organization, tenant)| view(organization, tenant))
                    .collect();
                let columns = [
                    "id",
                    "name",
                    "domain",
                    "tenant",
                    "currency",
                    "country",
                    "monthlyDocuments",
                    "requestsPerMinute",
                ];
                Ok(Shown::list(&views, &columns))
            }
            Self::Limits {
                organization,
                monthly_documents,
                requests_per_minute,
            } => {
                let tenant = administration
                    .set_limits(&organization, monthly_documents, requests_per_minute)
                    .await?;
                Ok(Shown::one(&view(tenant.organization.clone(), Some(tenant))))
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
        id,
        name,
        name_ar,
        domain,
        tenant: tenant.is_some(),
        currency: tenant.as_ref().map(|tenant| tenant.currency.clone()),
        country: tenant.as_ref().map(|tenant| tenant.country.clone()),
        tax_id: tenant.as_ref().map(|tenant| tenant.tax_id.clone()),
        monthly_documents: tenant.as_ref().and_then(|tenant| tenant.monthly_documents),
        requests_per_minute: tenant.and_then(|tenant| tenant.requests_per_minute),
    }
}
