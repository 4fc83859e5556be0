//! The operations on rules: get, check, publish, versions, roll back.

use std::collections::BTreeMap;
use std::sync::Arc;

use invoicing_contract::messages::rules as wire;
use invoicing_contract::{FieldViolation, OrganizationId};
use invoicing_http::{PageRequest, PageTokens, RequestContext, missing_stamp, truncate_page};
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::rules::{RuleVersion, Rules, RulesPublication};
use invoicing_storage::secret::random_id;
use invoicing_storage::{Clock, Rng, StorageError, Store};

use super::built_in::built_in;
use super::check::{ChangedCell, Comparison, Publisher};
use super::error::RulesError;
use super::scopes::SCOPES;
use super::table::{RuleTable, built_in_text};
use super::{RulePolicy, matrix, policies, views};
use crate::audit_event::audit_event;

/// How often rules are checked again because the directory has changed meanwhile.
const ATTEMPTS: u32 = 5;
/// The most changed cells of each kind that an event of the audit names.
const MAX_AUDITED_CELLS: usize = 100;
/// The list that page tokens of versions are valid for.
const VERSION_LIST: &[u8] = b"rule versions";

/// The operations on rules.
pub(crate) struct RuleAdministration {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    page_tokens: PageTokens,
}

/// Rules to be published, validated.
pub(super) struct Proposal {
    pub(super) text: String,
    pub(super) policies: Vec<RulePolicy>,
}

/// What a publication says beside the rules.
struct Publication<'a> {
    context: &'a RequestContext,
    concurrency_stamp: String,
    comment: String,
    restores: Option<i64>,
    validate_only: bool,
}

