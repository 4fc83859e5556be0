//! `admin audit`

use std::collections::BTreeMap;

use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};
use invoicing_identity::administration::Administration;
use invoicing_storage::audit::{AuditEventKind, COMMAND_LINE, Query, RecordedEvent};
use serde::Serialize;

use super::CommandResult;
use super::output::{Output, time};

#[derive(clap::Args)]
pub(crate) struct Audit {
    /// Not before this time, as in 2026-11-21T08:00:00Z
    #[arg(long, value_name = "TIME")]
    from: Option<jiff::Timestamp>,
    /// Before this time
    #[arg(long, value_name = "TIME")]
    to: Option<jiff::Timestamp>,
    /// Only events of these kinds
    #[arg(long = "kind", value_name = "KIND", value_enum, value_delimiter = ',')]
    kinds: Vec<AuditEventKind>,
    /// Only about this user, by id or username
    #[arg(long, value_name = "USER")]
    subject: Option<String>,
    /// Only done by this administrator, by id or username, or by "command line"
    #[arg(long, value_name = "USER")]
    actor: Option<String>,
    /// Only of this organization
    #[arg(long, value_name = "ID")]
    organization: Option<OrganizationId>,
    /// Entries of a page
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    size: u32,
    /// Begin after the entry with this position: the last of the page before
    #[arg(long, value_name = "POSITION", value_parser = position)]
    after: Option<(Timestamp, i64)>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    position: String,
    time: String,
    kind: &'static str,
    subject: Option<SubjectId>,
    actor: Option<String>,
    organization: Option<OrganizationId>,
    application: Option<ClientId>,
    address: Option<String>,
    detail: BTreeMap<String, String>,
}

impl Audit {
    pub(super) async fn run(self, administration: &Administration) -> CommandResult {
        let subject = match self.subject {
            Some(name) => Some(administration.user(&name).await?.subject.id),
            None => None,
        };
        let actor = match self.actor {
            Some(name) if name != COMMAND_LINE => {
                Some(administration.user(&name).await?.subject.id.into_string())
            }
            actor => actor,
        };
        let query = Query {
            from: self.from.map(timestamp),
            to: self.to.map(timestamp),
            kinds: self.kinds,
            subject,
            actor,
            organization: self.organization,
            after: self.after,
            size: self.size,
        };
        let page = administration.store.audit(&query).await?;
        let views: Vec<_> = page.into_iter().map(view).collect();
        let columns = [
            "time",
            "kind",
            "subject",
            "actor",
            "organization",
            "application",
            "address",
            "detail",
            "position",
        ];
        Ok(Output::list(&views, &columns))
    }
}

fn view(recorded: RecordedEvent) -> View {
    let RecordedEvent { id, event } = recorded;
    View {
        position: format!("{}.{id}", event.at),
        time: time(event.at),
        kind: event.kind.name(),
        subject: event.subject,
        actor: event.actor,
        organization: event.organization,
        application: event.client_id,
        address: event.address,
        detail: event.detail,
    }
}

fn timestamp(time: jiff::Timestamp) -> Timestamp {
    Timestamp::from_millis(time.as_millisecond())
}

fn position(text: &str) -> Result<(Timestamp, i64), String> {
    let wrong = || "the position of an entry, as in 1795251991764.12".to_owned();
    let (at, id) = text.split_once('.').ok_or_else(wrong)?;
    Ok((
        at.parse()
            .map(Timestamp::from_millis)
            .map_err(|_| wrong())?,
        id.parse().map_err(|_| wrong())?,
    ))
}
