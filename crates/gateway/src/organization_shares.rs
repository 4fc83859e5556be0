//! Units of what a process has little of, as memory and turns. One organization holds at most half of them (decision 0176).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use invoicing_contract::OrganizationId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const NEVER_CLOSED: &str = "nobody closes a semaphore of units";

/// Units that all organizations share.
#[derive(Debug)]
pub(crate) struct OrganizationShares {
    all: Arc<Semaphore>,
    /// Most units that one organization holds.
    most: usize,
    /// What is left to organizations that hold units or wait for them. The others have nothing here.
    organizations: Mutex<HashMap<OrganizationId, Weak<Semaphore>>>,
}

/// Units that an organization holds, until this is dropped.
#[derive(Debug)]
pub(crate) struct HeldUnits {
    _of_all: OwnedSemaphorePermit,
    _of_organization: OwnedSemaphorePermit,
}

impl OrganizationShares {
    /// `units` for all, of which an organization holds half, and at least one.
    pub(crate) fn new(units: usize) -> Self {
        Self {
            all: Arc::new(Semaphore::new(units)),
            most: (units / 2).max(1),
            organizations: Mutex::default(),
        }
    }

    /// `units` for an organization, once so many are free. More than it may hold never are. A caller that waits because its
    /// organization holds too many keeps no other organization waiting.
    pub(crate) async fn acquire(&self, organization: &OrganizationId, units: u32) -> HeldUnits {
        let left = self.left(organization);
        let of_organization = left.acquire_many_owned(units).await.expect(NEVER_CLOSED);
        let all = self.all.clone();
        let of_all = all.acquire_many_owned(units).await.expect(NEVER_CLOSED);
        HeldUnits {
            _of_all: of_all,
            _of_organization: of_organization,
        }
    }

    /// `units` for an organization, if so many are free now.
    pub(crate) fn try_acquire(
        &self,
        organization: &OrganizationId,
        units: u32,
    ) -> Option<HeldUnits> {
        let left = self.left(organization);
        let of_organization = left.try_acquire_many_owned(units).ok()?;
        let of_all = self.all.clone().try_acquire_many_owned(units).ok()?;
        Some(HeldUnits {
            _of_all: of_all,
            _of_organization: of_organization,
        })
    }

    /// How many units nobody holds.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.all.available_permits()
    }

    fn left(&self, organization: &OrganizationId) -> Arc<Semaphore> {
        // A panic cannot leave the map half changed: nothing here panics.
        let organizations = self.organizations.lock();
        let mut organizations = organizations.unwrap_or_else(PoisonError::into_inner);
        if let Some(left) = organizations.get(organization).and_then(Weak::upgrade) {
            return left;
        }
        organizations.retain(|_, left| left.strong_count() > 0);
        let left = Arc::new(Semaphore::new(self.most));
        organizations.insert(organization.clone(), Arc::downgrade(&left));
        left
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn organization_holds_half_and_others_get_the_rest_at_once() {
        let shares = OrganizationShares::new(8);
        let (one, other) = ("1".into(), "2".into());
        let first = shares.acquire(&one, 3).await;
        let _second = shares.acquire(&one, 1).await;
        assert!(shares.try_acquire(&one, 1).is_none(), "it has its half");
        let mut waiting = Box::pin(shares.acquire(&one, 3));
        assert!(waiting.as_mut().now_or_never().is_none());
        let of_other = shares.acquire(&other, 4).now_or_never();
        assert!(of_other.is_some(), "nobody of another organization waits");
        assert!(shares.try_acquire(&"3".into(), 1).is_none(), "all are held");
        drop(first);
        assert!(waiting.now_or_never().is_some());
    }

    #[tokio::test]
    async fn of_a_single_unit_every_organization_holds_one() {
        let shares = OrganizationShares::new(1);
        let held = shares.acquire(&"1".into(), 1).await;
        assert!(shares.try_acquire(&"2".into(), 1).is_none());
        drop(held);
        assert!(shares.try_acquire(&"2".into(), 1).is_some());
    }

    #[tokio::test]
    async fn organizations_that_hold_nothing_are_forgotten() {
        let shares = OrganizationShares::new(2);
        let held = shares.acquire(&"held".into(), 1).await;
        for number in 0..1_000 {
            let organization = OrganizationId::new(number.to_string());
            assert!(shares.try_acquire(&organization, 1).is_some());
        }
        let kept = shares.organizations.lock().expect("no panic").len();
        assert!(kept <= 2, "{kept}");
        assert!(shares.try_acquire(&"held".into(), 1).is_none());
        drop(held);
    }
}
