//! Converts a document to the JSON data of the template: all texts and numbers are formatted here.

mod parties;
mod rates;

use rust_decimal::Decimal;
use serde_json::{Value, json};

use self::rates::{category, rate};
use super::printable_text::{TextPreparer, grouped};
use super::{Digits, Languages, Layout, Paper, column_widths};
use crate::content::{AllowanceCharge, Line, PaymentMeans, Period, Tax, Text};
use crate::{Currency, Document, Kind, Subtype, decimal};

/// The number of characters from which a line may break across pages.
const LONG_LINE: usize = 700;
/// The file name of the embedded XML.
const ATTACHMENT: &str = "invoice.xml";

pub(super) fn build(
    document: &Document,
    layout: &Layout,
    print: &mut TextPreparer<'_>,
    qr: bool,
) -> Value {
    let content = &document.content;
    let language = match layout.languages {
        Languages::English => "en",
        Languages::Arabic => "ar",
        Languages::Both => "both",
    };
    let number = print.text(&document.number);
    let seller = text(print, &document.seller.name);
    let author = print.text(first_of(&document.seller.name));
    let parties = parties::all(print, document, layout.languages);
    let facts = facts(print, document);
    let lines = lines(print, document, layout.languages);
    json!({
        "language": language,
        "digits": match layout.digits {
            Digits::Latin => "latn",
            Digits::Arabic => "arab",
        },
        "paper": match layout.paper {
            Paper::A4 => "a4",
            Paper::Letter => "letter",
        },
        "kind": kind(document),
        "title": format!("{author} {number}").trim(),
        "author": author,
        "number": number,
        "seller": { "name": seller },
        "attachment": (!layout.is_draft).then_some(ATTACHMENT),
        "draft": layout.is_draft,
        "facts": facts,
        "parties": parties,
        "widths": column_widths::estimate(&lines),
        "lines": lines,
        "runningTotals": running_totals(document),
        "sums": sums(document),
        "allowances": allowances(print, &content.allowances_charges, decimals(&content.currency)),
        "taxes": taxes(print, document),
        "qr": qr,
        "remarks": remarks(print, document, layout.languages),
        "payments": payments(print, &content.payment),
    })
}

/// The label of the document title.
fn kind(document: &Document) -> &'static str {
    let content = &document.content;
    let taxed = !document.seller.tax_id.is_empty();
    match content.kind {
        Kind::CreditNote => "credit-note",
        Kind::DebitNote => "debit-note",
        Kind::Invoice if content.subtype == Some(Subtype::Simplified) => "simplified",
        Kind::Invoice if taxed => "tax-invoice",
        Kind::Invoice => "invoice",
    }
}

fn text(print: &mut TextPreparer<'_>, text: &Text) -> Value {
    json!({ "ar": print.text(&text.ar), "en": print.text(&text.en) })
}

fn first_of(text: &Text) -> &str {
    if text.en.is_empty() {
        &text.ar
    } else {
        &text.en
    }
}

/// The text in the languages of the paper, as rows. One in a single language is printed on every paper (decision 0149).
fn in_languages(en: &str, ar: &str, languages: Languages) -> String {
    match languages {
        Languages::English if !en.is_empty() => en.to_owned(),
        Languages::Arabic if !ar.is_empty() => ar.to_owned(),
        Languages::English | Languages::Arabic | Languages::Both => format!("{en}\n{ar}"),
    }
}

/// Header fields as `(label, value)`.
fn facts(print: &mut TextPreparer<'_>, document: &Document) -> Vec<(&'static str, String)> {
    let content = &document.content;
    let period = content.period.as_ref().map(period);
    let preceding: Vec<_> = content
        .preceding
        .iter()
        .map(|one| one.number.as_str())
        .filter(|number| !number.is_empty())
        .collect();
    let issued = format!("{} {}", content.issue_date, document.issue_time);
    let facts = [
        ("number", document.number.as_str()),
        ("issue-date", issued.trim()),
        ("due-date", &content.due_date),
        ("supply-date", &content.supply_date),
        ("period", &period.unwrap_or_default()),
        ("preceding", &preceding.join(", ")),
        ("purchase-order", content.purchase_order_number()),
        ("buyer-reference", &content.references.buyer),
        ("contract", &content.references.contract),
        ("project", &content.references.project),
        ("exchange-rate", &content.exchange_rate),
    ]
    .map(|(name, value)| (name, print.text(value)));
    facts
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .collect()
}

