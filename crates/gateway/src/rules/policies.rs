//! Reads the text of rules: Cedar parses and validates it, and each policy becomes a row.

use cedar_policy::{
    ActionConstraint, Effect, EntityUid, Policy, PolicySet, PrincipalConstraint,
    ResourceConstraint, ValidationMode,
};
use invoicing_contract::status::MAX_VIOLATIONS;
use miette::Diagnostic;

use super::lexical;
use super::scopes::{ScopeSet, Scopes};

/// The most policies of a text.
const MAX_POLICIES: usize = 2_000;
/// The most scopes and groups that all policies name together.
const MAX_ACTIONS: usize = 20_000;
/// The most characters of the name of a role.
const MAX_ROLE_CHARACTERS: usize = 100;

/// What is wrong with a part of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RuleViolation {
    /// Line and column in characters, from 1; `None` if it is about the whole text.
    pub(crate) position: Option<(u32, u32)>,
    pub(crate) description: String,
}

impl RuleViolation {
    pub(super) fn at(text: &str, offset: Option<usize>, description: String) -> Self {
        Self {
            position: offset.map(|offset| lexical::position(text, offset)),
            description,
        }
    }
}

/// Whether what a policy says is a permission or a prohibition, for whom, and of what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RulePolicy {
    pub(crate) effect: Effect,
    /// `None`: every user.
    pub(crate) role: Option<String>,
    /// Scopes and groups; `None`: every scope.
    pub(crate) actions: Option<Vec<String>>,
}

impl RulePolicy {
    /// The scopes that it is about. A scope or group that does not exist has none.
    pub(crate) fn scopes(&self, scopes: &Scopes) -> ScopeSet {
        let Some(actions) = &self.actions else {
            return scopes.every();
        };
        let mut set = scopes.none();
        for action in actions {
            if let Some(position) = scopes.position(action) {
                set.insert(position);
            } else if let Some(group) = scopes.group(action) {
                set.insert_all(group);
            }
        }
        set
    }
}

/// The policies of a text that was validated when it was published, maybe by another release: what this one does not know has
/// no effect.
///
/// # Errors
/// The violations of a text that is no policy set of the form of decision 0112.
pub(crate) fn read(text: &str) -> Result<Vec<RulePolicy>, Vec<RuleViolation>> {
    Ok(parse(text)?.1)
}

/// The policies of a text, validated strictly against the schema of the operations.
///
/// # Errors
/// At most 100 violations.
pub(crate) fn validate(text: &str, scopes: &Scopes) -> Result<Vec<RulePolicy>, Vec<RuleViolation>> {
    let (set, policies) = parse(text)?;
    let result = scopes.validator().validate(&set, ValidationMode::Strict);
    let violations: Vec<_> = result
        .validation_errors()
        .take(MAX_VIOLATIONS)
        .map(|error| violation(text, error))
        .collect();
    if violations.is_empty() {
        Ok(policies)
    } else {
        Err(violations)
    }
}

fn parse(text: &str) -> Result<(PolicySet, Vec<RulePolicy>), Vec<RuleViolation>> {
    let begins = lexical::check(text).map_err(|violation| vec![violation])?;
    let set: PolicySet = text.parse().map_err(|errors: cedar_policy::ParseErrors| {
        let errors = errors.iter().take(MAX_VIOLATIONS);
        errors
            .map(|error| violation(text, error))
            .collect::<Vec<_>>()
    })?;
    let whole = |description: String| vec![RuleViolation::at(text, None, description)];
    if set.num_of_templates() > 0 {
        return Err(whole("templates are not allowed".to_owned()));
    }
    if set.num_of_policies() > MAX_POLICIES {
        return Err(whole(format!(
            "there are more than {MAX_POLICIES} policies"
        )));
    }
    let mut policies: Vec<_> = set.policies().collect();
    policies.sort_by_key(|policy| number(policy));
    let mut violations = Vec::new();
    let mut rows = Vec::new();
    for policy in policies {
        match row(policy) {
            Ok(row) => rows.push(row),
            Err(description) => {
                let offset = begins.get(number(policy)).copied();
                violations.push(RuleViolation::at(text, offset, description));
            }
        }
    }
    let actions: usize = rows
        .iter()
        .map(|row| row.actions.as_ref().map_or(0, Vec::len))
        .sum();
    if actions > MAX_ACTIONS {
        return Err(whole(format!(
            "the policies name more than {MAX_ACTIONS} scopes and groups"
        )));
    }
    if violations.is_empty() {
        Ok((set, rows))
    } else {
        violations.truncate(MAX_VIOLATIONS);
        Err(violations)
    }
}

