//! What the publication of rules would change, and what keeps them from being published: nobody may be locked out, and the
//! publisher may not gain anything (decision 0113).

use std::collections::{BTreeMap, BTreeSet};

use invoicing_contract::OrganizationId;
use invoicing_storage::rules::RoleSet;

use super::scopes::{Scope, ScopeSet, Scopes};
use super::table::RuleTable;

/// The most organizations that a finding names.
const MAX_ORGANIZATIONS: usize = 100;

/// Who publishes: roles by the organization in which they are granted.
pub(crate) struct Publisher<'a> {
    pub(crate) roles: &'a BTreeMap<OrganizationId, Vec<String>>,
}

/// Why valid rules are not published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) kind: FindingKind,
    pub(crate) organizations: Vec<OrganizationId>,
    /// Names.
    pub(crate) scopes: Vec<String>,
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FindingKind {
    /// The publisher would lose a scope of the rules.
    PublisherLockedOut,
    /// Nobody of the operator organization would hold every scope of the rules.
    RulesLockedOut,
    /// In an organization where somebody who can sign in can give people access again, nobody could.
    AdministrationLockedOut,
    /// The publisher would hold a scope that neither the current rules nor the built-in ones give.
    PublisherGains,
}

/// Subjects with the same roles who would lose scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) holders: RoleSet,
    /// What they would lose.
    pub(crate) scopes: ScopeSet,
}

/// A cell of the table role x scope that would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangedCell {
    pub(crate) role: String,
    pub(crate) scope: String,
    /// Whether the role would hold the scope.
    pub(crate) allowed: bool,
}

/// The comparison of the current rules with those that would follow.
pub(crate) struct Comparison<'a> {
    pub(crate) current: &'a RuleTable<'a>,
    pub(crate) proposed: &'a RuleTable<'a>,
    /// What every publisher may hold.
    pub(crate) built_in: &'a RuleTable<'a>,
    /// Who is granted what.
    pub(crate) holders: &'a [RoleSet],
    /// The operator organization.
    pub(crate) operator: Option<&'a OrganizationId>,
}