/// Both days of a period, or the one that is given.
fn period(dates: &Period) -> String {
    let days = [dates.start.as_str(), dates.end.as_str()];
    let given = days.into_iter().filter(|day| !day.is_empty());
    given.collect::<Vec<_>>().join(" \u{2013} ")
}

fn lines(print: &mut TextPreparer<'_>, document: &Document, languages: Languages) -> Vec<Value> {
    let nets = document.figures.line_nets.iter().map(String::as_str);
    let nets = nets.chain(std::iter::repeat(""));
    let decimals = decimals(&document.content.currency);
    let lines = document.content.lines.iter().zip(nets);
    let lines = lines.map(|(one, net)| line(print, one, net, decimals, languages));
    lines.collect()
}

fn line(
    print: &mut TextPreparer<'_>,
    line: &Line,
    net: &str,
    decimals: u32,
    languages: Languages,
) -> Value {
    let details = &line.details;
    let Text { ar, en } = &details.item_description;
    let mut extras = print.rows(&in_languages(en, ar, languages));
    extras.extend(print.rows(&details.note));
    let codes = [
        &line.item_code,
        &details.buyer_item_code,
        &details.standard_item_code.value,
    ];
    let codes: Vec<_> = codes.into_iter().filter(|code| !code.is_empty()).collect();
    let attributes = details.attributes.iter();
    let attributes = attributes.map(|one| format!("{}: {}", one.name, one.value));
    let period = details.period.as_ref().map(period);
    let period = period.filter(|days| !days.is_empty());
    extras.extend(
        codes
            .into_iter()
            .cloned()
            .chain(attributes)
            .chain(period)
            .map(|extra| print.text(&extra)),
    );
    let letters = |text: &Text| text.ar.len().max(text.en.len());
    let length: usize = extras.iter().map(String::len).sum();
    let base = if line.price_base == "1" {
        ""
    } else {
        &line.price_base
    };
    let (tax, gross) = details
        .tax_amounts
        .as_ref()
        .map_or(("", ""), |amounts| (&amounts.tax, &amounts.gross));
    json!({
        "id": print.text(&line.id),
        "description": text(print, &line.description),
        "extras": extras,
        "allowances": allowances(print, &line.allowances_charges, decimals),
        "quantity": grouped(&shortest(&line.quantity, 0)),
        "unit": print.text(&line.unit),
        "price": grouped(&shortest(&line.unit_price, decimals)),
        "base": grouped(&shortest(base, 0)),
        "rate": rate(&line.tax),
        "category": category(&line.tax),
        "net": amount(net, decimals),
        "tax": amount(tax, decimals),
        "gross": amount(gross, decimals),
        "long": length + letters(&line.description) > LONG_LINE,
    })
}

/// Allowances and charges except those of zero.
fn allowances(
    print: &mut TextPreparer<'_>,
    items: &[AllowanceCharge],
    decimals: u32,
) -> Vec<Value> {
    items
        .iter()
        .filter(|item| !is_zero(&item.amount))
        .map(|item| allowance(print, item, decimals))
        .collect()
}

fn is_zero(amount: &str) -> bool {
    decimal::parse(amount).is_ok_and(|amount| amount.is_zero())
}

fn decimals(currency: &str) -> u32 {
    Currency::of_document(currency).minor_units()
}

/// Formats an amount with at least this many decimals, because files may omit trailing zeros and columns align at the point.
fn amount(number: &str, decimals: u32) -> String {
    match decimal::parse(number) {
        Ok(mut parsed) if parsed.scale() < decimals => {
            parsed.rescale(decimals);
            grouped(&parsed.to_string())
        }
        _ => grouped(number),
    }
}

/// Removes trailing zeros beyond this many decimals.
fn shortest(number: &str, decimals: u32) -> String {
    match decimal::parse(number) {
        Ok(parsed) => {
            let mut shortest = parsed.normalize();
            if shortest.scale() < decimals {
                shortest.rescale(decimals);
            }
            shortest.to_string()
        }
        Err(_) => number.to_owned(),
    }
}

fn allowance(print: &mut TextPreparer<'_>, item: &AllowanceCharge, decimals: u32) -> Value {
    let amount = if item.amount.is_empty() && !item.percent.is_empty() {
        format!("{}%", item.percent)
    } else {
        amount(&item.amount, decimals)
    };
    json!({
        "charge": item.is_charge,
        "amount": amount,
        "reason": print.text(&item.reason),
        "rate": rate(&item.tax),
        "category": category(&item.tax),
    })
}

