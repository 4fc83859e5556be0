//! Remembering buyer and items of a document that the service has (decision 0131), and what it says otherwise than is remembered
//! (decision 0188).

use std::collections::BTreeSet;

use invoicing_contract::{Code, DocumentKey, operation};

use super::{CommandResult, Desktop};
use crate::gateway::{CallContext, GatewayError};
use crate::parties;
use crate::views::{DueTerms, PartyChange, RememberedDifferences};

/// How many lines of a document are remembered: a pasted price list of thousands is no list of usual items.
const MAX_LINES: usize = 40;

impl Desktop {
    /// Makes buyer and lines of a document a party and items, unless they are. Returns what the document says otherwise. `due_terms` have
    /// given its due date.
    pub(super) async fn remember(
        &self,
        context: &CallContext,
        document: &DocumentKey,
        due_terms: Option<DueTerms>,
    ) -> CommandResult<RememberedDifferences> {
        let mut differences = RememberedDifferences::default();
        let found = Box::pin(self.invoices.find_document(context, document)).await?;
        let Some(content) = found.map(|view| Box::new(view.content)) else {
            return Ok(differences);
        };
        // Somebody else may have changed a date.
        let due_terms =
            due_terms.filter(|terms| terms.lead(&content.issue_date, &content.due_date));
        let remembered = self.parties.remember(context, document, due_terms).await;
        let party = unless_refused(remembered).map_err(|error| {
            error.to_command_error(context, &operation::REMEMBER_PARTY, self.clock.now())
        })?;
        let party = party.map(Box::new);
        if let Some(party) = &party {
            let change = PartyChange {
                key: party.party_key.clone(),
                stamp: party.concurrency_stamp.clone(),
                buyer: content.buyer.clone(),
                currency: content.currency.clone(),
                payment_terms: content.details.payment_terms.clone(),
                due_terms,
            };
            differences.party = parties::difference(party, change);
        }
        let party_key = party.map(|party| party.party_key).unwrap_or_default();
        let mut seen = BTreeSet::new();
        for line in &content.lines {
            if seen.len() == MAX_LINES {
                break;
            }
            let name = &line.description;
            if !seen.insert((&line.details.item_code, &name.en, &name.ar)) {
                continue;
            }
            let remembered = self.items.remember(context, document, &line.id).await;
            let item = unless_refused(remembered).map_err(|error| {
                error.to_command_error(context, &operation::REMEMBER_ITEM, self.clock.now())
            })?;
            if let Some(item) = item {
                let compared =
                    self.items
                        .difference(context, &item, &party_key, line, &content.currency);
                differences.items.extend(compared.await);
                self.items
                    .note_delivered_price(context, &item, &party_key, line, &content.currency)
                    .await;
            }
        }
        Ok(differences)
    }
}

/// What cannot be remembered, as a line without a name, does not stop the others.
fn unless_refused<T>(remembered: Result<T, GatewayError>) -> Result<Option<T>, GatewayError> {
    match remembered {
        Err(error)
            if matches!(
                error.code(),
                Some(Code::InvalidArgument | Code::FailedPrecondition | Code::NotFound)
            ) =>
        {
            tracing::info!(%error, "a part of a document was not remembered");
            Ok(None)
        }
        other => other.map(Some),
    }
}
