//! Messages of administration as views.

use invoicing_contract::messages::{identity, plans, rules};

use crate::views::{
    ChangedCell, CommandError, LosingUser, MachineUserView, PasswordCodeView, PersonalTokenView,
    PlanUse, PlanView, RoleRules, RuleFinding, RuleFindingReason, RuleMatrix, RuleVersionView,
    RulesCheck, RulesView, ScopeSet, UserState, UserView,
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
        code_expires: user
            .code_expire_time
            .and_then(|at| time(at.seconds, at.nanos)),
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
        expires: code
            .expire_time
            .and_then(|at| time(at.seconds, at.nanos))
            .unwrap_or_default(),
    })
}

pub(super) fn token(pat: identity::Pat) -> PersonalTokenView {
    PersonalTokenView {
        id: pat.pat_id,
        name: pat.name,
        created: pat
            .create_time
            .and_then(|at| time(at.seconds, at.nanos))
            .unwrap_or_default(),
        expires: pat
            .expire_time
            .and_then(|at| time(at.seconds, at.nanos))
            .unwrap_or_default(),
        revoked: pat.revoke_time.and_then(|at| time(at.seconds, at.nanos)),
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
        time: version
            .publish_time
            .and_then(|at| time(at.seconds, at.nanos)),
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

pub(super) fn rules_check(check: rules::CheckRulesResponse) -> RulesCheck {
    RulesCheck {
        publishable: check.publishable,
        violations: check
            .violations
            .into_iter()
            .map(|violation| violation.description)
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
        month_end: usage.month_end.and_then(|at| time(at.seconds, at.nanos)),
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
pub(super) fn time(seconds: i64, nanos: i32) -> Option<String> {
    let time = jiff::Timestamp::new(seconds, nanos).ok()?;
    Some(time.to_string())
}
