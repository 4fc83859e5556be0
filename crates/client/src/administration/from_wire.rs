//! Messages of administration as views.

use invoicing_contract::messages::{identity, plans, rules};
use invoicing_contract::timestamp;

use crate::views::{
    ChangedCell, CommandError, LosingUser, MachineUserView, PasswordCodeView, PersonalTokenView,
    PlanUse, PlanView, RoleRules, RuleFinding, RuleFindingReason, RuleMatrix, RuleVersionView,
    RulesCheck, RulesProblem, RulesView, RulesViolation, ScopeSet, UserState, UserView,
};

pub(super) fn user(user: identity::User) -> UserView {
    UserView {
        state: state(user.state()),
        id: user.user_id,
        username: user.username,
        name: user.name,
        email: user.email,
        from_another_organization: user.from_another_organization,
        roles: user.roles,
        code_expires: time(user.code_expire_time),
    }
}

pub(super) fn machine_user(user: identity::MachineUser) -> MachineUserView {
    MachineUserView {
        state: state(user.state()),
        id: user.user_id,
        username: user.username,
        name: user.name,
        roles: user.roles,
    }
}

/// An answer without a code is none of the contract.
pub(super) fn password_code(
    code: Option<identity::PasswordCode>,
) -> Result<PasswordCodeView, CommandError> {
    let code = code.ok_or_else(|| CommandError::InvalidCall {
        reason: "the service made no code".to_owned(),
    })?;
    Ok(PasswordCodeView {
        code: code.code.into(),
        page: code.page_url,
        expires: time(code.expire_time).unwrap_or_default(),
    })
}

pub(super) fn token(pat: identity::Pat) -> PersonalTokenView {
    PersonalTokenView {
        id: pat.pat_id,
        name: pat.name,
        created: time(pat.create_time).unwrap_or_default(),
        expires: time(pat.expire_time).unwrap_or_default(),
        revoked: time(pat.revoke_time),
    }
}

pub(super) fn rules(set: rules::RuleSet) -> RulesView {
    let matrix = set.matrix.unwrap_or_default();
    let named = |name, scopes| ScopeSet { name, scopes };
    RulesView {
        version: rule_version(set.version.unwrap_or_default()),
        matrix: RuleMatrix {
            roles: matrix
                .roles
                .into_iter()
                .map(|row| RoleRules {
                    role: row.role,
                    allowed: row.allowed,
                    forbidden: row.forbidden,
                })
                .collect(),
            forbidden: matrix.forbidden,
        },
        held: set
            .roles
            .into_iter()
            .map(|held| named(held.role, held.scopes))
            .collect(),
        scopes: set.scopes,
        groups: set
            .groups
            .into_iter()
            .map(|group| named(group.name, group.scopes))
            .collect(),
    }
}

pub(super) fn rule_version(version: rules::RuleVersion) -> RuleVersionView {
    RuleVersionView {
        number: version.number,
        stamp: version.concurrency_stamp,
        by: version.published_by,
        time: time(version.publish_time),
        comment: version.comment,
        restores: version.restores,
    }
}

pub(super) fn to_matrix(matrix: RuleMatrix) -> rules::RuleMatrix {
    let rows = matrix.roles.into_iter();
    rules::RuleMatrix {
        roles: rows
            .map(|row| rules::RoleRules {
                role: row.role,
                allowed: row.allowed,
                forbidden: row.forbidden,
            })
            .collect(),
        forbidden: matrix.forbidden,
    }
}

/// `sent` are the rules that were checked.
pub(super) fn rules_check(check: rules::CheckRulesResponse, sent: &RuleMatrix) -> RulesCheck {
    RulesCheck {
        publishable: check.publishable,
        violations: check
            .violations
            .into_iter()
            .map(|violation| rules_violation(violation, sent))
            .collect(),
        findings: check.findings.into_iter().map(finding).collect(),
        changed_cells: check
            .changed_cells
            .into_iter()
            .map(|cell| ChangedCell {
                role: cell.role,
                scope: cell.scope,
                allowed: cell.allowed,
            })
            .collect(),
        changed_cell_count: check.changed_cell_count,
        losing_users: check
            .losing_users
            .into_iter()
            .map(|user| LosingUser {
                user: user.user_id,
                organization: user.organization_id.as_str().into(),
                roles: user.roles,
                scopes: user.scopes,
            })
            .collect(),
        losing_user_count: check.losing_user_count,
        unheld_scopes: check.unheld_scopes,
    }
}

fn rules_violation(violation: rules::RuleViolation, sent: &RuleMatrix) -> RulesViolation {
    let (problem, about) =
        subject_of(&violation.field, sent).unwrap_or((RulesProblem::Other, String::new()));
    RulesViolation {
        problem,
        about,
        description: violation.description,
    }
}

