//! The sellers of organizations, from documents that were read: no claim and no operation of the contract for clerks has them.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ::invoice::content::Party;
use invoicing_contract::OrganizationId;

use crate::account_key::AccountKey;
use crate::gateway::CallContext;

/// Whose seller it is. Two environments can have organizations of the same id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct SellerKey {
    account: AccountKey,
    organization: OrganizationId,
}

impl SellerKey {
    pub(super) fn of(context: &CallContext) -> Self {
        Self {
            account: context.session.account_key(),
            organization: context.organization.clone(),
        }
    }
}

/// The sellers that are known since the start.
#[derive(Default)]
pub(super) struct Sellers {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    known: HashMap<SellerKey, Party>,
    asked: HashSet<SellerKey>,
}

impl Sellers {
    pub(super) fn get(&self, key: &SellerKey) -> Option<Party> {
        self.lock().known.get(key).cloned()
    }

    /// Remembers a seller as the document that was read last has it. One without any field is none.
    pub(super) fn put(&self, key: SellerKey, seller: Party) {
        if seller != Party::default() {
            self.lock().known.insert(key, seller);
        }
    }

    /// Whether a seller has not been asked for before.
    pub(super) fn ask(&self, key: SellerKey) -> bool {
        self.lock().asked.insert(key)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seller_of_an_organization_is_not_that_of_the_same_id_in_another_environment() {
        let key = |environment| SellerKey {
            account: AccountKey::new(environment, "u"),
            organization: "270001".into(),
        };
        let sellers = Sellers::default();
        let mut seller = Party::default();
        seller.address.country = "SA".to_owned();
        sellers.put(key("production"), seller.clone());
        assert_eq!(sellers.get(&key("production")), Some(seller));
        assert_eq!(sellers.get(&key("staging")), None);
        assert!(sellers.ask(key("production")) && sellers.ask(key("staging")));
        assert!(!sellers.ask(key("staging")), "it was asked for");
        sellers.put(key("staging"), Party::default());
        assert_eq!(sellers.get(&key("staging")), None, "it has no field");
    }
}
