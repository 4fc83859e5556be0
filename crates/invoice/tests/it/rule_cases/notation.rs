//! Small documents in a compact notation: `Name(…)` is a group, `Name=value@attribute:value` a field, `VAT` the tax scheme.

use std::fmt::Write as _;

/// Converts a document in the notation to UBL.
pub(crate) fn document(text: &str) -> String {
    let (root, text) = match text.strip_prefix("CreditNote ") {
        Some(rest) => ("CreditNote", rest),
        None => ("Invoice", text),
    };
    let schema = "urn:oasis:names:specification:ubl:schema:xsd";
    let mut xml = format!(
        "<{root} xmlns=\"{schema}:{root}-2\" xmlns:cac=\"{schema}:CommonAggregateComponents-2\" \
         xmlns:cbc=\"{schema}:CommonBasicComponents-2\">"
    );
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let name = rest
            .find(|letter: char| !letter.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(name);
        rest = match (first, after.chars().next()) {
            (' ', _) => &rest[1..],
            (')', _) => {
                let name: &str = open
                    .pop()
                    .unwrap_or_else(|| panic!("nothing is open: {text}"));
                let _ = write!(xml, "</cac:{name}>");
                &rest[1..]
            }
            (_, Some('(')) => {
                let _ = write!(xml, "<cac:{name}>");
                open.push(name);
                &after[1..]
            }
            (_, Some('=')) => field(&mut xml, name, &after[1..]),
            _ if name == "VAT" => {
                xml.push_str("<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>");
                after
            }
            _ => panic!("{name} is neither a group nor a field: {text}"),
        };
    }
    assert!(open.is_empty(), "{open:?} stay open: {text}");
    let _ = write!(xml, "</{root}>");
    xml
}

/// Writes the field whose value begins the text. Returns the rest of the text.
fn field<'a>(xml: &mut String, name: &str, text: &'a str) -> &'a str {
    let end = text.find([' ', ')']).unwrap_or(text.len());
    let (value, rest) = text.split_at(end);
    let (value, attribute) = value.split_once('@').unwrap_or((value, ""));
    let _ = write!(xml, "<cbc:{name}");
    if let Some((key, value)) = attribute.split_once(':') {
        let _ = write!(xml, " {key}=\"{value}\"");
    }
    let _ = write!(xml, ">{value}</cbc:{name}>");
    rest
}
