//! Reads an invoice file of another program on this computer: what a draft of it has, what is left out, which rules it breaks
//! (decision 0141).

use std::collections::BTreeMap;

use ::invoice::content::{Party, SupportingDocument};
use ::invoice::xml::{Limits, ReadError};
use ::invoice::{
    ParsedDocument, Syntax, Violation as RuleViolation, check_document, decimal, hybrid,
};
use invoicing_contract::invoice_mapping;
use jiff::civil::Date;
use serde_json::Value;

use super::form::to_form;
use super::overlay::overlay;
use super::{calculate, parse_numbers};
use crate::form_paths;
use crate::views::{
    CommandError, FileParty, FileProblem, FileReading, FileRelation, FileSyntax, InvoiceContent,
    UnreadElement, UnreadReason, Violation,
};

/// Limits of a file, as those of the service (decision 0121).
const LIMITS: Limits = Limits {
    bytes: 4 << 20,
    token_bytes: 4 << 20,
    depth: 32,
    repeated: 20_000,
    unmapped_names: 500,
};
/// Bytes of an XML file, also of one inside a PDF.
const MAX_XML: usize = 4 << 20;
/// Bytes of a PDF.
const MAX_PDF: usize = 16 << 20;
/// Violations that are listed.
const MAX_VIOLATIONS: usize = 200;
/// Supporting documents of Saudi Arabia that belong to one issued file: counter, hash of the file before, QR code.
const OF_ISSUED_FILE: [&str; 3] = ["ICV", "PIH", "QR"];
/// Fields that every draft gets again: the service numbers lines, and totals are computed.
const COMPUTED: [&str; 2] = ["lines[].id", "expectedTotals"];

/// Reads a file. `own` is the organization as a seller, if it is known.
pub(crate) fn read_file(
    bytes: &[u8],
    own: Option<&Party>,
    today: Date,
) -> Result<FileReading, CommandError> {
    let in_pdf = hybrid::is_pdf(bytes);
    let parsed = if in_pdf {
        read_pdf(bytes)
    } else {
        read_xml(bytes)
    }?;
    let violations = check_document(&parsed.document, today).violations;
    let parsed = with_own_numbers(parsed, own);
    let relation = relation(&parsed, own);
    let mut unread = unmapped(&parsed);
    let ParsedDocument {
        syntax, document, ..
    } = parsed;
    let mut content = document.content;
    content.documents.retain(|paper| !is_of_issued_file(paper));
    content.expected_totals = None;
    let form = to_form(content.clone());
    let (typed, _) = parse_numbers(&form);
    unread.extend(not_in_form(
        &invoice_mapping::to_message(content.clone()),
        &invoice_mapping::to_message(overlay(::invoice::Content::default(), &typed)),
    ));
    let declared = document.figures.totals.gross;
    unread.extend(other_total(&form, &declared, today));
    Ok(FileReading {
        syntax: match syntax {
            Syntax::Ubl => FileSyntax::Ubl,
            Syntax::Cii => FileSyntax::Cii,
        },
        in_pdf,
        number: document.number,
        kind: content.kind.into(),
        issue_date: content.issue_date,
        seller: party(document.seller),
        buyer: party(content.buyer),
        currency: content.currency,
        gross: declared,
        relation,
        violation_count: u32::try_from(violations.len()).unwrap_or(u32::MAX),
        violations: violations
            .into_iter()
            .take(MAX_VIOLATIONS)
            .map(violation)
            .collect(),
        unread,
        content: form,
    })
}

fn read_xml(bytes: &[u8]) -> Result<ParsedDocument, CommandError> {
    if bytes.is_empty() {
        return Err(not_read(FileProblem::Empty, None));
    }
    if bytes.len() > MAX_XML {
        return Err(not_read(FileProblem::TooLarge, None));
    }
    ::invoice::read(bytes, LIMITS).map_err(|error| {
        let position = u32::try_from(error.position()).ok();
        let problem = match error {
            ReadError::Root { .. } => FileProblem::NotAnInvoice,
            // What does not begin as XML is another kind of file.
            _ if !bytes.trim_ascii_start().starts_with(b"<") && !is_marked(bytes) => {
                FileProblem::NotAnInvoice
            }
            ReadError::Input { .. } | ReadError::Malformed { .. } => FileProblem::Malformed,
            ReadError::Doctype { .. } | ReadError::Entity { .. } => FileProblem::DocumentType,
            ReadError::Encoding { .. } => FileProblem::Encoding,
            ReadError::Limit { .. } => FileProblem::BeyondLimits,
        };
        not_read(problem, position)
    })
}

/// Whether a text begins with a byte order mark.
fn is_marked(bytes: &[u8]) -> bool {
    [b"\xef\xbb\xbf" as &[u8], b"\xff\xfe", b"\xfe\xff"]
        .iter()
        .any(|mark| bytes.starts_with(mark))
}

/// The last embedded file that is an invoice: a later one replaces one of an earlier revision.
fn read_pdf(bytes: &[u8]) -> Result<ParsedDocument, CommandError> {
    if bytes.len() > MAX_PDF {
        return Err(not_read(FileProblem::TooLarge, None));
    }
    let files = hybrid::embedded_files(bytes, MAX_XML);
    files
        .iter()
        .rev()
        .find_map(|file| read_xml(file).ok())
        .ok_or_else(|| not_read(FileProblem::PdfWithoutInvoice, None))
}

