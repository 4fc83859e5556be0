//! Users of generated organizations: an administrator, accountants and clerks, and accountants of several organizations.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use invoicing_contract::{OrganizationId, SubjectId};
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::subjects::Subject;
use invoicing_storage::{Clock, StorageError, Store};

use super::{CONCURRENCY, organization_id};
use crate::seed::demo::SEED;

/// Of so many users of an organization, the last keeps the books of others too.
const USERS_PER_BOOKKEEPER: u32 = 50;
/// Of how many others.
const CLIENTS: u32 = 40;

/// A generated user.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoadUser {
    /// The rank of the organization.
    pub(super) rank: u32,
    /// The number in the organization, from 0.
    pub(super) number: u32,
}

impl LoadUser {
    pub(super) fn id(self) -> SubjectId {
        let number = u64::from(self.rank) * 10_000_000 + u64::from(self.number);
        (320_000_000_000_000_000 + number).to_string().into()
    }

    pub(super) fn organization(self) -> OrganizationId {
        organization_id(self.rank)
    }

    fn subject(self) -> Subject {
        let Self { rank, number } = self;
        let username = format!("user{number}@organization{rank}.example");
        Subject {
            id: self.id(),
            username: username.clone(),
            name: format!("User {number} of organization {rank}"),
            email: Some(username),
            email_verified: false,
            home_organization: self.organization(),
            password_hash: None,
            must_change_password: false,
            epoch: 0,
        }
    }

    /// Ranks of organizations, with the role there. `organizations` is how many there are.
    fn grants(self, organizations: u32) -> Vec<(u32, &'static str)> {
        let own = match self.number {
            0 => "administrator",
            number if number % 4 == 1 => "accountant",
            _ => "clerk",
        };
        let mut grants = vec![(self.rank, own)];
        if self.number % USERS_PER_BOOKKEEPER == USERS_PER_BOOKKEEPER - 1 {
            let clients = self.rank.saturating_add(1)..=self.rank.saturating_add(CLIENTS);
            let clients = clients.take_while(|client| *client <= organizations);
            grants.extend(clients.map(|client| (client, "accountant")));
        }
        grants
    }
}

/// Inserts those that are not there.
pub(super) async fn insert(
    store: &dyn Store,
    clock: &dyn Clock,
    organizations: u32,
    users: &[LoadUser],
) -> Result<(), StorageError> {
    stream::iter(users)
        .map(Ok)
        .try_for_each_concurrent(CONCURRENCY, |user| {
            insert_one(store, clock, organizations, *user)
        })
        .await
}

async fn insert_one(
    store: &dyn Store,
    clock: &dyn Clock,
    organizations: u32,
    user: LoadUser,
) -> Result<(), StorageError> {
    let id = user.id();
    let event = |kind, organization: &OrganizationId| {
        AuditEvent::new(clock.timestamp(), kind)
            .actor(SEED)
            .subject(&id)
            .organization(organization)
    };
    if store.account(id.as_str()).await?.is_none() {
        let created = event(AuditEventKind::UserCreated, &user.organization());
        store.add_subject(&user.subject(), &created).await?;
    }
    for (rank, role) in user.grants(organizations) {
        let organization = organization_id(rank);
        let granted = event(AuditEventKind::RoleGranted, &organization).detail("role", role);
        store.add_grant(&id, &organization, role, &granted).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_user_administers_and_each_fiftieth_keeps_the_books_of_forty_others() {
        let grants = |number, organizations| LoadUser { rank: 3, number }.grants(organizations);
        assert_eq!(grants(0, 100), [(3, "administrator")]);
        assert_eq!(grants(1, 100), [(3, "accountant")]);
        assert_eq!(grants(2, 100), [(3, "clerk")]);
        let bookkeeper = grants(49, 100);
        assert_eq!(bookkeeper.len(), 41);
        assert!(
            bookkeeper[1..]
                .iter()
                .all(|(rank, role)| *rank > 3 && *role == "accountant")
        );
        assert_eq!(
            grants(49, 5),
            [(3, "accountant"), (4, "accountant"), (5, "accountant")]
        );
    }
}
