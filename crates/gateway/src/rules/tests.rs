//! Tests of the text of rules, its rows and its decisions.

use invoicing_contract::messages::rules::{RoleRules, RuleMatrix};
use invoicing_contract::status::MAX_VIOLATIONS;
use invoicing_contract::{Role, operation};

use super::policies::{read, validate};
use super::scopes::{SCOPES, Scopes};
use super::table::{RuleTable, built_in_text};
use super::{RuleViolation, matrix};

fn table(text: &str) -> RuleTable<'static> {
    let policies = validate(text, &SCOPES).unwrap_or_else(|violations| panic!("{violations:?}"));
    RuleTable::new(&policies, &SCOPES)
}

fn violation(text: &str) -> RuleViolation {
    let violations = validate(text, &SCOPES).expect_err(text);
    violations.into_iter().next().expect("a violation")
}

#[test]
fn built_in_rules_give_each_role_what_its_operations_say() {
    let table = table(&built_in_text());
    for role in Role::ALL {
        for operation in operation::ALL
            .iter()
            .filter(|operation| !operation.without_rules)
        {
            assert_eq!(
                table.allows(&[role.name()], operation.scope),
                role.holds(operation.least_role),
                "{role} {}",
                operation.scope
            );
        }
    }
    assert!(table.unheld().is_empty());
    let roles: Vec<_> = table.roles().collect();
    assert_eq!(
        roles,
        ["accountant", "administrator", "clerk", "operator", "viewer"]
    );
}

#[test]
fn what_no_rule_gives_is_refused() {
    let table = table(
        "permit (principal in Role::\"clerk\", action in Action::\"Service.Documents.*\", resource);",
    );
    let get = operation::GET_DOCUMENT.scope;
    assert!(table.allows(&["clerk"], get));
    assert!(!table.allows(&["clerk"], operation::GET_INVOICE.scope));
    assert!(!table.allows(&["viewer"], get), "a role without a rule");
    assert!(!table.allows(&[], get));
    assert!(
        !table.allows(&["clerk"], "Service.Documents.v2.Shred"),
        "no operation"
    );
    assert!(!table.allows(&["clerk"], "Service.Documents.*"), "a group");
    assert!(table.names_role("clerk") && !table.names_role("viewer"));
}