/// Where a policy stands in the text, from 0: Cedar calls them `policy0`, `policy1`, ...
fn number(policy: &Policy) -> usize {
    let id: &str = policy.id().as_ref();
    id.strip_prefix("policy")
        .and_then(|number| number.parse().ok())
        .unwrap_or(usize::MAX)
}

/// A policy as a row, or why it is none.
fn row(policy: &Policy) -> Result<RulePolicy, String> {
    let effect = policy.effect();
    let role = match policy.principal_constraint() {
        PrincipalConstraint::In(role) => Some(role_name(&role)?),
        PrincipalConstraint::IsIn(_, role) => Some(role_name(&role)?),
        PrincipalConstraint::Any if effect == Effect::Forbid => None,
        PrincipalConstraint::Any => {
            return Err("a permission names its role: `principal in Role::\"clerk\"`".to_owned());
        }
        PrincipalConstraint::Eq(_) | PrincipalConstraint::Is(_) => {
            return Err("the principal is given as `principal in Role::\"clerk\"`".to_owned());
        }
    };
    let actions = match policy.action_constraint() {
        ActionConstraint::Any => None,
        ActionConstraint::In(actions) => Some(actions.iter().map(id).collect()),
        ActionConstraint::Eq(action) => {
            let action = id(&action);
            if action.ends_with(".*") || action.starts_with("LeastRole.") {
                return Err(format!(
                    "{action:?} is a group: write `action in`, not `==`"
                ));
            }
            Some(vec![action])
        }
    };
    match policy.resource_constraint() {
        ResourceConstraint::Any => {}
        ResourceConstraint::In(_)
        | ResourceConstraint::Eq(_)
        | ResourceConstraint::Is(_)
        | ResourceConstraint::IsIn(..) => {
            return Err("rules are about every organization: write `resource` alone".to_owned());
        }
    }
    if policy.has_non_scope_constraint() {
        return Err("rules have no conditions".to_owned());
    }
    Ok(RulePolicy {
        effect,
        role,
        actions,
    })
}

fn id(entity: &EntityUid) -> String {
    entity.id().unescaped().to_owned()
}

fn role_name(role: &EntityUid) -> Result<String, String> {
    let name = id(role);
    if role.type_name().to_string() != "Role" {
        return Err(format!("{role} is no role: write `Role::\"clerk\"`"));
    }
    if !is_role_name(&name) {
        return Err(format!(
            "{name:?} is no name of a role: it has 1 to {MAX_ROLE_CHARACTERS} letters, digits and any of . _ : -"
        ));
    }
    Ok(name)
}

/// Whether rules can name a role so. Its name is part of the audit.
pub(crate) fn is_role_name(name: &str) -> bool {
    let allowed = |character: char| character.is_ascii_alphanumeric() || "._:-".contains(character);
    (1..=MAX_ROLE_CHARACTERS).contains(&name.len()) && name.chars().all(allowed)
}

/// A diagnosis of Cedar at its place in the text.
fn violation(text: &str, diagnosis: &impl Diagnostic) -> RuleViolation {
    let labels = diagnosis.labels();
    let offset = labels.and_then(|mut labels| labels.next().map(|label| label.offset()));
    let mut description = diagnosis.to_string();
    if let Some(help) = diagnosis.help() {
        description = format!("{description}; {help}");
    }
    RuleViolation::at(text, offset, description)
}
