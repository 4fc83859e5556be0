//! The content of a document from a template: dates are computed, and `{month}` and `{year}` in texts are those of the period.

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::views::{DueTerms, InvoiceContent, InvoiceKind, PeriodContent};

const ENGLISH: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const ARABIC: [&str; 12] = [
    "يناير",
    "فبراير",
    "مارس",
    "أبريل",
    "مايو",
    "يونيو",
    "يوليو",
    "أغسطس",
    "سبتمبر",
    "أكتوبر",
    "نوفمبر",
    "ديسمبر",
];

/// What a template keeps of the dates of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Terms {
    /// From the issue date to the due date.
    pub(super) due_days: Option<i32>,
    /// From the end of the month of the issue date, if the terms count from there: then in place of `due_days`.
    pub(super) days_after_month_end: Option<u32>,
    /// The supply date was the issue date.
    pub(super) supplied_at_issue: bool,
}

/// A content without dates and without what belongs to one document, and what its dates were.
pub(super) fn without_dates(mut content: InvoiceContent) -> (InvoiceContent, Terms) {
    let date = |text: &str| text.parse::<Date>().ok();
    let due_days = date(&content.issue_date)
        .zip(date(&content.due_date))
        .and_then(|(issued, due)| issued.until(due).ok())
        .map(|span| span.get_days())
        .filter(|days| *days >= 0);
    // A due date that was typed can be the end of a month by chance.
    let after_month_end = content
        .due_terms
        .filter(|terms| terms.end_of_month && terms.lead(&content.issue_date, &content.due_date));
    let terms = Terms {
        due_days,
        days_after_month_end: after_month_end.map(|terms| terms.days),
        supplied_at_issue: !content.supply_date.is_empty()
            && content.supply_date == content.issue_date,
    };
    content.kind = InvoiceKind::Invoice;
    content.correction = None;
    content.details.preceding_documents.clear();
    // It was paid for that document, and its rate is that of its day (decision 0120).
    content.details.prepaid.clear();
    content.details.exchange_rate.clear();
    content.issue_date.clear();
    content.due_date.clear();
    content.due_terms = None;
    content.supply_date.clear();
    content.details.period = PeriodContent::default();
    content.details.tax_point_date.clear();
    content.details.delivery.latest_date.clear();
    for line in &mut content.lines {
        line.id.clear();
        line.details.period = PeriodContent::default();
    }
    (content, terms)
}

/// The content of a document of `date`.
pub(super) fn for_date(
    mut content: InvoiceContent,
    terms: Terms,
    date: Date,
    period: Option<(Date, Date)>,
) -> InvoiceContent {
    content.issue_date = date.to_string();
    // Templates of a version before have them.
    content.details.prepaid.clear();
    content.details.exchange_rate.clear();
    content.due_terms = terms.days_after_month_end.map(|days| DueTerms {
        end_of_month: true,
        days,
    });
    let due = match (content.due_terms, terms.due_days) {
        (Some(terms), _) => terms.due_date(date),
        (None, Some(days)) => date.checked_add(days.days()).ok(),
        (None, None) => None,
    };
    content.due_date = due.map_or_else(String::new, |due| due.to_string());
    if terms.supplied_at_issue {
        content.supply_date = date.to_string();
    }
    if let Some((start, end)) = period {
        content.details.period = PeriodContent {
            start: start.to_string(),
            end: end.to_string(),
        };
    }
    let of = period.map_or(date, |(start, _)| start);
    let fill = |text: &mut String| {
        let is_arabic = text
            .chars()
            .any(|letter| ('\u{600}'..='\u{6ff}').contains(&letter));
        *text = filled(text, of, if is_arabic { &ARABIC } else { &ENGLISH });
    };
    fill(&mut content.note);
    fill(&mut content.note_ar);
    fill(&mut content.details.payment_terms);
    for line in &mut content.lines {
        line.description.en = filled(&line.description.en, of, &ENGLISH);
        line.description.ar = filled(&line.description.ar, of, &ARABIC);
        fill(&mut line.details.note);
    }
    content
}