#[test]
fn prohibition_is_stronger_than_permission_whatever_the_order_and_the_role() {
    let get = operation::GET_DOCUMENT.scope;
    let table = table(
        "forbid (principal in Role::\"trainee\", action in Action::\"Service.Documents.*\", resource);
         permit (principal in Role::\"trainee\", action, resource);
         @comment(\"with an annotation\")
         permit (principal is User in Role::\"clerk\", action in [Action::\"LeastRole.viewer\"], resource);
         forbid (principal, action == Action::\"Service.Admin.Impersonate\", resource);",
    );
    assert!(table.allows(&["clerk"], get));
    assert!(!table.allows(&["clerk", "trainee"], get));
    assert!(table.allows(&["trainee"], operation::GET_INVOICE.scope));
    assert!(!table.allows(&["trainee"], operation::IMPERSONATE.scope));
}

#[test]
fn violation_has_its_place() {
    for (text, position, description) in [
        ("permit (", Some((1, 9)), "unexpected end of input"),
        (
            "permit (principal in Role::\"a\", action, resource)\n  when { true };",
            Some((2, 3)),
            "`when` is not allowed",
        ),
        (
            "// 😀\npermit (principal in Role::\"a\", action in Action::\"Service.Adnim.*\", resource);",
            Some((2, 43)),
            "unrecognized action",
        ),
        (
            "permit (principal, action, resource);",
            Some((1, 1)),
            "names its role",
        ),
        (
            " forbid (principal, action, resource);\n permit (principal == User::\"a\", action, resource);",
            Some((2, 2)),
            "is given as",
        ),
        (
            "permit (principal in User::\"a\", action, resource);",
            Some((1, 1)),
            "is no role",
        ),
        (
            "permit (principal in Role::\"a b\", action, resource);",
            Some((1, 1)),
            "is no name",
        ),
        (
            "permit (principal in Role::\"a\", action == Action::\"Service.*\", resource);",
            Some((1, 1)),
            "is a group",
        ),
        (
            "permit (principal in Role::\"a\", action, resource == Environment::\"x\");",
            Some((1, 1)),
            "every organization",
        ),
        (
            "permit (principal in ?principal, action, resource);",
            Some((1, 22)),
            "is not allowed",
        ),
        (
            "permit (principal in Role::\"a, action, resource);",
            Some((1, 28)),
            "does not end",
        ),
    ] {
        let found = violation(text);
        assert_eq!(found.position, position, "{text}: {found:?}");
        assert!(found.description.contains(description), "{text}: {found:?}");
    }
}

#[test]
fn text_that_would_be_costly_is_refused_before_it_is_parsed() {
    for text in [
        "(".repeat(400_000),
        format!("permit (principal in {}", "[".repeat(100_000)),
        format!(
            "permit (principal, action, resource) when {{ {} }};",
            "!".repeat(100_000)
        ),
        format!(
            "permit (principal == a{}, action, resource);",
            ".a".repeat(100_000)
        ),
        "if ".repeat(100_000),
        "\"".to_owned(),
        "\\".repeat(100_000),
    ] {
        assert!(read(&text).is_err());
    }
    let policy = "permit (principal in Role::\"a\", action, resource);";
    assert!(
        violation(&policy.repeat(2_001))
            .description
            .contains("more than 2000 policies")
    );
    let actions = "Action::\"Service.*\",".repeat(20_001);
    let text = format!("permit (principal in Role::\"a\", action in [{actions}], resource);");
    assert!(
        violation(&text)
            .description
            .contains("more than 20000 scopes")
    );
}

#[test]
fn text_of_another_release_keeps_what_this_one_knows() {
    let text = "permit (principal in Role::\"a\", action in [Action::\"Service.Later.v1.Get\", Action::\"Service.Later.*\", Action::\"Service.Documents.v2.Get\"], resource);";
    assert!(
        validate(text, &SCOPES).is_err(),
        "it is not published again"
    );
    let table = RuleTable::new(&read(text).expect("it is read"), &SCOPES);
    assert!(table.allows(&["a"], operation::GET_DOCUMENT.scope));
    assert!(!table.allows(&["a"], "Service.Later.v1.Get"));

    // An operation of this release that a group of the text includes is given without an edit.
    let later = Scopes::new([("Service.Later.v1.Get", Role::Viewer)]);
    let table = RuleTable::new(&read(text).expect("it is read"), &later);
    assert!(table.allows(&["a"], "Service.Later.v1.Get"));
    let table = RuleTable::new(&read(&built_in_text()).expect("it is read"), &later);
    assert!(table.allows(&["viewer"], "Service.Later.v1.Get"));
}

#[test]
fn rows_and_text_say_the_same() {
    let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let rows = RuleMatrix {
        roles: vec![RoleRules {
            role: "clerk".to_owned(),
            allowed: texts(&["LeastRole.viewer", "Service.Documents.*"]),
            forbidden: texts(&["Service.Documents.v2.Modify.Delete"]),
        }],
        forbidden: texts(&["Service.Admin.Impersonate"]),
    };
    let text = matrix::to_text(&rows, &SCOPES).expect("rows");
    let policies = validate(&text, &SCOPES).expect("a text");
    assert_eq!(matrix::from_policies(&policies), rows);

    let wrong = RuleMatrix {
        roles: vec![
            RoleRules {
                role: "clerk\", action, resource); permit (principal in Role::\"x".to_owned(),
                allowed: texts(&["Service.Nothing"]),
                forbidden: Vec::new(),
            },
            RoleRules {
                role: "viewer".to_owned(),
                ..RoleRules::default()
            },
            RoleRules {
                role: "viewer".to_owned(),
                allowed: texts(&["Service.*"]),
                forbidden: texts(&["Service.*", "x\"y"]),
            },
        ],
        forbidden: Vec::new(),
    };
    let violations = matrix::to_text(&wrong, &SCOPES).expect_err("wrong rows");
    let fields: Vec<_> = violations.iter().map(|each| &*each.field).collect();
    assert_eq!(
        fields,
        [
            "matrix.roles[0].role",
            "matrix.roles[0].allowed[0]",
            "matrix.roles[1]",
            "matrix.roles[2].role",
            "matrix.roles[2].forbidden[1]",
        ]
    );
}

#[test]
fn violations_of_rows_are_bounded() {
    let rows = RuleMatrix {
        roles: Vec::new(),
        forbidden: vec!["Service.Nothing".to_owned(); 1_000],
    };
    let violations = matrix::to_text(&rows, &SCOPES).expect_err("no scopes");
    assert_eq!(violations.len(), MAX_VIOLATIONS);
}
