//! The scopes that rules can give, their groups, and the Cedar schema of both.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::LazyLock;

use cedar_policy::{Schema, Validator};
use invoicing_contract::{Role, operation};

/// The scopes of who can repair an organization: somebody is invited, can sign in again, and has a role.
const RESTORE_ACCESS: [&str; 4] = [
    operation::INVITE_USER.scope,
    operation::ENABLE_USER.scope,
    operation::RESET_PASSWORD.scope,
    operation::GRANT_ROLE.scope,
];

/// Every scope of an operation, its groups, and what validates policies about them.
///
/// A group `Service.Admin.*` has every scope that begins with `Service.Admin.`; a group `LeastRole.clerk` has those whose
/// least role is the clerk's (decision 0112).
pub(crate) struct Scopes {
    /// In alphabetical order.
    names: Vec<Scope>,
    index: HashMap<String, usize>,
    groups: BTreeMap<String, ScopeSet>,
    validator: Validator,
}

/// A scope of an operation.
pub(crate) struct Scope {
    pub(crate) name: String,
    pub(crate) least_role: Role,
}

impl Scope {
    /// Whether it is needed to give people of an organization access again, when others have lost theirs.
    pub(crate) fn restores_access(&self) -> bool {
        RESTORE_ACCESS.contains(&&*self.name)
    }

    /// Whether it counts in the operator organization only (decision 0022).
    pub(crate) fn is_platform(&self) -> bool {
        self.least_role == Role::Operator
    }

    /// Whether it is needed to read, check or publish rules.
    pub(crate) fn is_of_rules(&self) -> bool {
        self.name.starts_with("Service.Admin.Rules.")
    }
}

/// A set of scopes, as bits at their positions in [`Scopes`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScopeSet(Box<[u64]>);

impl ScopeSet {
    pub(crate) fn contains(&self, position: usize) -> bool {
        self.0
            .get(position / 64)
            .is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    pub(crate) fn insert(&mut self, position: usize) {
        if let Some(word) = self.0.get_mut(position / 64) {
            *word |= 1 << (position % 64);
        }
    }

    pub(crate) fn insert_all(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    pub(crate) fn remove_all(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The positions in it, ascending.
    pub(crate) fn positions(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|position| self.contains(*position))
    }
}

/// The scopes of the operations that the rules decide.
pub(crate) static SCOPES: LazyLock<Scopes> = LazyLock::new(|| {
    let operations = operation::ALL
        .iter()
        .filter(|operation| !operation.without_rules);
    Scopes::new(operations.map(|operation| (operation.scope, operation.least_role)))
});

impl Scopes {
    /// `scopes` with their least roles. One that is named twice counts once.
    pub(crate) fn new<'a>(scopes: impl IntoIterator<Item = (&'a str, Role)>) -> Self {
        let scopes: BTreeMap<_, _> = scopes.into_iter().collect();
        let empty = ScopeSet(vec![0; scopes.len().div_ceil(64)].into());
        let mut groups: BTreeMap<String, ScopeSet> = Role::ALL
            .into_iter()
            .map(|role| (least_role_group(role), empty.clone()))
            .collect();
        for (position, (scope, least_role)) in scopes.iter().enumerate() {
            for group in prefix_groups(scope).chain([least_role_group(*least_role)]) {
                groups
                    .entry(group)
                    .or_insert_with(|| empty.clone())
                    .insert(position);
            }
        }
        let (schema, _warnings) = Schema::from_cedarschema_str(&schema(&scopes, &groups))
            .expect("made of names of the contract; a test makes it");
        let names: Vec<_> = scopes
            .into_iter()
            .map(|(name, least_role)| Scope {
                name: name.to_owned(),
                least_role,
            })
            .collect();
        let index = names.iter().enumerate();
        Self {
            index: index
                .map(|(position, scope)| (scope.name.clone(), position))
                .collect(),
            names,
            groups,
            validator: Validator::new(schema),
        }
    }

    /// Every scope, in alphabetical order.
    pub(crate) fn all(&self) -> &[Scope] {
        &self.names
    }

    /// The position of a scope.
    pub(crate) fn position(&self, scope: &str) -> Option<usize> {
        self.index.get(scope).copied()
    }

    /// The scopes of a group.
    pub(crate) fn group(&self, name: &str) -> Option<&ScopeSet> {
        self.groups.get(name)
    }

    /// Every group with its scopes, in alphabetical order.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (&str, &ScopeSet)> {
        self.groups.iter().map(|(name, set)| (&**name, set))
    }

    /// Validates policies against the schema.
    pub(crate) const fn validator(&self) -> &Validator {
        &self.validator
    }

    /// No scope.
    pub(crate) fn none(&self) -> ScopeSet {
        ScopeSet(vec![0; self.names.len().div_ceil(64)].into())
    }

    /// Every scope.
    pub(crate) fn every(&self) -> ScopeSet {
        let mut set = self.none();
        for position in 0..self.names.len() {
            set.insert(position);
        }
        set
    }

    /// The names of the scopes of a set.
    pub(crate) fn names_of(&self, set: &ScopeSet) -> Vec<String> {
        let names = set
            .positions()
            .filter_map(|position| self.names.get(position));
        names.map(|scope| scope.name.clone()).collect()
    }
}

/// The group of the scopes with this least role.
pub(crate) fn least_role_group(role: Role) -> String {
    format!("LeastRole.{role}")
}

/// `Service.*`, `Service.Documents.*`, ...: a group for each prefix of a scope.
fn prefix_groups(scope: &str) -> impl Iterator<Item = String> {
    scope
        .match_indices('.')
        .filter_map(|(dot, _)| scope.get(..dot))
        .map(|prefix| format!("{prefix}.*"))
}

/// The schema: users in roles, and an action for each scope, in the groups that it belongs to.
fn schema(scopes: &BTreeMap<&str, Role>, groups: &BTreeMap<String, ScopeSet>) -> String {
    let mut schema = "entity Role;\nentity User in [Role];\nentity Environment;\n".to_owned();
    for group in groups.keys() {
        // Groups of prefixes are nested, but a scope names each of its own, so that no group has to name another.
        let _infallible = writeln!(schema, "action {group:?};");
    }
    for (scope, least_role) in scopes {
        let groups: Vec<_> = prefix_groups(scope)
            .chain([least_role_group(*least_role)])
            .map(|group| format!("{group:?}"))
            .collect();
        let _infallible = writeln!(
            schema,
            "action {scope:?} in [{}] appliesTo {{ principal: User, resource: Environment }};",
            groups.join(", ")
        );
    }
    schema
}