fn filled(text: &str, date: Date, months: &[&str; 12]) -> String {
    let month = usize::try_from(date.month() - 1)
        .ok()
        .and_then(|month| months.get(month));
    text.replace("{month}", month.copied().unwrap_or_default())
        .replace("{year}", &date.year().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::full_content;

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn template_keeps_everything_but_dates_ids_and_the_corrected_document() {
        let full = full_content();
        let (kept, _) = without_dates(full.clone());
        assert_eq!((kept.issue_date.as_str(), kept.correction), ("", None));
        assert_eq!(kept.details.preceding_documents, []);
        assert_eq!(kept.details.prepaid, "");
        assert_eq!(
            (&*kept.details.tax_currency, &*kept.details.exchange_rate),
            ("USD", ""),
            "the rate of the day is typed"
        );
        assert_eq!((&kept.buyer, &kept.note), (&full.buyer, &full.note));
        assert_eq!(kept.lines.len(), full.lines.len());
        assert_eq!(kept.lines[0].unit_price, full.lines[0].unit_price);
        assert_eq!(kept.details.references, full.details.references);
        let details = &kept.details;
        assert_eq!(
            (
                details.tax_point_date.as_str(),
                details.delivery.latest_date.as_str()
            ),
            ("", "")
        );
        assert_eq!(details.subtype, full.details.subtype, "as it was stated");
        assert!(kept.lines.iter().all(|line| line.id.is_empty()));
    }

    #[test]
    fn document_of_an_earlier_template_has_no_exchange_rate() {
        let (_, terms) = without_dates(InvoiceContent::default());
        let used = for_date(full_content(), terms, date("2028-02-01"), None);
        assert_eq!(used.details.tax_currency, "USD");
        assert_eq!(used.details.exchange_rate, "");
    }

    #[test]
    fn due_date_is_as_many_days_away_as_it_was() {
        let content = InvoiceContent {
            issue_date: "2026-01-31".to_owned(),
            due_date: "2026-03-02".to_owned(),
            supply_date: "2026-01-31".to_owned(),
            ..InvoiceContent::default()
        };
        let (kept, terms) = without_dates(content);
        let used = for_date(kept, terms, date("2028-02-01"), None);
        assert_eq!(
            (used.issue_date, used.due_date, used.supply_date),
            (
                "2028-02-01".to_owned(),
                "2028-03-02".to_owned(),
                "2028-02-01".to_owned()
            )
        );
    }

    #[test]
    fn due_date_at_the_end_of_a_month_is_that_of_each_month_if_terms_have_given_it() {
        let due_date = |due_terms| {
            let content = InvoiceContent {
                issue_date: "2026-01-20".to_owned(),
                due_date: "2026-02-15".to_owned(),
                due_terms,
                ..InvoiceContent::default()
            };
            let (kept, terms) = without_dates(content);
            assert_eq!(kept.due_terms, None);
            let used = for_date(kept, terms, date("2028-02-01"), None);
            (used.due_date, used.due_terms)
        };
        let terms = |days| {
            let end_of_month = true;
            Some(DueTerms { end_of_month, days })
        };
        assert_eq!(due_date(terms(15)), ("2028-03-15".to_owned(), terms(15)));
        let by_days = ("2028-02-27".to_owned(), None);
        assert_eq!(due_date(None), by_days, "it was typed");
        assert_eq!(due_date(terms(0)), by_days, "the date was typed after them");
    }

    #[test]
    fn month_and_year_are_those_of_the_period_in_the_language_of_the_text() {
        let mut content = InvoiceContent {
            note: "Support {month} {year}".to_owned(),
            ..InvoiceContent::default()
        };
        content.details.payment_terms = "دعم شهر {month} {year}".to_owned();
        let mut line = crate::views::LineContent::default();
        line.description.en = "{month}".to_owned();
        line.description.ar = "{month}".to_owned();
        content.lines = vec![line];
        let (kept, terms) = without_dates(content);
        let period = Some((date("2026-12-01"), date("2026-12-31")));
        let used = for_date(kept, terms, date("2027-01-01"), period);
        assert_eq!(used.note, "Support December 2026");
        assert_eq!(used.details.payment_terms, "دعم شهر ديسمبر 2026");
        assert_eq!(used.lines[0].description.en, "December");
        assert_eq!(used.lines[0].description.ar, "ديسمبر");
        assert_eq!(used.details.period.start, "2026-12-01");
        assert_eq!(used.due_date, "");
    }
}
