//! The only mapping from paths in requests to paths in [`InvoiceContent`](crate::views::InvoiceContent), for violations. The
//! UI only finds the input of a form path.

use invoicing_contract::FieldViolation;

use crate::views::Violation;

/// Path of the invoice in the requests, longest first.
const ROOTS: [&str; 2] = ["changes.content.invoice", "invoice"];

/// Path in the invoice message, and path in the form. `#` stands for an index. Other paths are not in the form.
const FIELDS: [(&str, &str); 65] = [
    ("kind", "kind"),
    ("issueDate", "issueDate"),
    ("dueDate", "dueDate"),
    ("supplyDate", "supplyDate"),
    ("currency", "currency"),
    ("note", "note"),
    ("noteAr", "noteAr"),
    ("reason", "correction.reason"),
    ("preceding", "correction"),
    ("preceding[#].documentKey", "correction.key"),
    ("preceding[#].number", "correction.number"),
    ("preceding[#].issueDate", "correction.issueDate"),
    ("buyer", "buyer"),
    ("buyer.name", "buyer.name"),
    ("buyer.taxId", "buyer.taxId"),
    ("buyer.address", "buyer"),
    ("buyer.address.#", "buyer.#"),
    ("lines", "lines"),
    ("lines[#]", "lines[#]"),
    ("lines[#].description", "lines[#].description"),
    ("lines[#].quantity", "lines[#].quantity"),
    ("lines[#].unit", "lines[#].unit"),
    ("lines[#].unitPrice", "lines[#].unitPrice"),
    ("lines[#].tax", "lines[#].taxCategory"),
    ("lines[#].tax.rate", "lines[#].taxRate"),
    ("lines[#].tax.exemptionCode", "lines[#].exemptionCode"),
    (
        "lines[#].tax.exemptionReason",
        "lines[#].details.exemptionReason",
    ),
    ("lines[#].priceBase", "lines[#].details.priceBase"),
    ("lines[#].itemCode", "lines[#].details.itemCode"),
    ("lines[#].buyerItemCode", "lines[#].details.buyerItemCode"),
    ("lines[#].orderLine", "lines[#].details.orderLine"),
    ("lines[#].note", "lines[#].details.note"),
    ("lines[#].period", "lines[#].details.period.start"),
    ("lines[#].period.start", "lines[#].details.period.start"),
    ("lines[#].period.end", "lines[#].details.period.end"),
    (
        "lines[#].allowancesCharges[#]",
        "lines[#].details.allowancesCharges[#]",
    ),
    ("allowancesCharges[#]", "details.allowancesCharges[#]"),
    (
        "allowancesCharges[#].tax",
        "details.allowancesCharges[#].taxCategory",
    ),
    (
        "allowancesCharges[#].tax.rate",
        "details.allowancesCharges[#].taxRate",
    ),
    (
        "allowancesCharges[#].tax.exemptionCode",
        "details.allowancesCharges[#].exemptionCode",
    ),
    ("period", "details.period.start"),
    ("period.start", "details.period.start"),
    ("period.end", "details.period.end"),
    ("purchaseOrder", "details.references.purchaseOrder"),
    ("references", "details.references.buyer"),
    ("references.buyer", "details.references.buyer"),
    ("references.contract", "details.references.contract"),
    ("references.project", "details.references.project"),
    ("references.salesOrder", "details.references.salesOrder"),
    (
        "references.despatchAdvice",
        "details.references.despatchAdvice",
    ),
    (
        "references.receivingAdvice",
        "details.references.receivingAdvice",
    ),
    ("references.accounting", "details.references.accounting"),
    ("payment", "details.payment.code"),
    ("payment[#]", "details.payment.code"),
    ("payment[#].code", "details.payment.code"),
    ("payment[#].remittance", "details.payment.remittance"),
    ("payment[#].account", "details.payment.account"),
    ("payment[#].account.id", "details.payment.account"),
    ("payment[#].account.name", "details.payment.accountName"),
    ("payment[#].account.provider", "details.payment.provider"),
    ("paymentTerms", "details.paymentTerms"),
    ("taxCurrency", "details.taxCurrency"),
    ("exchangeRate", "details.exchangeRate"),
    ("prepaid", "details.prepaid"),
    ("rounding", "details.rounding"),
];

/// The fields of an allowance or charge besides its tax, which have the same names in the form.
const ALLOWANCE_CHARGE: [&str; 5] = ["amount", "base", "percent", "reason", "reasonCode"];

/// The fields of an address that the form has.
const ADDRESS: [&str; 6] = [
    "street",
    "building",
    "district",
    "city",
    "postalCode",
    "country",
];

/// The field of a rule whose violation names no path, as in the messages of tax authorities. Other rules are about several fields.
const RULE_FIELDS: [(&str, &str); 14] = [
    ("BR-03", "issueDate"),
    ("BR-05", "currency"),
    ("BR-07", "buyer.name"),
    ("BR-10", "buyer"),
    ("BR-11", "buyer.country"),
    ("BR-16", "lines"),
    ("BR-CO-25", "dueDate"),
    ("BR-KSA-15", "supplyDate"),
    ("BR-KSA-17", "correction.reason"),
    ("BR-KSA-42", "buyer.name"),
    ("BR-KSA-44", "buyer.taxId"),
    ("BR-KSA-56", "correction"),
    ("BR-KSA-63", "buyer"),
    ("BR-KSA-67", "buyer.postalCode"),
];

/// The field of the form that a rule is about, if it is one.
pub(crate) fn field_of_rule(rule: &str) -> Option<&'static str> {
    let (_, field) = RULE_FIELDS.iter().find(|(name, _)| *name == rule)?;
    Some(field)
}

