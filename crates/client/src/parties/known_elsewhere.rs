//! Whether a buyer is one of another organization of the account, and of that alone (decision 0183).

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::parties as wire;

use super::Parties;
use super::sought_buyer::SoughtBuyer;
use crate::gateway::CallContext;
use crate::views::BuyerContent;

impl Parties {
    /// The other organization of the account that has used a buyer again, if it is the only one that knows the buyer, and the
    /// organization of the context knows only others. All of that is read from this computer: the service is not asked.
    pub(crate) async fn known_elsewhere(
        &self,
        context: &CallContext,
        buyer: &BuyerContent,
    ) -> Option<OrganizationId> {
        let sought = SoughtBuyer::of(buyer)?;
        let session = &context.session;
        let own = self.remembered.kept(session, &context.organization).await;
        if own.is_empty() || own.iter().any(|party| sought.is(party)) {
            return None;
        }
        let mut found = None;
        for organization in session.identity().organizations() {
            if organization == context.organization {
                continue;
            }
            let kept = self.remembered.kept(session, &organization).await;
            let Some(party) = kept.iter().find(|party| sought.is(party)) else {
                continue;
            };
            if found.is_some() {
                // A buyer of several, as an authority, belongs to none of them.
                return None;
            }
            found = Some((organization, was_used_again(party)));
        }
        found.and_then(|(organization, again)| again.then_some(organization))
    }
}

/// Whether a document was saved with a party after the one that it was made of, or after its last change. The service counts no uses:
/// it tells the times of the last write and of the last use.
fn was_used_again(party: &wire::Party) -> bool {
    let written = party
        .updated
        .as_ref()
        .and_then(|event| event.time.as_ref())
        .map(|time| (time.seconds, time.nanos));
    let used = party
        .last_used
        .as_ref()
        .map(|time| (time.seconds, time.nanos));
    written.is_some() && used > written
}

#[cfg(test)]
mod tests {
    use invoicing_contract::messages::documents;

    use super::*;

    fn party(written: Option<(i64, i32)>, used: Option<(i64, i32)>) -> wire::Party {
        let time = |(seconds, nanos)| pbjson_types::Timestamp { seconds, nanos };
        wire::Party {
            updated: Some(documents::Event {
                time: written.map(time),
                ..documents::Event::default()
            }),
            last_used: used.map(time),
            ..wire::Party::default()
        }
    }

    #[test]
    fn party_that_one_document_has_made_was_not_used_again() {
        // The service stores a use in whole milliseconds, and a write exactly.
        let made = party(Some((10, 1_900_000)), Some((10, 1_000_000)));
        assert!(!was_used_again(&made));
        let used = party(Some((10, 1_900_000)), Some((10, 2_000_000)));
        assert!(was_used_again(&used));
        let later = party(Some((10, 1_900_000)), Some((11, 0)));
        assert!(was_used_again(&later));
    }

    #[test]
    fn party_without_its_times_was_not_used_again() {
        assert!(!was_used_again(&wire::Party::default()));
        assert!(!was_used_again(&party(None, Some((10, 0)))));
        assert!(!was_used_again(&party(Some((10, 0)), None)));
    }
}
