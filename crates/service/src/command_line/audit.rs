//! `admin audit`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};
use invoicing_identity::administration::Administration;
use invoicing_service::audit_archive::NotedHash;
use invoicing_service::config::AUDIT_RETENTION_DAYS;
use invoicing_service::{AuditArchiveFolder, Clock as _, DatabaseOptions, SystemClock};
use invoicing_storage::audit::{AuditEventKind, COMMAND_LINE, Query, RecordedEvent};
use serde::Serialize;

use super::output::{Output, time};
use super::{CommandError, CommandResult};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Audit {
    #[command(subcommand)]
    command: Option<AuditCommand>,
    #[command(flatten)]
    archive: ArchiveOption,
    #[command(flatten)]
    filter: Filter,
}

#[derive(clap::Subcommand)]
enum AuditCommand {
    /// Move old events into the archive now; a running server does so by itself
    Archive {
        #[command(flatten)]
        archive: ArchiveOption,
        /// Days that events stay in the database; 0 to keep them for ever
        #[arg(
            long,
            env = "INVOICING_AUDIT_RETENTION",
            value_name = "DAYS",
            default_value_t = AUDIT_RETENTION_DAYS
        )]
        keep_days: u32,
    },
    /// Prove that no event is missing or changed, in the archive and in the database
    Verify {
        #[command(flatten)]
        archive: ArchiveOption,
        /// The head that an earlier verification printed: prove that nothing before it has changed
        #[arg(long, value_name = "ID:HASH")]
        head: Option<NotedHash>,
    },
}

#[derive(clap::Args)]
struct ArchiveOption {
    /// Folder of the archive; by default PATH-audit beside sqlite:PATH
    #[arg(long, env = "INVOICING_AUDIT_ARCHIVE", value_name = "FOLDER")]
    archive: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Filter {
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
    /// Only of this application
    #[arg(long, value_name = "ID")]
    application: Option<ClientId>,
    /// Only of the request with this correlation id
    #[arg(long, value_name = "ID")]
    correlation_id: Option<String>,
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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArchivedView {
    archived_events: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VerificationView {
    complete: bool,
    archives: usize,
    archived_events: i64,
    stored_events: i64,
    head: String,
    unrecorded_files: Vec<String>,
}

impl Audit {
    pub(super) async fn run(
        self,
        administration: &Administration,
        database: &DatabaseOptions,
    ) -> CommandResult {
        match self.command {
            None => {
                let folder = self.archive.folder(database);
                self.filter.run(administration, folder.as_ref()).await
            }
            Some(AuditCommand::Archive { archive, keep_days }) => {
                let folder = archive.folder(database).ok_or(CommandError::NoArchive)?;
                archive_events(administration, &folder, keep_days).await
            }
            Some(AuditCommand::Verify { archive, head }) => {
                let folder = archive.folder(database).ok_or(CommandError::NoArchive)?;
                verify(administration, &folder, head.as_ref()).await
            }
        }
    }
}

impl ArchiveOption {
    /// `None` where none is named and the database is no file.
    fn folder(&self, database: &DatabaseOptions) -> Option<AuditArchiveFolder> {
        database.audit_archive_folder(self.archive.as_deref())
    }
}

async fn archive_events(
    administration: &Administration,
    folder: &AuditArchiveFolder,
    keep_days: u32,
) -> CommandResult {
    let mut archived_events = 0;
    // As the service, which has the same variable, does.
    if keep_days == 0 {
        return Ok(Output::one(&ArchivedView { archived_events }));
    }
    let now = SystemClock.timestamp();
    let retention = Duration::from_secs(u64::from(keep_days) * 24 * 60 * 60);
    let before = now.minus(retention);
    loop {
        match folder.archive(&*administration.store, before, now).await? {
            0 => return Ok(Output::one(&ArchivedView { archived_events })),
            portion => archived_events += portion,
        }
    }
}

async fn verify(
    administration: &Administration,
    folder: &AuditArchiveFolder,
    noted: Option<&NotedHash>,
) -> CommandResult {
    let verification = folder.verify(&*administration.store, noted).await?;
    if !verification.findings.is_empty() {
        return Err(CommandError::IncompleteAudit(verification.findings));
    }
    Ok(Output::one(&VerificationView {
        complete: true,
        archives: verification.archives,
        archived_events: verification.archived_events,
        stored_events: verification.stored_events,
        head: verification.head.to_string(),
        unrecorded_files: verification.unrecorded_files,
    }))
}

impl Filter {
    async fn run(
        self,
        administration: &Administration,
        folder: Option<&AuditArchiveFolder>,
    ) -> CommandResult {
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
            person: None,
            organization: self.organization,
            client_id: self.application,
            correlation_id: self.correlation_id,
            after: self.after,
            size: self.size,
        };
        let page = match folder {
            Some(folder) => folder.query(&*administration.store, &query).await?,
            None => administration.store.audit(&query).await?,
        };
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
    let expected = "the position of an entry, as in 1795251991764.12";
    let (at, id) = text.split_once('.').ok_or(expected)?;
    let number = |text: &str| {
        let number = text.parse::<i64>();
        number.map_err(|error| format!("{expected}: {text:?}: {error}"))
    };
    Ok((Timestamp::from_millis(number(at)?), number(id)?))
}
