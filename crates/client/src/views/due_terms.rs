//! Terms that give a due date, as `+30` or the end of the month.

use jiff::Span;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Terms that give a due date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DueTerms {
    /// The days count from the end of the month of the issue date, and not from that date itself.
    pub end_of_month: bool,
    /// How many.
    pub days: u32,
}

impl DueTerms {
    /// The due date of a document of a day. `None` if it is beyond all dates.
    pub(crate) fn due_date(self, issued: Date) -> Option<Date> {
        let start = if self.end_of_month {
            issued.last_of_month()
        } else {
            issued
        };
        let days = Span::new().try_days(self.days).ok()?;
        start.checked_add(days).ok()
    }

    /// Whether these terms lead from the issue date of a document to its due date. One of the dates may have been changed since.
    pub(crate) fn lead(self, issued: &str, due: &str) -> bool {
        let (Ok(issued), Ok(due)) = (issued.parse(), due.parse()) else {
            return false;
        };
        self.due_date(issued) == Some(due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_count_from_the_issue_date_or_from_the_end_of_its_month() {
        let terms = |end_of_month, days| DueTerms { end_of_month, days };
        assert!(terms(false, 30).lead("2026-11-22", "2026-12-22"));
        assert!(terms(true, 0).lead("2028-02-03", "2028-02-29"));
        assert!(terms(true, 15).lead("2026-12-31", "2027-01-15"));
        assert!(!terms(true, 0).lead("2026-12-01", "2026-11-30"));
        assert!(!terms(true, 0).lead("", "2026-11-30"));
        assert!(!terms(true, 0).lead("2026-11-01", ""));
        assert!(!terms(false, u32::MAX).lead("2026-11-22", "2026-12-22"));
    }
}
