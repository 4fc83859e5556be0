//! Which methods of the store traits are in the table.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::operations::Operation;

/// Methods that write nothing.
const READS: &[&str] = &[
    "access_token",
    "account",
    "accounts",
    "accounts_with_ids",
    "application",
    "applications",
    "applications_of",
    "assumed_basis",
    "attachment",
    "attempts",
    "audit",
    "audit_archives",
    "audit_archives_of",
    "authorities",
    "authority",
    "authorization_code",
    "basis",
    "bearer",
    "buyer_sums",
    "clearance_backlog",
    "count_documents",
    "count_users",
    "count_valid_pats",
    "credit_relations",
    "data_version",
    "debit_notes",
    "document",
    "document_history",
    "documents_created",
    "domain",
    "domains",
    "encoded_document",
    "events_from",
    "failed_attempts",
    "grants",
    "last_audit_archive",
    "last_numbers",
    "last_position",
    "list_document_rows",
    "list_document_summaries",
    "list_documents",
    "master_record",
    "master_record_history",
    "master_record_identified",
    "master_records",
    "member",
    "month_sums",
    "open_sums",
    "operator",
    "organization",
    "organization_of_domain",
    "organization_page",
    "organizations",
    "organizations_with_ids",
    "password_code",
    "pat",
    "pat_by_id",
    "pats",
    "payment",
    "payments",
    "plan",
    "plans",
    "pushed_request",
    "receivable",
    "refresh_token",
    "registered_application",
    "role_holders",
    "role_sets",
    "roles_of_sign_in",
    "rule_versions",
    "rules",
    "rules_number",
    "session",
    "setting",
    "signing_keys",
    "subject_by_username",
    "submission",
    "submission_content",
    "submissions",
    "tax_sums",
    "tenant",
    "tenant_history",
    "units_in_use",
    "user",
    "users",
];

/// Writes that are not in the table, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "add_signing_key",
        "an algorithm has one key in a state, so that cells are not independent; rotate_signing_keys prepares with it",
    ),
    (
        "archivable_events",
        "gives positions to events of all cells",
    ),
    ("record_archive", "deletes events of all cells"),
    (
        "acquire",
        "a repetition acquires again: the first units are lost, never given twice (decision 0108)",
    ),
    (
        "count_failed_attempt",
        "a repetition counts the attempt again (decision 0192)",
    ),
    (
        "maintain",
        "deletes expired rows of all cells, and a repetition finds fewer",
    ),
    (
        "name_operator",
        "an environment has one operator organization, so that only the first cell writes",
    ),
    (
        "publish_rules",
        "a version follows the one before, so that cells are not independent",
    ),
    ("release_claims", "writes nothing on PostgreSQL"),
];

/// The methods of the traits named `…Store` in a file. Moves of whole databases are tested by interrupting them at every step.
fn methods(source: &str) -> Vec<String> {
    let traits = source.split("pub trait ").skip(1);
    let bodies = traits.filter_map(|text| {
        let (head, rest) = text.split_once('{')?;
        let name: String = head.chars().take_while(|c| c.is_alphanumeric()).collect();
        let (body, _) = rest.split_once("\n}")?;
        (name.ends_with("Store") && name != "Store" && name != "TransferStore").then_some(body)
    });
    let declarations = bodies.flat_map(|body| body.split("fn ").skip(1));
    let names = declarations.map(|text| text.split(['(', '<']).next().unwrap_or_default());
    names.map(str::to_owned).collect()
}

fn sources(folder: &Path, into: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("suite") {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(fs::read_to_string(path).unwrap());
        }
    }
}

/// The methods of all store traits.
fn store_methods() -> BTreeSet<String> {
    let mut files = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../storage/src"),
        &mut files,
    );
    let methods: BTreeSet<String> = files.iter().flat_map(|file| methods(file)).collect();
    assert!(methods.len() > 100, "{methods:?}");
    methods
}

#[test]
fn every_method_is_called_by_a_case_of_the_behavioural_suite() {
    let mut cases = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../storage/src/suite"),
        &mut cases,
    );
    let is_called = |method: &String| {
        let calls = [format!(".{method}("), format!(":{method}(")];
        cases
            .iter()
            .any(|case| calls.iter().any(|call| case.contains(call)))
    };
    let methods = store_methods().into_iter();
    let without: Vec<_> = methods.filter(|method| !is_called(method)).collect();
    assert_eq!(without, [""; 0], "methods without a case");
}

/// Methods of the traits that `operations` and the lists do not name, and names in both.
pub(crate) fn unnamed_methods(operations: &[Box<dyn Operation>]) -> Vec<String> {
    let methods = store_methods();
    // A name begins with the method and says what is special about the call, or it names two.
    let names = operations.iter().map(|operation| operation.name());
    let written: BTreeSet<&str> = names
        .flat_map(|name| name.split(" and "))
        .filter_map(|name| name.split(' ').next())
        .collect();
    let exceptions = EXCEPTIONS.iter().map(|(name, _)| *name);
    let others: BTreeSet<&str> = READS.iter().copied().chain(exceptions).collect();
    let unnamed = methods
        .iter()
        .filter(|name| !written.contains(&***name) && !others.contains(&***name));
    let stale = others
        .iter()
        .filter(|name| !methods.contains(**name) || written.contains(*name));
    unnamed
        .cloned()
        .chain(stale.map(|name| (*name).to_owned()))
        .collect()
}
