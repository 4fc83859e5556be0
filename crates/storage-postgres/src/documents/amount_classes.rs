//! Slots of the sums of a day, which say the classes of amounts (decision 0155).

use std::ops::Range;

use invoicing_storage::documents::amount_classes::class;
use uuid::Uuid;

/// The first slot that says a class. Those below it are unclassified: versions before wrote them.
pub(super) const FIRST_SLOT: i16 = 16;
/// Slots of each class. Writers of one organization wait for each other only in the same slot.
pub(super) const SLOTS: i16 = 2;

/// The first slot of a class.
fn first_slot(class: i16) -> i16 {
    FIRST_SLOT + SLOTS * class
}

/// The slots of classes.
pub(super) fn slots(classes: &Range<i16>) -> Range<i16> {
    first_slot(classes.start)..first_slot(classes.end)
}

/// Which slot of their classes documents are counted in: any, they are added up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread(i16);

impl Spread {
    /// For writers that nobody waits for at the rows of a day.
    pub(super) const FIRST: Self = Self(0);

    /// By the key of a document.
    pub(super) fn of(key: Uuid) -> Self {
        let [.., last] = key.into_bytes();
        Self(i16::from(last) % SLOTS)
    }

    /// The slot in which a document of this amount is counted.
    pub(super) fn slot(self, amount: i64) -> i16 {
        first_slot(class(amount)) + self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_classes_are_those_of_their_documents() {
        for amount in [i64::MIN, -10_000, 0, 550_000, i64::MAX] {
            let class = class(amount);
            let slots = slots(&(class..class + 1));
            assert!(slots.start >= FIRST_SLOT, "{amount}");
            for last in 0..=u8::MAX {
                let key = Uuid::from_u128(last.into());
                assert!(
                    slots.contains(&Spread::of(key).slot(amount)),
                    "{amount} {last}"
                );
            }
            assert!(slots.contains(&Spread::FIRST.slot(amount)), "{amount}");
        }
    }
}
