//! Rules, their versions and their checks as messages.

use invoicing_contract::FieldViolation;
use invoicing_contract::messages::rules as wire;
use invoicing_storage::rules::{RoleHolder, RuleVersion, Rules};

use super::check::{Comparison, Finding, FindingKind, Loss, Publisher};
use super::scopes::SCOPES;
use super::table::RuleTable;
use super::{RuleViolation, matrix, policies};

/// The most changed cells of a response.
const MAX_CHANGED_CELLS: usize = 1_000;
/// The most users of a response who would lose a scope.
pub(super) const MAX_LOSING_USERS: u32 = 100;

/// A version with everything that follows from its text.
pub(super) fn rule_set(rules: Rules) -> wire::RuleSet {
    // A text that an earlier release accepted may name what this one does not have: that part has no effect.
    let violations = policies::validate(&rules.text, &SCOPES).err();
    let policies = policies::read(&rules.text).unwrap_or_default();
    let table = RuleTable::new(&policies, &SCOPES);
    let roles = table.roles().map(|role| wire::RoleScopes {
        role: role.to_owned(),
        scopes: SCOPES.names_of(&table.held([role])),
    });
    let groups = SCOPES.groups().map(|(name, set)| wire::ScopeGroup {
        name: name.to_owned(),
        scopes: SCOPES.names_of(set),
    });
    let scopes = SCOPES.all().iter();
    wire::RuleSet {
        matrix: Some(matrix::from_policies(&policies)),
        roles: roles.collect(),
        scopes: scopes.map(|scope| scope.name.clone()).collect(),
        groups: groups.collect(),
        unheld_scopes: SCOPES.names_of(&table.unheld()),
        violations: text_violations(violations.unwrap_or_default()),
        version: Some(version(rules.version)),
        text: rules.text,
    }
}

pub(super) fn version(version: RuleVersion) -> wire::RuleVersion {
    let published = version.number > 0;
    wire::RuleVersion {
        number: to_i32(version.number),
        concurrency_stamp: version.concurrency_stamp.into_string(),
        publish_time: published.then(|| version.published_at.into()),
        published_by: version.published_by,
        comment: version.comment,
        restores: version.restores.map(to_i32),
    }
}

/// Violations of the field `text`.
pub(super) fn text_violations(violations: Vec<RuleViolation>) -> Vec<wire::RuleViolation> {
    let violations = violations.into_iter().map(|violation| {
        let (line, column) = violation.position.unwrap_or_default();
        wire::RuleViolation {
            line: to_i32(line.into()),
            column: to_i32(column.into()),
            field: "text".to_owned(),
            description: violation.description,
        }
    });
    violations.collect()
}

/// Violations of fields that have no place in a text.
pub(super) fn row_violations(violations: Vec<FieldViolation>) -> Vec<wire::RuleViolation> {
    let violations = violations.into_iter().map(|violation| wire::RuleViolation {
        field: violation.field,
        description: violation.description,
        ..wire::RuleViolation::default()
    });
    violations.collect()
}

/// The same violations for a Status.
pub(super) fn field_violations(violations: Vec<wire::RuleViolation>) -> Vec<FieldViolation> {
    let violations = violations.into_iter().map(|violation| {
        let wire::RuleViolation {
            line,
            column,
            field,
            description,
        } = violation;
        match line {
            0 => FieldViolation::new(field, description),
            _ => FieldViolation::new(
                field,
                format!("line {line}, column {column}: {description}"),
            ),
        }
    });
    violations.collect()
}

/// The answer to a check of rules that are not valid.
pub(super) fn invalid(violations: Vec<wire::RuleViolation>) -> wire::CheckRulesResponse {
    wire::CheckRulesResponse {
        violations,
        ..wire::CheckRulesResponse::default()
    }
}

/// The answer to a check without the users who would lose scopes, and who they are.
pub(super) fn checked(
    comparison: &Comparison<'_>,
    publisher: &Publisher<'_>,
    text: String,
) -> (wire::CheckRulesResponse, Vec<Loss>) {
    let findings = comparison.findings(Some(publisher));
    let losses = comparison.losses();
    let cells = comparison.changed_cells();
    let losing: i64 = losses.iter().map(|loss| loss.holders.subjects).sum();
    let unnamed = comparison.unnamed_roles().into_iter();
    let response = wire::CheckRulesResponse {
        publishable: findings.is_empty(),
        violations: Vec::new(),
        findings: findings.into_iter().map(finding).collect(),
        text,
        changed_cell_count: i32::try_from(cells.len()).unwrap_or(i32::MAX),
        changed_cells: cells
            .into_iter()
            .take(MAX_CHANGED_CELLS)
            .map(|cell| wire::ChangedCell {
                role: cell.role,
                scope: cell.scope,
                allowed: cell.allowed,
            })
            .collect(),
        losing_users: Vec::new(),
        losing_user_count: to_i32(losing),
        unnamed_roles: unnamed
            .map(|(role, users)| wire::UnnamedRole {
                role: role.to_owned(),
                user_count: to_i32(users),
            })
            .collect(),
        unheld_scopes: SCOPES.names_of(&comparison.proposed.unheld()),
    };
    (response, losses)
}

/// The answer with the users who would lose scopes.
pub(super) fn with_losing_users(
    mut response: wire::CheckRulesResponse,
    users: Vec<RoleHolder>,
    losses: &[Loss],
) -> wire::CheckRulesResponse {
    let users = users.into_iter().map(|user| {
        let loss = losses.iter().find(|loss| {
            loss.holders.organization == user.organization && loss.holders.roles == user.roles
        });
        wire::LosingUser {
            user_id: user.subject.into_string(),
            organization_id: user.organization.into_string(),
            roles: user.roles,
            scopes: loss.map_or_else(Vec::new, |loss| SCOPES.names_of(&loss.scopes)),
        }
    });
    response.losing_users = users.collect();
    response
}

fn finding(finding: Finding) -> wire::RuleFinding {
    use wire::rule_finding::Reason;
    let reason = match finding.kind {
        FindingKind::PublisherLockedOut => Reason::PublisherLockedOut,
        FindingKind::RulesLockedOut => Reason::RulesLockedOut,
        FindingKind::AdministrationLockedOut => Reason::AdministrationLockedOut,
        FindingKind::PublisherGains => Reason::PublisherGains,
    };
    wire::RuleFinding {
        reason: reason.into(),
        description: finding.to_string(),
        organization_ids: finding
            .organizations
            .into_iter()
            .map(invoicing_contract::OrganizationId::into_string)
            .collect(),
        scopes: finding.scopes,
    }
}

fn to_i32(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