impl Comparison<'_> {
    const fn scopes(&self) -> &Scopes {
        self.proposed.scopes()
    }

    /// The scopes that `table` gives to roles which are granted in `organization`. Those of the platform count in the operator
    /// organization only (decision 0022).
    fn held(
        &self,
        table: &RuleTable<'_>,
        organization: &OrganizationId,
        roles: &[String],
    ) -> ScopeSet {
        let mut held = table.held(roles.iter().map(String::as_str));
        if self.operator != Some(organization) {
            held.remove_all(&self.scopes_that(Scope::is_platform));
        }
        held
    }

    fn scopes_that(&self, condition: fn(&Scope) -> bool) -> ScopeSet {
        let mut set = self.scopes().none();
        for (position, scope) in self.scopes().all().iter().enumerate() {
            if condition(scope) {
                set.insert(position);
            }
        }
        set
    }

    /// The cells that would change, by role and scope.
    pub(crate) fn changed_cells(&self) -> Vec<ChangedCell> {
        let roles: BTreeSet<_> = self.current.roles().chain(self.proposed.roles()).collect();
        let mut cells = Vec::new();
        for role in roles {
            let (before, after) = (self.current.held([role]), self.proposed.held([role]));
            for (position, scope) in self.scopes().all().iter().enumerate() {
                let allowed = after.contains(position);
                if allowed != before.contains(position) {
                    cells.push(ChangedCell {
                        role: role.to_owned(),
                        scope: scope.name.clone(),
                        allowed,
                    });
                }
            }
        }
        cells
    }

    /// The role sets whose subjects would lose a scope.
    pub(crate) fn losses(&self) -> Vec<Loss> {
        let losses = self.holders.iter().map(|holders| {
            let mut scopes = self.held(self.current, &holders.organization, &holders.roles);
            scopes.remove_all(&self.held(self.proposed, &holders.organization, &holders.roles));
            Loss {
                holders: holders.clone(),
                scopes,
            }
        });
        losses.filter(|loss| !loss.scopes.is_empty()).collect()
    }

    /// Roles that are granted and that the proposed rules do not name, with the number of their subjects.
    pub(crate) fn unnamed_roles(&self) -> BTreeMap<&str, i64> {
        let mut unnamed: BTreeMap<&str, i64> = BTreeMap::new();
        for holders in self.holders {
            for role in &holders.roles {
                if !self.proposed.names_role(role) {
                    *unnamed.entry(role).or_default() += holders.subjects;
                }
            }
        }
        unnamed
    }

    /// What keeps the proposed rules from being published. Without a publisher, what does so whoever publishes them.
    pub(crate) fn findings(&self, publisher: Option<&Publisher<'_>>) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let Some(publisher) = publisher {
            findings.extend(self.publisher_locked_out(publisher));
            findings.extend(self.publisher_gains(publisher));
        }
        findings.extend(self.rules_locked_out());
        findings.extend(self.administration_locked_out());
        findings
    }

    /// The publisher has to be able to read, check, publish and roll back afterwards.
    fn publisher_locked_out(&self, publisher: &Publisher<'_>) -> Option<Finding> {
        let operator = self.operator?;
        let roles = publisher.roles.get(operator).map_or(&[][..], Vec::as_slice);
        let mut lost = self.scopes_that(Scope::is_of_rules);
        lost.remove_all(&self.held(self.proposed, operator, roles));
        (!lost.is_empty()).then(|| Finding {
            kind: FindingKind::PublisherLockedOut,
            organizations: vec![operator.clone()],
            scopes: self.scopes().names_of(&lost),
        })
    }

    /// The organizations in which somebody who can sign in holds all of the scopes.
    fn organizations_with_holders_of(
        &self,
        scopes: &ScopeSet,
        table: &RuleTable<'_>,
    ) -> BTreeSet<&OrganizationId> {
        let holders = self.holders.iter().filter(|holders| holders.sign_in > 0);
        holders
            .filter(|holders| {
                let mut missing = scopes.clone();
                missing.remove_all(&self.held(table, &holders.organization, &holders.roles));
                missing.is_empty()
            })
            .map(|holders| &holders.organization)
            .collect()
    }

    /// Somebody of the operator organization has to hold every scope of the rules, if anybody does now.
    fn rules_locked_out(&self) -> Option<Finding> {
        let operator = self.operator?;
        let of_rules = self.scopes_that(Scope::is_of_rules);
        let are_managed = |table| {
            let organizations = self.organizations_with_holders_of(&of_rules, table);
            !organizations.is_empty()
        };
        (are_managed(self.current) && !are_managed(self.proposed)).then(|| Finding {
            kind: FindingKind::RulesLockedOut,
            organizations: vec![operator.clone()],
            scopes: self.scopes().names_of(&of_rules),
        })
    }

    /// In each organization in which somebody can give people access again, somebody has to.
    fn administration_locked_out(&self) -> Option<Finding> {
        let scopes = self.scopes_that(Scope::restores_access);
        let after = self.organizations_with_holders_of(&scopes, self.proposed);
        let mut lost = self.organizations_with_holders_of(&scopes, self.current);
        lost.retain(|organization| !after.contains(organization));
        (!lost.is_empty()).then(|| Finding {
            kind: FindingKind::AdministrationLockedOut,
            organizations: lost.into_iter().take(MAX_ORGANIZATIONS).cloned().collect(),
            scopes: self.scopes().names_of(&scopes),
        })
    }

    /// Nobody extends their own rights: the publisher may gain only what the built-in rules give.
    fn publisher_gains(&self, publisher: &Publisher<'_>) -> Option<Finding> {
        let mut gained = self.scopes().none();
        let mut organizations = Vec::new();
        for (organization, roles) in publisher.roles {
            let mut more = self.held(self.proposed, organization, roles);
            more.remove_all(&self.held(self.current, organization, roles));
            more.remove_all(&self.held(self.built_in, organization, roles));
            if !more.is_empty() {
                gained.insert_all(&more);
                organizations.push(organization.clone());
            }
        }
        organizations.truncate(MAX_ORGANIZATIONS);
        (!organizations.is_empty()).then(|| Finding {
            kind: FindingKind::PublisherGains,
            organizations,
            scopes: self.scopes().names_of(&gained),
        })
    }
}
