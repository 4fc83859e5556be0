//! Checks a party or an item by the rules of invoices: it is put into an invoice that is right otherwise.

use invoice::check;
use invoicing_contract::messages::documents::{Invoice, Line, LocalizedText, Subtype, Tax};
use invoicing_contract::{FieldViolation, invoice_mapping};
use invoicing_storage::StorageError;
use invoicing_storage::access::Tenant;
use jiff::Timestamp;

use crate::documents::check_context;
use crate::tenant_time::today;

/// Most characters of a tag.
const MAX_TAG_CHARACTERS: usize = 50;

/// An invoice with one line. Rules about the buyer of a simplified invoice are about what is there, not about what is missing.
pub(super) fn probe() -> Invoice {
    Invoice {
        subtype: Subtype::Simplified as i32,
        lines: vec![probe_line()],
        ..Invoice::default()
    }
}

/// A line of goods.
pub(super) fn probe_line() -> Line {
    Line {
        description: Some(LocalizedText {
            en: "goods".to_owned(),
            ar: String::new(),
        }),
        quantity: "1".to_owned(),
        unit_price: "1".to_owned(),
        tax: Some(Tax {
            category: "S".to_owned(),
            rate: "15".to_owned(),
            ..Tax::default()
        }),
        ..Line::default()
    }
}

/// The violations of an invoice in the fields that `paths` names, each with the field of the request in its place.
pub(super) fn violations(
    invoice: Invoice,
    tenant: &Tenant,
    now: Timestamp,
    paths: &[(&str, &str)],
) -> Result<Vec<FieldViolation>, StorageError> {
    let context = check_context(tenant, today(tenant, now))?;
    let (content, _) = invoice_mapping::to_content(invoice);
    let mut found = Vec::new();
    for violation in check(&content, &context).violations {
        let field = paths.iter().find_map(|(path, field)| {
            let rest = violation.path.strip_prefix(path)?;
            let whole = rest.is_empty() || rest.starts_with(['.', '[']);
            whole.then(|| format!("{field}{rest}"))
        });
        if let Some(field) = field {
            found.push(FieldViolation::of_rule(
                field,
                violation.rule,
                violation.description,
            ));
        }
    }
    Ok(found)
}

/// The violations of the tags in `field`.
pub(super) fn check_tags(tags: &[String], field: &str) -> Vec<FieldViolation> {
    let wrong = tags.iter().enumerate().filter(|(index, tag)| {
        let fits = !tag.trim().is_empty()
            && tag.chars().count() <= MAX_TAG_CHARACTERS
            && !tag.chars().any(char::is_control);
        !fits || tags.iter().take(*index).any(|other| other == *tag)
    });
    wrong
        .map(|(index, _)| {
            FieldViolation::new(
                format!("{field}[{index}]"),
                "must be a text of at most 50 characters that is given once",
            )
        })
        .collect()
}

/// The violation of a name that is missing in both languages.
pub(super) fn check_name(name: &LocalizedText, field: &str) -> Option<FieldViolation> {
    let missing = name.ar.trim().is_empty() && name.en.trim().is_empty();
    missing.then(|| FieldViolation::new(field, "is required in Arabic or English"))
}