fn not_read(problem: FileProblem, position: Option<u32>) -> CommandError {
    CommandError::FileNotRead { problem, position }
}

/// Outside the scope of tax a file of the organization has the tax numbers as identifiers.
fn with_own_numbers(parsed: ParsedDocument, own: Option<&Party>) -> ParsedDocument {
    let number = own.map_or("", |own| &own.tax_id);
    ParsedDocument {
        document: parsed.document.with_vat_numbers_outside_scope(number),
        ..parsed
    }
}

fn relation(parsed: &ParsedDocument, own: Option<&Party>) -> FileRelation {
    let Some(own) = own else {
        return FileRelation::Unknown;
    };
    if is_same(own, &parsed.document.seller) {
        FileRelation::Seller
    } else if is_same(own, &parsed.document.content.buyer) {
        FileRelation::Buyer
    } else {
        FileRelation::Neither
    }
}

/// Whether two parties have the same tax number, or the same name if one has no tax number.
fn is_same(one: &Party, other: &Party) -> bool {
    let number = |party: &Party| -> String {
        party
            .tax_id
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_uppercase)
            .collect()
    };
    let (first, second) = (number(one), number(other));
    if !first.is_empty() && !second.is_empty() {
        return first == second;
    }
    let plain = |name: &str| {
        let words: Vec<_> = name.split_whitespace().collect();
        words.join(" ").to_lowercase()
    };
    let same = |one: &str, other: &str| !one.trim().is_empty() && plain(one) == plain(other);
    same(&one.name.en, &other.name.en) || same(&one.name.ar, &other.name.ar)
}

fn unmapped(parsed: &ParsedDocument) -> Vec<UnreadElement> {
    let mut unread = Vec::new();
    let document = &parsed.document;
    let mut add = |path: &str, count: u32, reason| {
        unread.push(UnreadElement {
            path: path.to_owned(),
            count,
            reason,
        });
    };
    if !document.number.is_empty() {
        add("number", 1, UnreadReason::Number);
    }
    if !document.creditor_id.is_empty() {
        add("creditorId", 1, UnreadReason::NoField);
    }
    let papers = document.content.documents.iter();
    let of_file = papers.filter(|paper| is_of_issued_file(paper)).count();
    if of_file > 0 {
        let count = u32::try_from(of_file).unwrap_or(u32::MAX);
        add("documents[]", count, UnreadReason::OfIssuedFile);
    }
    for element in &parsed.unmapped {
        let count = u32::try_from(element.count).unwrap_or(u32::MAX);
        add(&element.name, count, UnreadReason::NoField);
    }
    unread
}

fn is_of_issued_file(paper: &SupportingDocument) -> bool {
    OF_ISSUED_FILE.contains(&paper.id.value.as_str())
}

/// The fields of a content that are other or absent once it has been through the form.
fn not_in_form(read: &impl serde::Serialize, shown: &impl serde::Serialize) -> Vec<UnreadElement> {
    let mut paths = BTreeMap::new();
    if let (Ok(read), Ok(shown)) = (serde_json::to_value(read), serde_json::to_value(shown)) {
        compare("", &read, &shown, &mut paths);
    }
    paths
        .into_iter()
        .filter(|(path, _)| !COMPUTED.iter().any(|computed| path.starts_with(computed)))
        .map(|(path, count)| UnreadElement {
            path,
            count,
            reason: UnreadReason::NotInForm,
        })
        .collect()
}

fn compare(path: &str, read: &Value, shown: &Value, paths: &mut BTreeMap<String, u32>) {
    match read {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                compare(&path, value, &shown[name], paths);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let other = shown.get(index).unwrap_or(&Value::Null);
                compare(&format!("{path}[]"), item, other, paths);
            }
        }
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            if !is_equal(read, shown) {
                *paths.entry(path.to_owned()).or_default() += 1;
            }
        }
    }
}

/// Whether two values are the same, numbers by their value.
fn is_equal(read: &Value, shown: &Value) -> bool {
    let number = |value: &Value| value.as_str().and_then(|text| decimal::parse(text).ok());
    read == shown
        || *read == Value::String(String::new())
        || number(read).is_some_and(|read| number(shown) == Some(read))
}

fn other_total(form: &InvoiceContent, declared: &str, today: Date) -> Option<UnreadElement> {
    let computed = calculate(form, today, None).totals?.gross;
    let parse = |text: &str| decimal::parse(text).ok();
    (parse(&computed)? != parse(declared)?).then(|| UnreadElement {
        path: format!("totals.gross: {declared} ≠ {computed}"),
        count: 1,
        reason: UnreadReason::OtherTotal,
    })
}

fn party(party: Party) -> FileParty {
    FileParty {
        name: party.name.into(),
        tax_id: party.tax_id,
    }
}

fn violation(violation: RuleViolation) -> Violation {
    Violation {
        field: form_paths::content_path(&violation.path),
        path: violation.path,
        rule: violation.rule.to_owned(),
        description: violation.description,
    }
}
