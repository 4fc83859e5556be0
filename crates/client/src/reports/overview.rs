//! What needs work in an organization: four small answers of the service, read and kept each by itself, so that one that fails hides
//! no other.

use invoicing_contract::messages::{documents, reports, simple};
use invoicing_contract::operation;

use super::{REPORT, Reported, Reports, ageing_of_today, cache_name, from_wire, unreadable};
use crate::cached_read::{Answer, read_or_cached};
use crate::gateway::CallContext;
use crate::invoices::currency_sum;
use crate::read_cache::{Cached, DOCUMENTS};
use crate::views::{CommandError, DocumentCount, Overview};

/// The answers of an overview, and what failed.
#[derive(Default)]
struct Parts {
    drafts: Option<Reported<simple::ListInvoicesResponse>>,
    rejected: Option<Reported<simple::ListInvoicesResponse>>,
    overdue: Option<Reported<simple::ListInvoicesResponse>>,
    ageing: Option<Reported<reports::Ageing>>,
    errors: Vec<CommandError>,
}

impl Reports {
    /// What needs work in the organization of the context. At most a few organizations are asked at the same time; the others wait.
    pub(crate) async fn overview(&self, context: &CallContext) -> Overview {
        let _turn = self.overviews.acquire().await;
        let mut errors = Vec::new();
        let drafts = or_error(self.count(context, &drafts()).await, &mut errors);
        // What refuses one call refuses all: an organization that does not answer is asked once.
        if errors.iter().any(is_of_the_organization) {
            return Overview {
                errors,
                ..self.kept_overview(context).await
            };
        }
        let rejected = or_error(self.count(context, &rejected()).await, &mut errors);
        let overdue = or_error(self.count(context, &overdue()).await, &mut errors);
        let ageing = self
            .read(context, &operation::GET_AGEING, &ageing_of_today())
            .await;
        let ageing = or_error(ageing, &mut errors);
        let parts = Parts {
            drafts,
            rejected,
            overdue,
            ageing,
            errors,
        };
        parts.into_overview(context)
    }

    /// The overview as it was read last, without asking the service.
    pub(crate) async fn kept_overview(&self, context: &CallContext) -> Overview {
        let (session, organization) = (&context.session, &context.organization);
        let list = async |request: simple::ListInvoicesRequest| {
            let page = self.read_cache.list(session, organization, &request);
            page.await.map(kept)
        };
        let name = cache_name(&operation::GET_AGEING, &ageing_of_today());
        let ageing = self
            .read_cache
            .message(session, organization, REPORT, &name);
        let parts = Parts {
            drafts: list(drafts()).await,
            rejected: list(rejected()).await,
            overdue: list(overdue()).await,
            ageing: ageing.await.map(kept),
            errors: Vec::new(),
        };
        parts.into_overview(context)
    }

    /// The number and the sums of a filter, with a page of one row.
    async fn count(
        &self,
        context: &CallContext,
        request: &simple::ListInvoicesRequest,
    ) -> Result<Reported<simple::ListInvoicesResponse>, CommandError> {
        let (session, organization) = (&context.session, &context.organization);
        let call = self
            .gateway
            .call(context, &operation::LIST_INVOICES, None, request);
        let cached = self.read_cache.list(session, organization, request);
        match read_or_cached(
            &self.read_cache,
            self.clock.as_ref(),
            context,
            DOCUMENTS,
            call,
            cached,
        )
        .await
        {
            Ok(Answer::Current(value)) => {
                self.read_cache
                    .store_list(session, organization, request, &value)
                    .await;
                Ok(Reported {
                    value,
                    as_of: self.clock.now(),
                    kept: false,
                })
            }
            Ok(Answer::Cached(cached)) => Ok(kept(cached)),
            Err(error) => {
                Err(error.to_command_error(context, &operation::LIST_INVOICES, self.clock.now()))
            }
        }
    }
}

impl Parts {
    fn into_overview(self, context: &CallContext) -> Overview {
        let mut times = Times::default();
        let mut errors = self.errors;
        let drafts = times.note(self.drafts).map(document_count);
        let rejected = times.note(self.rejected).map(document_count);
        let overdue = times.note(self.overdue).map(document_count);
        let ageing = times.note(self.ageing).and_then(|report| {
            let rows = report.rows.into_iter().map(from_wire::ageing_row);
            let rows = rows.collect::<Option<Vec<_>>>();
            if rows.is_none() {
                errors.push(unreadable());
            }
            rows
        });
        Overview {
            organization: context.organization.clone(),
            drafts,
            rejected,
            overdue,
            ageing,
            as_of: times.oldest.map(|time| time.to_string()),
            kept: times.kept,
            errors,
        }
    }
}

/// How old the answers are.
#[derive(Default)]
struct Times {
    oldest: Option<jiff::Timestamp>,
    kept: bool,
}

impl Times {
    fn note<T>(&mut self, part: Option<Reported<T>>) -> Option<T> {
        let Reported { value, as_of, kept } = part?;
        self.oldest = Some(self.oldest.map_or(as_of, |oldest| oldest.min(as_of)));
        self.kept |= kept;
        Some(value)
    }
}

/// The answer; or its error among the others, if there is none of its kind yet.
fn or_error<T>(answer: Result<T, CommandError>, errors: &mut Vec<CommandError>) -> Option<T> {
    let error = match answer {
        Ok(answer) => return Some(answer),
        Err(error) => error,
    };
    let kind = std::mem::discriminant(&error);
    if !errors
        .iter()
        .any(|other| std::mem::discriminant(other) == kind)
    {
        errors.push(error);
    }
    None
}

fn kept<T>(Cached { value, as_of }: Cached<T>) -> Reported<T> {
    Reported {
        value,
        as_of,
        kept: true,
    }
}

/// Whether the other calls about the organization would fail in the same way.
fn is_of_the_organization(error: &CommandError) -> bool {
    matches!(
        error,
        CommandError::OrganizationUnavailable { .. }
            | CommandError::SessionEnded { .. }
            | CommandError::RateLimited { .. }
            | CommandError::Offline { .. }
    )
}

fn document_count(page: simple::ListInvoicesResponse) -> DocumentCount {
    DocumentCount {
        count: u32::try_from(page.total_size).unwrap_or(0),
        sums: page.sums.into_iter().map(currency_sum).collect(),
    }
}

fn drafts() -> simple::ListInvoicesRequest {
    counted(documents::Filter {
        status: vec![documents::Status::Draft.into()],
        ..documents::Filter::default()
    })
}

fn rejected() -> simple::ListInvoicesRequest {
    counted(documents::Filter {
        status: vec![documents::Status::Rejected.into()],
        ..documents::Filter::default()
    })
}

fn overdue() -> simple::ListInvoicesRequest {
    counted(documents::Filter {
        payment_state: vec![documents::PaymentState::Overdue.into()],
        ..documents::Filter::default()
    })
}

fn counted(filter: documents::Filter) -> simple::ListInvoicesRequest {
    simple::ListInvoicesRequest {
        filter: Some(filter),
        page_size: 1,
        ..simple::ListInvoicesRequest::default()
    }
}
