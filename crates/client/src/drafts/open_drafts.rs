//! Which window edits which draft: a draft is edited in one window at a time, and a window edits one draft.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use invoicing_contract::DocumentKey;

use super::DraftOwner;
use crate::WindowKey;
use crate::views::{CommandError, Draft};

/// A draft that a window edits.
#[derive(Debug)]
struct OpenDraft {
    owner: DraftOwner,
    key: DocumentKey,
    /// A new draft as it began, as long as nothing of it is written (decision 0193).
    begun: Option<Box<Draft>>,
}

impl OpenDraft {
    fn is(&self, owner: &DraftOwner, key: &DocumentKey) -> bool {
        self.owner == *owner && self.key == *key
    }
}

/// The drafts that are edited now, by window.
#[derive(Debug, Default)]
pub(crate) struct OpenDrafts(Mutex<HashMap<WindowKey, OpenDraft>>);

impl OpenDrafts {
    /// Notes that a window edits a draft, in place of the one that it edited before.
    ///
    /// # Errors
    /// Another window edits it.
    pub(crate) fn open(
        &self,
        window: &WindowKey,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<(), CommandError> {
        let mut open = self.lock();
        if other_window(&open, window, owner, key).is_some() {
            return Err(CommandError::DraftInOtherWindow { key: key.clone() });
        }
        if !open.get(window).is_some_and(|open| open.is(owner, key)) {
            let edited = OpenDraft {
                owner: owner.clone(),
                key: key.clone(),
                begun: None,
            };
            open.insert(window.clone(), edited);
        }
        Ok(())
    }

    /// Notes that a window edits a new draft, of which nothing is written before its first input. Its key is new, so that no other window
    /// can have it.
    pub(crate) fn begin(&self, window: &WindowKey, owner: &DraftOwner, draft: &Draft) {
        let edited = OpenDraft {
            owner: owner.clone(),
            key: draft.key.clone(),
            begun: Some(Box::new(draft.clone())),
        };
        self.lock().insert(window.clone(), edited);
    }

    /// A new draft as it began, if a window edits it and nothing of it is written.
    pub(crate) fn begun(&self, owner: &DraftOwner, key: &DocumentKey) -> Option<Draft> {
        let open = self.lock();
        let mut edited = open.values().filter(|open| open.is(owner, key));
        edited.find_map(|open| open.begun.as_deref().cloned())
    }

    /// Notes that a draft is written: what it began with is not needed any more.
    pub(crate) fn note_written(&self, owner: &DraftOwner, key: &DocumentKey) {
        let mut open = self.lock();
        for edited in open.values_mut().filter(|open| open.is(owner, key)) {
            edited.begun = None;
        }
    }

    /// Fails if another window edits the draft.
    pub(crate) fn check(
        &self,
        window: &WindowKey,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<(), CommandError> {
        match self.other_window(window, owner, key) {
            Some(_) => Err(CommandError::DraftInOtherWindow { key: key.clone() }),
            None => Ok(()),
        }
    }

    /// The other window that edits the draft.
    pub(crate) fn other_window(
        &self,
        window: &WindowKey,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Option<WindowKey> {
        other_window(&self.lock(), window, owner, key)
    }

    /// Whether a window edits a draft.
    pub(crate) fn is_editing(&self, window: &WindowKey) -> bool {
        self.lock().contains_key(window)
    }

    /// Notes that the window does not edit the draft any more.
    pub(crate) fn close(&self, window: &WindowKey, key: &DocumentKey) {
        let mut open = self.lock();
        if open.get(window).is_some_and(|open| open.key == *key) {
            open.remove(window);
        }
    }

    /// Notes that the window edits nothing.
    pub(crate) fn close_window(&self, window: &WindowKey) {
        self.lock().remove(window);
    }

    /// Notes that no window edits anything.
    pub(crate) fn close_all(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WindowKey, OpenDraft>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn other_window(
    open: &HashMap<WindowKey, OpenDraft>,
    window: &WindowKey,
    owner: &DraftOwner,
    key: &DocumentKey,
) -> Option<WindowKey> {
    open.iter()
        .find(|(other, open)| *other != window && open.is(owner, key))
        .map(|(other, _)| other.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account_key::AccountKey;
    use crate::views::{DraftState, InvoiceContent};

    fn owner() -> DraftOwner {
        DraftOwner {
            account: AccountKey::new("local", "u"),
            organization: "1".into(),
        }
    }

    #[test]
    fn new_draft_is_known_until_it_is_written_or_no_window_edits_it() {
        let drafts = OpenDrafts::default();
        let (owner, key) = (owner(), DocumentKey::from("a"));
        let (one, two) = (WindowKey::from("main"), WindowKey::from("window-2"));
        let draft = Draft {
            key: key.clone(),
            changes: None,
            content: InvoiceContent::default(),
            state: DraftState::Editing,
        };
        drafts.begin(&one, &owner, &draft);
        let refused = Err(CommandError::DraftInOtherWindow { key: key.clone() });
        assert_eq!(drafts.open(&two, &owner, &key), refused, "it has its lease");
        assert_eq!(drafts.open(&one, &owner, &key), Ok(()), "once more");
        assert_eq!(drafts.begun(&owner, &key), Some(draft.clone()));
        let elsewhere = DraftOwner {
            organization: "2".into(),
            ..owner.clone()
        };
        drafts.note_written(&elsewhere, &key);
        assert_eq!(drafts.begun(&elsewhere, &key), None);
        assert!(drafts.begun(&owner, &key).is_some(), "another owner");
        drafts.note_written(&owner, &key);
        assert_eq!(drafts.begun(&owner, &key), None);
        assert_eq!(drafts.open(&two, &owner, &key), refused, "it is edited");
        drafts.begin(&one, &owner, &draft);
        drafts.close(&one, &key);
        assert_eq!(drafts.begun(&owner, &key), None);
    }

    #[test]
    fn draft_is_open_in_one_window_until_that_opens_another_or_closes() {
        let drafts = OpenDrafts::default();
        let owner = owner();
        let (one, two) = (WindowKey::from("main"), WindowKey::from("window-2"));
        let (first, second) = (DocumentKey::from("a"), DocumentKey::from("b"));
        let refused = Err(CommandError::DraftInOtherWindow { key: first.clone() });
        assert_eq!(drafts.open(&one, &owner, &first), Ok(()));
        assert_eq!(drafts.open(&one, &owner, &first), Ok(()), "once more");
        assert_eq!(drafts.open(&two, &owner, &first), refused);
        assert_eq!(drafts.other_window(&two, &owner, &first), Some(one.clone()));
        let other_owner = DraftOwner {
            organization: "2".into(),
            ..owner.clone()
        };
        assert_eq!(drafts.check(&two, &other_owner, &first), Ok(()));
        assert_eq!(drafts.open(&one, &owner, &second), Ok(()));
        assert_eq!(drafts.open(&two, &owner, &first), Ok(()));
        drafts.close(&two, &second);
        assert_eq!(drafts.check(&one, &owner, &first), refused, "another draft");
        drafts.close(&two, &first);
        assert_eq!(drafts.check(&one, &owner, &first), Ok(()));
    }
}
