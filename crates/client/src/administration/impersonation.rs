//! The token with which an administrator acts as another person (decision 0011).

use std::time::Duration;

use invoicing_contract::messages::identity;
use invoicing_contract::{OrganizationId, operation};
use secrecy::SecretString;

use super::Administration;
use crate::gateway::CallContext;
use crate::views::CommandError;

/// What the service answers. Nothing of it is stored.
pub(crate) struct ImpersonationAnswer {
    pub(crate) access_token: SecretString,
    pub(crate) id_token: SecretString,
    pub(crate) expires_in: Duration,
}

impl Administration {
    /// Asks for a token for a person: of the organization of the call, or of `organization`, which only an operator may. It is not
    /// tried again by itself: each attempt is an event of the audit, and makes a token of its own. One whose answer was lost cannot be
    /// revoked, because nobody has it; for the same reason nobody can use it, and it ends within an hour (decision 0145).
    pub(crate) async fn impersonate(
        &self,
        context: &CallContext,
        organization: Option<&OrganizationId>,
        user_id: String,
    ) -> Result<ImpersonationAnswer, CommandError> {
        let once = CallContext {
            retries: false,
            ..context.clone()
        };
        let answer: identity::ImpersonateResponse = match organization {
            None => {
                let request = identity::ImpersonateRequest { user_id };
                self.write(&once, &operation::IMPERSONATE, &request).await?
            }
            Some(organization) => {
                let request = identity::ImpersonateAcrossTenantsRequest {
                    organization_id: organization.as_str().to_owned(),
                    user_id,
                };
                let operation = &operation::IMPERSONATE_ACROSS_TENANTS;
                self.write(&once, operation, &request).await?
            }
        };
        Ok(ImpersonationAnswer {
            access_token: answer.access_token.into(),
            id_token: answer.id_token.into(),
            expires_in: Duration::from_secs(u64::try_from(answer.expires_in).unwrap_or(0)),
        })
    }
}
