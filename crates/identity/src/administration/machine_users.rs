//! Machine users with their applications.

use invoicing_contract::OrganizationId;
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::StorageError;
use invoicing_storage::applications::{Application, ClientSecret, GrantType, ScopeKind};
use invoicing_storage::provisioning::Machine;
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::Subject;
use invoicing_storage::users::NewUserOutcome;

use super::{Administration, AdministrationError, RecordKind};

impl Administration {
    /// A new machine user of an organization, whose tokens include the project audience (contract, part 5), and the secret of its
    /// application.
    pub(super) fn machine(
        &self,
        id: String,
        organization: &OrganizationId,
        name: String,
        role: &str,
    ) -> (Machine, Secret) {
        let secret = Secret::random(&*self.rng);
        let machine = Machine {
            subject: Subject {
                username: format!("machine-{id}"),
                id: id.clone().into(),
                name: name.clone(),
                email: None,
                email_verified: false,
                home_organization: organization.clone(),
                password_hash: None,
                must_change_password: false,
                epoch: 0,
            },
            role: role.to_owned(),
            application: Application {
                name,
                secret: Some(ClientSecret::new(secret.hash())),
                subject: Some(id.into()),
                organization: Some(organization.clone()),
                organization_only: true,
                grant_types: vec![GrantType::ClientCredentials],
                scopes: ScopeKind::USUAL.to_vec(),
                includes_audience: true,
                ..Application::new(
                    self.new_id().into(),
                    ApplicationKind::Machine,
                    self.new_stamp().into(),
                )
            },
        };
        (machine, secret)
    }

    /// Stores a machine user.
    pub(super) async fn add_machine(&self, machine: &Machine) -> Result<(), AdministrationError> {
        let events = [self.machine_created_event(machine)];
        match self.store.add_machine(machine, &events).await? {
            NewUserOutcome::Added => Ok(()),
            // The username is made of the id.
            NewUserOutcome::IdTaken | NewUserOutcome::UsernameTaken => {
                Err(AdministrationError::Exists {
                    kind: RecordKind::User,
                    name: machine.subject.id.to_string(),
                })
            }
            NewUserOutcome::UserLimit => {
                let counted = "a machine user was counted as a person";
                Err(StorageError::unexpected(counted).into())
            }
        }
    }
}