/// What the path of a violation is about, as `matrix.roles[2].allowed[0]`.
fn subject_of(path: &str, sent: &RuleMatrix) -> Option<(RulesProblem, String)> {
    let permission = |names: &[String], path: &str| {
        let (name, _) = indexed(path)?;
        Some((RulesProblem::Permission, names.get(name)?.clone()))
    };
    let path = path.strip_prefix("matrix.")?;
    if let Some(path) = path.strip_prefix("forbidden") {
        return permission(&sent.forbidden, path);
    }
    let (row, rest) = indexed(path.strip_prefix("roles")?)?;
    let row = sent.roles.get(row)?;
    match rest {
        "" => Some((RulesProblem::EmptyRole, row.role.clone())),
        ".role" => Some((RulesProblem::Role, row.role.clone())),
        _ => match rest.strip_prefix(".allowed") {
            Some(path) => permission(&row.allowed, path),
            None => permission(&row.forbidden, rest.strip_prefix(".forbidden")?),
        },
    }
}

/// The index at the begin of a path, and what is behind it.
fn indexed(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    Some((index.parse().ok()?, rest))
}

fn finding(finding: rules::RuleFinding) -> RuleFinding {
    use rules::rule_finding::Reason;
    RuleFinding {
        reason: match finding.reason() {
            Reason::PublisherLockedOut => RuleFindingReason::PublisherLockedOut,
            Reason::RulesLockedOut => RuleFindingReason::RulesLockedOut,
            Reason::AdministrationLockedOut => RuleFindingReason::AdministrationLockedOut,
            Reason::PublisherGains => RuleFindingReason::PublisherGains,
            Reason::Unspecified => RuleFindingReason::Other,
        },
        organizations: finding.organization_ids,
        scopes: finding.scopes,
    }
}

pub(super) fn plan(tenant: plans::TenantPlan) -> PlanView {
    let plan = tenant.plan.unwrap_or_default();
    let limits = tenant.limits.unwrap_or_default();
    let usage = tenant.usage.unwrap_or_default();
    let used = |used: i64, limit: Option<i32>| PlanUse {
        used: u32::try_from(used).unwrap_or(u32::MAX),
        limit: limit.and_then(|limit| u32::try_from(limit).ok()),
    };
    PlanView {
        name_ar: if plan.name_ar.is_empty() {
            plan.name.clone()
        } else {
            plan.name_ar
        },
        name: plan.name,
        documents: used(usage.documents, limits.monthly_documents),
        month_end: time(usage.month_end),
        requests: used(usage.requests, limits.requests_per_minute),
        users: used(usage.users, limits.users),
        api_access: tenant
            .entitlements
            .and_then(|entitlements| entitlements.api_access)
            .unwrap_or(true),
    }
}

fn state(state: identity::user::State) -> UserState {
    use identity::user::State;
    match state {
        State::Active | State::Unspecified => UserState::Active,
        State::Invited => UserState::Invited,
        State::PasswordReset => UserState::PasswordReset,
        State::Disabled => UserState::Disabled,
    }
}

/// A time of a message in RFC 3339.
pub(super) fn time(time: Option<pbjson_types::Timestamp>) -> Option<String> {
    let time = timestamp::from_message(&time?)?;
    Some(time.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violation_of_rules_names_the_role_or_the_permission_that_was_sent() {
        let names = |name: &str| vec!["a".to_owned(), name.to_owned()];
        let row = RoleRules {
            role: "clerk".to_owned(),
            allowed: names("b"),
            forbidden: names("c"),
        };
        let sent = RuleMatrix {
            roles: vec![row],
            forbidden: names("d"),
        };
        for (path, expected) in [
            ("matrix.roles[0]", Some((RulesProblem::EmptyRole, "clerk"))),
            ("matrix.roles[0].role", Some((RulesProblem::Role, "clerk"))),
            (
                "matrix.roles[0].allowed[1]",
                Some((RulesProblem::Permission, "b")),
            ),
            (
                "matrix.roles[0].forbidden[1]",
                Some((RulesProblem::Permission, "c")),
            ),
            ("matrix.forbidden[1]", Some((RulesProblem::Permission, "d"))),
            ("matrix.forbidden[2]", None),
            ("matrix.roles[1].role", None),
            ("text", None),
        ] {
            let found = subject_of(path, &sent);
            let found = found
                .as_ref()
                .map(|(problem, about)| (*problem, about.as_str()));
            assert_eq!(found, expected, "{path}");
        }
    }
}
