//! Reads plans from messages, with their checks, and writes them.

use std::collections::BTreeSet;

use invoicing_contract::messages::documents::Kind;
use invoicing_contract::messages::plans as wire;
use invoicing_contract::{FieldViolation, output_violations};
use invoicing_storage::plans::{Entitlements, Limits, Plan};

use crate::documents::fold::fold;

/// The languages of the texts of documents.
const LANGUAGES: [&str; 2] = ["ar", "en"];
/// The path of the plan in a request, with a point after it.
pub(super) const PLAN: &str = "plan.";
/// Most characters of a name.
const MAX_NAME_CHARACTERS: usize = 200;

/// The plan in a request, without id and stamp.
///
/// # Errors
/// Every violation, below `plan`.
pub(super) fn read_plan(message: &wire::Plan) -> Result<Plan, Vec<FieldViolation>> {
    let mut violations = output_violations(message, PLAN);
    let mut check = |holds: bool, field: &str, description: &str| {
        if !holds {
            violations.push(FieldViolation::new(field, description));
        }
    };
    check(
        !message.name.trim().is_empty(),
        "plan.name",
        "must be given",
    );
    for (field, name) in [
        ("plan.name", &message.name),
        ("plan.nameAr", &message.name_ar),
    ] {
        check(
            name.chars().count() <= MAX_NAME_CHARACTERS && !name.chars().any(char::is_control),
            field,
            "must have at most 200 characters on one line",
        );
    }
    let limits = message.limits.unwrap_or_default();
    for (field, limit) in [
        ("plan.limits.monthlyDocuments", limits.monthly_documents),
        ("plan.limits.requestsPerMinute", limits.requests_per_minute),
        ("plan.limits.users", limits.users),
    ] {
        check(
            limit.is_none_or(|limit| limit >= 0),
            field,
            "must not be negative",
        );
    }
    let entitlements = message.entitlements.clone().unwrap_or_default();
    let document_kinds = entitlements.document_kinds.map(|kinds| {
        let read = kinds.values.iter().enumerate().filter_map(|(index, kind)| {
            let kind = Kind::try_from(*kind).ok();
            let kind = kind.filter(|kind| *kind != Kind::Unspecified);
            check(
                kind.is_some(),
                &format!("plan.entitlements.documentKinds.values[{index}]"),
                "is not a kind of document",
            );
            kind
        });
        read.collect::<BTreeSet<_>>()
    });
    let languages = entitlements.languages.map(|languages| {
        for (index, language) in languages.values.iter().enumerate() {
            check(
                LANGUAGES.contains(&&**language),
                &format!("plan.entitlements.languages.values[{index}]"),
                "must be ar or en",
            );
        }
        languages.values.into_iter().collect::<BTreeSet<_>>()
    });
    let authorities = entitlements.authorities.map(|authorities| {
        for (index, authority) in authorities.values.iter().enumerate() {
            check(
                is_authority_name(authority),
                &format!("plan.entitlements.authorities.values[{index}]"),
                "must be 1 to 64 lower-case letters, digits, hyphens or underscores",
            );
        }
        authorities.values.into_iter().collect::<BTreeSet<_>>()
    });
    if !violations.is_empty() {
        return Err(violations);
    }
    let name = message.name.trim().to_owned();
    let name_ar = match message.name_ar.trim() {
        "" => name.clone(),
        name_ar => name_ar.to_owned(),
    };
    Ok(Plan {
        search_text: fold(&format!("{name} {name_ar}")),
        name,
        name_ar,
        id: String::new().into(),
        stamp: String::new().into(),
        limits: Limits {
            monthly_documents: limits.monthly_documents.map(i64::from),
            requests_per_minute: limits.requests_per_minute.map(i64::from),
            users: limits.users.map(i64::from),
        },
        entitlements: Entitlements {
            document_kinds,
            languages,
            authorities,
            api_access: entitlements.api_access.unwrap_or(true),
        },
    })
}

fn is_authority_name(name: &str) -> bool {
    let is_allowed = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_'
    };
    !name.is_empty() && name.len() <= 64 && name.bytes().all(is_allowed)
}

/// The message of a plan.
pub(super) fn plan_message(plan: &Plan) -> wire::Plan {
    wire::Plan {
        plan_id: plan.id.to_string(),
        concurrency_stamp: plan.stamp.to_string(),
        name: plan.name.clone(),
        name_ar: plan.name_ar.clone(),
        limits: Some(limits_message(plan.limits)),
        entitlements: Some(entitlements_message(&plan.entitlements)),
    }
}

/// The message of limits. Those beyond 31 bits, which only the command line can set, are shown as the largest.
pub(super) fn limits_message(limits: Limits) -> wire::Limits {
    let narrow = |limit: i64| i32::try_from(limit).unwrap_or(i32::MAX);
    wire::Limits {
        monthly_documents: limits.monthly_documents.map(narrow),
        requests_per_minute: limits.requests_per_minute.map(narrow),
        users: limits.users.map(narrow),
    }
}

/// The message of entitlements. Nothing stands for what is not restricted.
pub(super) fn entitlements_message(entitlements: &Entitlements) -> wire::Entitlements {
    let kinds = entitlements.document_kinds.as_ref();
    let texts = |values: &BTreeSet<String>| values.iter().cloned().collect();
    wire::Entitlements {
        document_kinds: kinds.map(|kinds| wire::DocumentKinds {
            values: kinds.iter().map(|kind| i32::from(*kind)).collect(),
        }),
        languages: entitlements.languages.as_ref().map(|languages| {
            let values = texts(languages);
            wire::Languages { values }
        }),
        authorities: entitlements.authorities.as_ref().map(|authorities| {
            let values = texts(authorities);
            wire::Authorities { values }
        }),
        api_access: (!entitlements.api_access).then_some(false),
    }
}
