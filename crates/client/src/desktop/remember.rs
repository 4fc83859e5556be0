//! Remembering buyer and items of a document that the service has (decision 0131).

use std::collections::BTreeSet;

use invoicing_contract::{Code, DocumentKey, operation};

use super::{CommandResult, Desktop};
use crate::gateway::{CallContext, GatewayError};

/// How many lines of a document are remembered: a pasted price list of thousands is no list of usual items.
const MAX_LINES: usize = 40;

impl Desktop {
    /// Makes buyer and lines of a document a party and items, unless they are.
    pub(super) async fn remember(
        &self,
        context: &CallContext,
        document: &DocumentKey,
    ) -> CommandResult<()> {
        let lines = self.invoices.line_ids(context, document).await;
        let lines = lines.map_err(|error| {
            error.to_command_error(context, &operation::GET_INVOICE, self.clock.now())
        })?;
        let remembered = self.parties.remember(context, document).await;
        unless_refused(remembered).map_err(|error| {
            error.to_command_error(context, &operation::REMEMBER_PARTY, self.clock.now())
        })?;
        let mut seen = BTreeSet::new();
        for (id, name) in lines {
            if seen.len() == MAX_LINES {
                break;
            }
            if !seen.insert(name) {
                continue;
            }
            let remembered = self.items.remember(context, document, &id).await;
            unless_refused(remembered).map_err(|error| {
                error.to_command_error(context, &operation::REMEMBER_ITEM, self.clock.now())
            })?;
        }
        Ok(())
    }
}

/// What cannot be remembered, as a line without a name, does not stop the others.
fn unless_refused(remembered: Result<(), GatewayError>) -> Result<(), GatewayError> {
    match remembered {
        Err(error)
            if matches!(
                error.code(),
                Some(Code::InvalidArgument | Code::FailedPrecondition | Code::NotFound)
            ) =>
        {
            tracing::info!(%error, "a part of a document was not remembered");
            Ok(())
        }
        other => other,
    }
}