impl RuleAdministration {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        page_tokens: PageTokens,
    ) -> Self {
        Self {
            store,
            clock,
            rng,
            page_tokens,
        }
    }

    pub(super) async fn get(&self, version: Option<i32>) -> Result<wire::RuleSet, RulesError> {
        let number = match version {
            Some(number) => number.into(),
            None => self.store.rules_number().await?,
        };
        let rules = self.version(number).await?;
        Ok(blocking(move || views::rule_set(rules)).await?)
    }

    pub(super) async fn list(
        &self,
        request: wire::ListRuleVersionsRequest,
    ) -> Result<wire::ListRuleVersionsResponse, RulesError> {
        let PageRequest { after, size } = self
            .page_tokens
            .read_request(request.page_size, &request.page_token, VERSION_LIST)
            .map_err(RulesError::InvalidRequest)?;
        let mut versions = self.store.rule_versions(after, size + 1).await?;
        let last = truncate_page(&mut versions, size);
        let next = last.map(|last| self.page_tokens.sign(&last.number, VERSION_LIST));
        Ok(wire::ListRuleVersionsResponse {
            next_page_token: next.unwrap_or_default(),
            versions: versions.into_iter().map(views::version).collect(),
        })
    }

    pub(super) async fn check(
        &self,
        context: &RequestContext,
        request: wire::CheckRulesRequest,
    ) -> Result<wire::CheckRulesResponse, RulesError> {
        let proposal = match proposal(request.text, request.matrix).await? {
            Ok(proposal) => proposal,
            Err(violations) => return Ok(views::invalid(violations)),
        };
        let number = self.store.rules_number().await?;
        let current = self.version(number).await?;
        let holders = self.store.role_sets().await?;
        let roles = self.roles_of(context).await?;
        let operator = context.organization().clone();
        let (response, losses) = blocking(move || {
            let tables = Tables::new(&current, &proposal);
            let comparison = tables.comparison(&holders, &operator);
            let publisher = Publisher { roles: &roles };
            views::checked(&comparison, &publisher, proposal.text.clone())
        })
        .await?;
        let sets: Vec<_> = losses.iter().map(|loss| loss.holders.clone()).collect();
        let users = self
            .store
            .role_holders(&sets, views::MAX_LOSING_USERS)
            .await?;
        Ok(views::with_losing_users(response, users, &losses))
    }

    pub(super) async fn publish(
        &self,
        context: &RequestContext,
        request: wire::PublishRulesRequest,
    ) -> Result<wire::RuleSet, RulesError> {
        let proposal = proposal(request.text, request.matrix).await?;
        let proposal = proposal
            .map_err(|violations| RulesError::Invalid(views::field_violations(violations)))?;
        let publication = Publication {
            context,
            concurrency_stamp: request.concurrency_stamp,
            comment: request.comment,
            restores: None,
            validate_only: request.validate_only,
        };
        self.publish_checked(proposal, publication).await
    }

    pub(super) async fn roll_back(
        &self,
        context: &RequestContext,
        request: wire::RollBackRulesRequest,
    ) -> Result<wire::RuleSet, RulesError> {
        let Some(number) = request.version else {
            let violation = FieldViolation::new("version", "is required");
            return Err(RulesError::InvalidRequest(vec![violation]));
        };
        let Rules { text, .. } = self.version(number.into()).await?;
        let proposal = proposal(text, None).await?;
        let proposal = proposal
            .map_err(|violations| RulesError::Invalid(views::field_violations(violations)))?;
        let publication = Publication {
            context,
            concurrency_stamp: request.concurrency_stamp,
            comment: request.comment,
            restores: Some(number.into()),
            validate_only: request.validate_only,
        };
        self.publish_checked(proposal, publication).await
    }

    /// Publishes rules that nobody is locked out by. What is granted to whom is read again if it has changed meanwhile.
    async fn publish_checked(
        &self,
        proposal: Proposal,
        publication: Publication<'_>,
    ) -> Result<wire::RuleSet, RulesError> {
        if let Some(violation) = missing_stamp(&publication.concurrency_stamp, "version") {
            return Err(RulesError::InvalidRequest(vec![violation]));
        }
        let proposal = Arc::new(proposal);
        for _attempt in 0..ATTEMPTS {
            let basis = self.store.basis().await?;
            let number = self.store.rules_number().await?;
            let current = self.version(number).await?;
            if current.version.concurrency_stamp.as_str() != publication.concurrency_stamp {
                return Err(RulesError::StampMismatch);
            }
            let cells = self
                .refuse_findings(&proposal, current, &publication)
                .await?;
            let rules = self.new_version(number, &proposal, &publication);
            if publication.validate_only {
                return Ok(blocking(move || views::rule_set(rules)).await?);
            }
            let event = self.event(&rules.version, &cells, &publication);
            match self.store.publish_rules(&rules, basis, &event).await? {
                RulesPublication::Published => {
                    return Ok(blocking(move || views::rule_set(rules)).await?);
                }
                RulesPublication::Stale => return Err(RulesError::StampMismatch),
                RulesPublication::Outdated => {}
            }
        }
        Err(RulesError::DirectoryBusy)
    }

    /// The cells that change. Records a refusal, unless the rules are only validated.
    async fn refuse_findings(
        &self,
        proposal: &Arc<Proposal>,
        current: Rules,
        publication: &Publication<'_>,
    ) -> Result<Vec<ChangedCell>, RulesError> {
        let context = publication.context;
        let holders = self.store.role_sets().await?;
        let roles = self.roles_of(context).await?;
        let operator = context.organization().clone();
        let proposal = proposal.clone();
        let (cells, findings) = blocking(move || {
            let tables = Tables::new(&current, &proposal);
            let comparison = tables.comparison(&holders, &operator);
            let findings = comparison.findings(Some(&Publisher { roles: &roles }));
            (comparison.changed_cells(), findings)
        })
        .await?;
        if findings.is_empty() {
            return Ok(cells);
        }
        if !publication.validate_only {
            let names: Vec<_> = findings.iter().map(|finding| finding.kind.name()).collect();
            let event = self
                .event_of(AuditEventKind::RulesRefused, context)
                .detail("findings", names.join(" "));
            self.store.record(&event).await?;
        }
        Err(RulesError::Refused(findings))
    }

    /// A version by number; 0 is the built-in one.
    async fn version(&self, number: i64) -> Result<Rules, RulesError> {
        if number == 0 {
            return Ok(built_in());
        }
        let rules = self.store.rules(number).await?;
        rules.ok_or(RulesError::NotFound { number })
    }

    /// The roles of the publisher in every organization, also in those that the token does not reach.
    async fn roles_of(
        &self,
        context: &RequestContext,
    ) -> Result<BTreeMap<OrganizationId, Vec<String>>, StorageError> {
        let mut roles: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for grant in self.store.grants(&context.principal.subject).await? {
            roles
                .entry(grant.organization)
                .or_default()
                .push(grant.role);
        }
        Ok(roles)
    }

    fn new_version(
        &self,
        current: i64,
        proposal: &Proposal,
        publication: &Publication<'_>,
    ) -> Rules {
        // A version that is not stored has no stamp (decision 0129).
        let stamp = (!publication.validate_only).then(|| random_id(&*self.rng));
        Rules {
            version: RuleVersion {
                number: current + 1,
                concurrency_stamp: stamp.unwrap_or_default().into(),
                published_by: publication.context.principal.subject.to_string(),
                published_at: self.clock.timestamp(),
                comment: publication.comment.clone(),
                restores: publication.restores,
            },
            text: proposal.text.clone(),
        }
    }

    /// The event of a publication, with the cells that it changes.
    fn event(
        &self,
        version: &RuleVersion,
        cells: &[ChangedCell],
        publication: &Publication<'_>,
    ) -> AuditEvent {
        let mut event = self
            .event_of(AuditEventKind::RulesPublished, publication.context)
            .detail("version", version.number.to_string());
        if let Some(restores) = version.restores {
            event = event.detail("restores", restores.to_string());
        }
        for (name, allowed) in [("added", true), ("removed", false)] {
            let changed = cells.iter().filter(|cell| cell.allowed == allowed);
            let named: Vec<_> = changed
                .clone()
                .take(MAX_AUDITED_CELLS)
                .map(|cell| format!("{} {}", cell.role, cell.scope))
                .collect();
            event = event
                .detail(&format!("{name}_cells"), changed.count().to_string())
                .detail(name, named.join(", "));
        }
        event
    }

    fn event_of(&self, kind: AuditEventKind, context: &RequestContext) -> AuditEvent {
        audit_event(context, self.clock.timestamp(), kind).client(&context.principal.client)
    }
}