/// A violation of a request, at its field of the form.
pub(crate) fn to_view(violation: &FieldViolation) -> Violation {
    let (rule, description) = split_rule(&violation.description);
    Violation {
        field: form_path(&violation.field),
        path: violation.field.clone(),
        rule: rule.to_owned(),
        description: description.to_owned(),
    }
}

/// The form path for a request's path. The longest prefix that the form has counts: the service can be more precise than
/// the form.
pub(crate) fn form_path(path: &str) -> Option<String> {
    let inner = ROOTS
        .iter()
        .find_map(|root| path.strip_prefix(root)?.strip_prefix('.'))?;
    content_path(inner)
}

/// The same for a path in the invoice.
pub(crate) fn content_path(path: &str) -> Option<String> {
    let mut rest = path;
    loop {
        if let Some(found) = exact_field(rest) {
            return Some(found);
        }
        rest = &rest[..rest.rfind(['.', '['])?];
    }
}

fn exact_field(path: &str) -> Option<String> {
    if let Some(part) = path.strip_prefix("buyer.address.") {
        return ADDRESS.contains(&part).then(|| format!("buyer.{part}"));
    }
    for name in ["ar", "en"] {
        for text in ["buyer.name", "description"] {
            if let Some(before) = path
                .strip_suffix(name)
                .and_then(|path| path.strip_suffix('.'))
                && before.ends_with(text)
            {
                return exact_field(before).map(|field| format!("{field}.{name}"));
            }
        }
    }
    if let Some((item, part)) = path.rsplit_once('.')
        && ALLOWANCE_CHARGE.contains(&part)
        && item.contains("allowancesCharges[")
    {
        return exact_field(item).map(|field| format!("{field}.{part}"));
    }
    let (pattern, numbers) = split_indices(path)?;
    let (_, form) = FIELDS.iter().find(|(wire, _)| *wire == pattern)?;
    let mut numbers = numbers.into_iter();
    let mut field = String::new();
    for (at, part) in form.split('#').enumerate() {
        if at > 0 {
            field.push_str(numbers.next().unwrap_or_default());
        }
        field.push_str(part);
    }
    Some(field)
}

/// `lines[2].tax` as `lines[#].tax` and `2`.
fn split_indices(path: &str) -> Option<(String, Vec<&str>)> {
    let (mut pattern, mut numbers, mut rest) = (String::new(), Vec::new(), path);
    while let Some((before, after)) = rest.split_once('[') {
        let (number, after) = after.split_once(']')?;
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        pattern.push_str(before);
        pattern.push_str("[#]");
        numbers.push(number);
        rest = after;
    }
    pattern.push_str(rest);
    Some((pattern, numbers))
}

/// `BR-S-05: …` as rule and sentence. Without a rule, the first is empty.
fn split_rule(description: &str) -> (&str, &str) {
    let Some((rule, sentence)) = description.split_once(": ") else {
        return ("", description);
    };
    let is_rule = rule.contains('-')
        && rule
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
    if is_rule {
        (rule, sentence)
    } else {
        ("", description)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn field_is_found_in_the_requests_of_both_apis() {
        for (wire, form) in [
            ("invoice.lines[2].tax.rate", "lines[2].taxRate"),
            (
                "changes.content.invoice.lines[10].unitPrice",
                "lines[10].unitPrice",
            ),
            ("invoice.lines[0].description.ar", "lines[0].description.ar"),
            ("invoice.buyer.name", "buyer.name"),
            ("invoice.buyer.name.en", "buyer.name.en"),
            ("invoice.buyer.address.postalCode", "buyer.postalCode"),
            (
                "changes.content.invoice.preceding[0].number",
                "correction.number",
            ),
            ("changes.content.invoice.reason", "correction.reason"),
            ("invoice.lines", "lines"),
        ] {
            assert_eq!(form_path(wire).as_deref(), Some(form), "{wire}");
        }
    }

    #[test]
    fn path_below_a_field_of_the_form_is_mapped_to_that_field() {
        for (wire, form) in [
            ("invoice.lines[1].tax.category", "lines[1].taxCategory"),
            (
                "invoice.lines[1].allowancesCharges[0].amount.x",
                "lines[1].details.allowancesCharges[0].amount",
            ),
            ("invoice.buyer.address.region", "buyer"),
            ("invoice.buyer.contact.email", "buyer"),
            ("changes.content.invoice.preceding[3].x", "correction"),
        ] {
            assert_eq!(form_path(wire).as_deref(), Some(form), "{wire}");
        }
    }

    #[test]
    fn path_outside_the_form_has_no_field_and_keeps_its_path() {
        for path in [
            "changes.content",
            "pageToken",
            "",
            "invoice",
            "invoice.seller.name",
            "invoice.lines[x]y",
        ] {
            let shown = to_view(&FieldViolation::new(path, "INV-X: no"));
            let expected = (path == "invoice.lines[x]y").then(|| "lines".to_owned());
            assert_eq!((shown.field, shown.path.as_str()), (expected, path));
        }
    }

    #[test]
    fn rule_is_split_from_the_description() {
        let split = |description: &str| {
            let shown = to_view(&FieldViolation::new("", description));
            (shown.rule, shown.description)
        };
        assert_eq!(
            split("BR-S-05: the rate is missing"),
            ("BR-S-05".to_owned(), "the rate is missing".to_owned())
        );
        assert_eq!(
            split("note: BR-S-05"),
            (String::new(), "note: BR-S-05".to_owned())
        );
        assert_eq!(split("no"), (String::new(), "no".to_owned()));
    }

    proptest! {
        #[test]
        fn any_path_is_mapped_without_panic(path in ".*", inner in "[a-z\\[\\].0-9]{0,30}") {
            let _ = form_path(&path);
            let within = format!("invoice.{inner}");
            let _ = form_path(&within);
        }
    }
}