/// Running totals of the lines: of the first zero, one, … all lines. Empty if an amount is not a number.
fn running_totals(document: &Document) -> Vec<String> {
    let nets = &document.figures.line_nets;
    let lines = document.content.lines.len();
    let decimals = decimals(&document.content.currency);
    if nets.len() < lines {
        return Vec::new();
    }
    let sums = nets.iter().take(lines).try_fold(
        (Decimal::ZERO, vec![String::new()]),
        |(sum, mut printed), net| {
            let sum = sum.checked_add(decimal::parse(net).ok()?)?;
            printed.push(amount(&sum.to_string(), decimals));
            Some((sum, printed))
        },
    );
    sums.map(|(_, printed)| printed).unwrap_or_default()
}

fn sums(document: &Document) -> Vec<Value> {
    let (content, totals) = (&document.content, &document.figures.totals);
    let own = content.currency.as_str();
    let unless_zero = |amount: &'_ str| {
        if is_zero(amount) {
            String::new()
        } else {
            amount.to_owned()
        }
    };
    let other = if content.tax_currency == own {
        String::new()
    } else {
        totals.tax_in_tax_currency.clone()
    };
    let rows = [
        ("lines-total", totals.lines.clone(), own),
        ("allowances-total", unless_zero(&totals.allowances), own),
        ("charges-total", unless_zero(&totals.charges), own),
        ("net-total", totals.net.clone(), own),
        ("tax-total", totals.tax.clone(), own),
        ("tax-total", other, content.tax_currency.as_str()),
        ("gross-total", totals.gross.clone(), own),
        ("prepaid", unless_zero(&content.prepaid), own),
        ("rounding", unless_zero(&content.rounding), own),
        ("payable", totals.payable.clone(), own),
    ];
    rows.into_iter()
        .filter(|(_, total, _)| !total.is_empty())
        .map(|(name, total, currency)| {
            json!({ "name": name, "amount": amount(&total, decimals(currency)), "currency": currency })
        })
        .collect()
}

fn taxes(print: &mut TextPreparer<'_>, document: &Document) -> Vec<Value> {
    let decimals = decimals(&document.content.currency);
    let rows = document.figures.tax_breakdown.iter();
    rows.map(|row| {
        let tax = Tax {
            category: row.category.clone(),
            rate: row.rate.clone(),
            ..Tax::default()
        };
        let exemption = format!("{} {}", row.exemption_code, row.exemption_reason);
        json!({
            "rate": rate(&tax),
            "category": category(&tax),
            "exemption": print.text(&exemption),
            "taxable": amount(&row.taxable, decimals),
            "tax": amount(&row.tax, decimals),
        })
    })
    .collect()
}

/// Remarks as `(label, rows)`.
fn remarks(
    print: &mut TextPreparer<'_>,
    document: &Document,
    languages: Languages,
) -> Vec<(&'static str, Vec<String>)> {
    let content = &document.content;
    let note = in_languages(&content.note, &content.note_ar, languages);
    [
        ("reason", &content.reason),
        ("note", &note),
        ("terms", &content.payment_terms),
    ]
    .map(|(name, text)| (name, print.rows(text)))
    .into_iter()
    .filter(|(_, rows)| !rows.is_empty())
    .collect()
}

fn payments(
    print: &mut TextPreparer<'_>,
    payments: &[PaymentMeans],
) -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    payments
        .iter()
        .map(|means| payment(print, means))
        .filter(|(_, rows)| !rows.is_empty())
        .collect()
}

fn payment(
    print: &mut TextPreparer<'_>,
    means: &PaymentMeans,
) -> (&'static str, Vec<(&'static str, String)>) {
    let account = means.account.clone().unwrap_or_default();
    let card = means.card.clone().unwrap_or_default();
    let mandate = means.mandate.clone().unwrap_or_default();
    let rows = [
        ("", means.name.clone()),
        ("account", account.id),
        ("", account.name),
        ("provider", account.provider),
        ("card", card.number),
        ("mandate", mandate.reference),
        ("remittance", means.remittance.clone()),
    ]
    .map(|(name, value)| (name, print.text(&value)));
    let rows = rows.into_iter().filter(|(_, value)| !value.is_empty());
    ("means", rows.collect())
}
