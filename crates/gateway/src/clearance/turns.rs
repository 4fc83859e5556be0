//! The turns of organizations at the worker: a few submissions of each at once, one organization after another (decision 0126).

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use invoicing_contract::OrganizationId;

/// Submissions that a process sends at the same time.
const MAX_RUNNING: usize = 16;
/// Those of one organization among them: its authority may hang.
const MAX_OF_ORGANIZATION: usize = 4;

/// What is sent, and whose turn it is. In a round each organization with due submissions has one turn.
#[derive(Debug, Default)]
pub(super) struct Turns(Arc<State>);

#[derive(Debug, Default)]
struct State(Mutex<Round>);

#[derive(Debug, Default)]
struct Round {
    /// Submissions that are sent, by organization.
    running: BTreeMap<OrganizationId, usize>,
    /// Organizations that had their turn.
    served: BTreeSet<OrganizationId>,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Round> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A submission that is sent. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    state: Arc<State>,
    organization: OrganizationId,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let running = &mut self.state.lock().running;
        if let Some(count) = running.get_mut(&self.organization) {
            *count -= 1;
            if *count == 0 {
                running.remove(&self.organization);
            }
        }
    }
}

impl Turns {
    /// Whether another submission may be sent.
    pub(super) fn are_free(&self) -> bool {
        self.0.lock().running.values().sum::<usize>() < MAX_RUNNING
    }

    /// The organizations whose turn it is not: they had theirs in this round, or have as many submissions as they may.
    pub(super) fn excluded(&self) -> BTreeSet<OrganizationId> {
        let round = self.0.lock();
        let mut excluded = round.served.clone();
        let full = round
            .running
            .iter()
            .filter(|(_, count)| **count >= MAX_OF_ORGANIZATION);
        excluded.extend(full.map(|(organization, _)| organization.clone()));
        excluded
    }

    /// Gives an organization its turn.
    pub(super) fn take(&self, organization: &OrganizationId) -> Turn {
        let mut round = self.0.lock();
        round.served.insert(organization.clone());
        *round.running.entry(organization.clone()).or_default() += 1;
        Turn {
            state: self.0.clone(),
            organization: organization.clone(),
        }
    }

    /// Begins the next round. False if nobody had a turn in this one.
    pub(super) fn next_round(&self) -> bool {
        !mem::take(&mut self.0.lock().served).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excluded(turns: &Turns) -> Vec<String> {
        let excluded = turns.excluded();
        excluded.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn organization_waits_until_the_others_had_their_turns() {
        let turns = Turns::default();
        let _first = turns.take(&"1".into());
        assert_eq!(excluded(&turns), ["1"]);
        let _second = turns.take(&"2".into());
        assert_eq!(excluded(&turns), ["1", "2"]);
        assert!(turns.next_round());
        assert!(excluded(&turns).is_empty());
        assert!(!turns.next_round(), "nobody had a turn");
    }

    #[test]
    fn organization_whose_authority_hangs_leaves_turns_to_others() {
        let turns = Turns::default();
        let first = OrganizationId::new("1");
        let mut hanging = Vec::new();
        while !turns.excluded().contains(&first) {
            hanging.push(turns.take(&first));
            turns.next_round();
        }
        assert_eq!(hanging.len(), MAX_OF_ORGANIZATION);
        assert!(!turns.next_round());
        assert_eq!(excluded(&turns), ["1"], "in every round");
        assert!(turns.are_free());
        hanging.pop();
        assert!(excluded(&turns).is_empty(), "one has ended");
        let others: Vec<_> = (2..)
            .map_while(|number: u32| {
                let organization = number.to_string().into();
                turns.are_free().then(|| turns.take(&organization))
            })
            .collect();
        assert_eq!(hanging.len() + others.len(), MAX_RUNNING);
        drop(others);
        assert!(turns.are_free());
    }
}
