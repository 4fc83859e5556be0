//! Which window edits which draft: a draft is edited in one window at a time, and a window edits one draft.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use invoicing_contract::DocumentKey;

use super::DraftOwner;
use crate::WindowKey;
use crate::views::CommandError;

/// The drafts that are edited now, by window.
#[derive(Debug, Default)]
pub(crate) struct OpenDrafts(Mutex<HashMap<WindowKey, (DraftOwner, DocumentKey)>>);

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
        open.insert(window.clone(), (owner.clone(), key.clone()));
        Ok(())
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
        if open.get(window).is_some_and(|(_, open)| open == key) {
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

    fn lock(&self) -> MutexGuard<'_, HashMap<WindowKey, (DraftOwner, DocumentKey)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn other_window(
    open: &HashMap<WindowKey, (DraftOwner, DocumentKey)>,
    window: &WindowKey,
    owner: &DraftOwner,
    key: &DocumentKey,
) -> Option<WindowKey> {
    open.iter()
        .find(|(other, (of, open))| *other != window && of == owner && open == key)
        .map(|(other, _)| other.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account_key::AccountKey;

    #[test]
    fn draft_is_open_in_one_window_until_that_opens_another_or_closes() {
        let drafts = OpenDrafts::default();
        let owner = DraftOwner {
            account: AccountKey::new("local", "u"),
            organization: "1".into(),
        };
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
