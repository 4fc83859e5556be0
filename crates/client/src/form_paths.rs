//! The only mapping from paths in requests to paths in [`InvoiceContent`](crate::views::InvoiceContent), for violations. The
//! UI only finds the input of a form path.

use invoicing_contract::FieldViolation;

use crate::views::Violation;

/// Path of the invoice in the requests, longest first.
const ROOTS: [&str; 2] = ["changes.content.invoice", "invoice"];

/// Lists of which the form has the first entry apart: the list in a path, the first in the form, and the others in the form.
const FIRST_APART: [(&str, &str, &str); 2] = [
    ("payment[", "details.payment", "details.otherPayments"),
    ("preceding[", "correction", "details.precedingDocuments"),
];

/// Path in the invoice message, and path in the form. `#` stands for an index. Other paths are not in the form.
const FIELDS: [(&str, &str); 75] = [
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
    ("buyer.address", "buyer.street"),
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
    ("lines[#].accounting", "lines[#].details.accounting"),
    ("lines[#].grossPrice", "lines[#].details.grossPrice"),
    ("lines[#].priceDiscount", "lines[#].details.priceDiscount"),
    ("lines[#].priceBaseUnit", "lines[#].details.priceBaseUnit"),
    ("lines[#].origin", "lines[#].details.origin"),
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
    ("references.tender", "details.references.tender"),
    ("payment", "details.payment.code"),
    ("payment[#]", "details.payment.code"),
    ("payment[#].code", "details.payment.code"),
    ("payment[#].name", "details.payment.name"),
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
    ("subtype", "details.subtype"),
    ("taxPointDate", "details.taxPointDate"),
    ("taxPointCode", "details.taxPointCode"),
];

/// Groups that have the same fields below them in the invoice and in the form.
const GROUPS: [(&str, &str); 17] = [
    ("buyer.tradingName", "buyer.details.tradingName"),
    ("buyer.otherIds", "buyer.details.otherIds"),
    ("buyer.legalId", "buyer.details.legalId"),
    ("buyer.electronicAddress", "buyer.details.electronicAddress"),
    ("buyer.contact", "buyer.details.contact"),
    (
        "references.invoicedObject",
        "details.references.invoicedObject",
    ),
    ("payment[#].card", "details.payment.card"),
    ("payment[#].mandate", "details.payment.mandate"),
    ("delivery", "details.delivery"),
    ("payee", "details.payee"),
    ("taxRepresentative", "details.taxRepresentative"),
    ("documents", "details.documents"),
    ("lines[#].object", "lines[#].details.object"),
    (
        "lines[#].itemDescription",
        "lines[#].details.itemDescription",
    ),
    (
        "lines[#].standardItemCode",
        "lines[#].details.standardItemCode",
    ),
    (
        "lines[#].classifications",
        "lines[#].details.classifications",
    ),
    ("lines[#].attributes", "lines[#].details.attributes"),
];

/// The fields of an allowance or charge besides its tax, which have the same names in the form.
const ALLOWANCE_CHARGE: [&str; 5] = ["amount", "base", "percent", "reason", "reasonCode"];

/// The fields of the buyer's address that few buyers have.
const ADDRESS_DETAILS: [&str; 4] = [
    "additionalNumber",
    "additionalStreet",
    "thirdLine",
    "region",
];

/// The other fields of the buyer's address.
const ADDRESS: [&str; 6] = [
    "street",
    "building",
    "district",
    "city",
    "postalCode",
    "country",
];

/// The field of a rule whose violation names no path, as in the messages of tax authorities. Rules about several fields are not in it.
const RULE_FIELDS: [(&str, &str); 25] = [
    ("BR-03", "issueDate"),
    ("BR-05", "currency"),
    ("BR-07", "buyer.name"),
    ("BR-10", "buyer.street"),
    ("BR-11", "buyer.country"),
    ("BR-16", "lines"),
    ("BR-CO-25", "dueDate"),
    ("BR-CUSTOM-VALIDATION-01", "buyer.taxId"),
    ("BR-KSA-10", "buyer.street"),
    ("BR-KSA-14", "buyer.details.otherIds"),
    ("BR-KSA-15", "supplyDate"),
    ("BR-KSA-17", "correction.reason"),
    ("BR-KSA-25", "buyer.name"),
    ("BR-KSA-35", "supplyDate"),
    ("BR-KSA-36", "details.delivery.latestDate"),
    ("BR-KSA-42", "buyer.name"),
    ("BR-KSA-44", "buyer.taxId"),
    ("BR-KSA-49", "buyer.details.otherIds"),
    ("BR-KSA-56", "correction"),
    ("BR-KSA-63", "buyer.street"),
    ("BR-KSA-67", "buyer.postalCode"),
    ("BR-KSA-68", "details.taxCurrency"),
    ("BR-KSA-81", "buyer.details.otherIds"),
    ("BR-KSA-90", "details.exchangeRate"),
    ("BR-KSA-92", "details.references.contract"),
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
    for (list, first, others) in FIRST_APART {
        if let Some((index, rest)) = later_entry(path, list) {
            let path = content_path(&format!("{list}0]{rest}"))?;
            let entry = format!("{others}[{}]", index - 1);
            return Some(path.replacen(first, &entry, 1));
        }
    }
    let mut rest = path;
    loop {
        if let Some(found) = exact_field(rest) {
            return Some(found);
        }
        if let Some(group) = of_table(&GROUPS, rest) {
            return Some(group + &path[rest.len()..]);
        }
        rest = &rest[..rest.rfind(['.', '['])?];
    }
}

/// The index of an entry after the first of a list, and the path in it.
fn later_entry<'path>(path: &'path str, list: &str) -> Option<(usize, &'path str)> {
    let (index, rest) = path.strip_prefix(list)?.split_once(']')?;
    let index = index.parse().ok().filter(|index| *index > 0)?;
    Some((index, rest))
}

fn exact_field(path: &str) -> Option<String> {
    if let Some(part) = path.strip_prefix("buyer.address.") {
        if ADDRESS_DETAILS.contains(&part) {
            return Some(format!("buyer.details.{part}"));
        }
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
    of_table(&FIELDS, path)
}

/// The form path of a path that a table has.
fn of_table(table: &[(&str, &str)], path: &str) -> Option<String> {
    let (pattern, numbers) = split_indices(path)?;
    let (_, form) = table.iter().find(|(wire, _)| *wire == pattern)?;
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
mod tests;