/// The tables of a comparison.
struct Tables {
    current: RuleTable<'static>,
    proposed: RuleTable<'static>,
    built_in: RuleTable<'static>,
}

impl Tables {
    fn new(current: &Rules, proposal: &Proposal) -> Self {
        // What cannot be read gives nothing.
        let table = |text: &str| RuleTable::new(&policies::read(text).unwrap_or_default(), &SCOPES);
        Self {
            current: table(&current.text),
            proposed: RuleTable::new(&proposal.policies, &SCOPES),
            built_in: table(&built_in_text()),
        }
    }

    fn comparison<'a>(
        &'a self,
        holders: &'a [invoicing_storage::rules::RoleSet],
        operator: &'a OrganizationId,
    ) -> Comparison<'a> {
        Comparison {
            current: &self.current,
            proposed: &self.proposed,
            built_in: &self.built_in,
            holders,
            operator: Some(operator),
        }
    }
}

/// The rules of a request, validated, or their violations.
async fn proposal(
    text: String,
    rows: Option<wire::RuleMatrix>,
) -> Result<Result<Proposal, Vec<wire::RuleViolation>>, StorageError> {
    blocking(move || {
        let text = match (text.is_empty(), rows) {
            (false, None) => text,
            (true, Some(rows)) => matrix::to_text(&rows, &SCOPES).map_err(views::row_violations)?,
            (true, None) => {
                let violation = FieldViolation::new("text", "or a matrix is required");
                return Err(views::row_violations(vec![violation]));
            }
            (false, Some(_)) => {
                let description = "must be absent if there is a text";
                let violation = FieldViolation::new("matrix", description);
                return Err(views::row_violations(vec![violation]));
            }
        };
        let policies = policies::validate(&text, &SCOPES).map_err(views::text_violations)?;
        Ok(Proposal { text, policies })
    })
    .await
}

/// Runs what parses and validates rules, which takes up to a second, beside the threads of the requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StorageError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(StorageError::unexpected)
}
