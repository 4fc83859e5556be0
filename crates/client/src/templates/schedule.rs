//! The dates of a schedule. Pure: the day of today is an argument.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::views::{BilledPeriod, CommandError, Frequency, Schedule};

/// A schedule that was read, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Dates {
    frequency: Frequency,
    /// `None`: the last day of the month.
    day: Option<i8>,
    from: Date,
    until: Option<Date>,
    period: BilledPeriod,
}

impl Dates {
    pub(super) fn read(schedule: &Schedule) -> Result<Self, CommandError> {
        let invalid = |reason: &str| CommandError::InvalidCall {
            reason: reason.to_owned(),
        };
        let date = |text: &str| text.parse::<Date>().map_err(|_error| invalid("no date"));
        let day = match schedule.day {
            None => None,
            Some(day) => match i8::try_from(day) {
                Ok(day) if (1..=31).contains(&day) => Some(day),
                Ok(_) | Err(_) => return Err(invalid("day is 1 to 31")),
            },
        };
        Ok(Self {
            frequency: schedule.frequency,
            day,
            from: date(&schedule.from)?,
            until: match schedule.until.as_str() {
                "" => None,
                until => Some(date(until)?),
            },
            period: schedule.period,
        })
    }

    pub(super) fn view(&self) -> Schedule {
        Schedule {
            frequency: self.frequency,
            day: self.day.and_then(|day| u8::try_from(day).ok()),
            from: self.from.to_string(),
            until: self
                .until
                .map_or_else(String::new, |until| until.to_string()),
            period: self.period,
        }
    }

    /// The dates after `after`, in their order.
    pub(super) fn after(&self, after: Option<Date>) -> impl Iterator<Item = Date> + '_ {
        let first = after.map_or(self.from, |after| {
            after.saturating_add(1.day()).max(self.from)
        });
        (0..)
            .map_while(|number| self.date(number))
            .take_while(|date| self.until.is_none_or(|until| *date <= until))
            .filter(move |date| *date >= first)
    }

    /// The first and last day of what a date bills.
    pub(super) fn period(&self, date: Date) -> Option<(Date, Date)> {
        let before = match self.period {
            BilledPeriod::None => return None,
            BilledPeriod::Current => 0,
            BilledPeriod::Previous => 1,
        };
        let length = self.length();
        let begin = match self.frequency {
            Frequency::Weekly => date,
            Frequency::Monthly | Frequency::Quarterly | Frequency::Yearly => date.first_of_month(),
        };
        let start = begin.checked_sub(length * before).ok()?;
        let end = start.checked_add(length).ok()?.yesterday().ok()?;
        Some((start, end))
    }

    /// The date with a number; the first ones may be before `from`. `None` after the last year of the calendar.
    fn date(&self, number: i64) -> Option<Date> {
        let length = self.length().checked_mul(number).ok()?;
        if self.frequency == Frequency::Weekly {
            return self.from.checked_add(length).ok();
        }
        // From the first of a month: the day of a short month does not stay for the longer ones behind it.
        let month = self.from.first_of_month().checked_add(length).ok()?;
        let last = month.days_in_month();
        let day = self.day.map_or(last, |day| day.min(last));
        month.with().day(day).build().ok()
    }

    fn length(&self) -> jiff::Span {
        match self.frequency {
            Frequency::Weekly => 1.week(),
            Frequency::Monthly => 1.month(),
            Frequency::Quarterly => 3.months(),
            Frequency::Yearly => 1.year(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(frequency: Frequency, day: Option<u8>, from: &str, until: &str) -> Dates {
        Dates::read(&Schedule {
            frequency,
            day,
            from: from.to_owned(),
            until: until.to_owned(),
            period: BilledPeriod::Current,
        })
        .expect("a schedule")
    }

    fn dates(schedule: &Dates, after: Option<&str>, count: usize) -> Vec<String> {
        let after = after.map(|after| after.parse().expect("a date"));
        let dates = schedule.after(after).take(count);
        dates.map(|date| date.to_string()).collect()
    }

    #[test]
    fn day_31_is_the_last_day_of_shorter_months_and_comes_back_after_them() {
        let monthly = schedule(Frequency::Monthly, Some(31), "2026-01-15", "");
        assert_eq!(
            dates(&monthly, None, 4),
            ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]
        );
    }

    #[test]
    fn last_day_of_february_follows_leap_years() {
        let yearly = schedule(Frequency::Yearly, None, "2027-02-01", "");
        assert_eq!(
            dates(&yearly, None, 3),
            ["2027-02-28", "2028-02-29", "2029-02-28"]
        );
        let of_leap_day = schedule(Frequency::Yearly, Some(29), "2028-02-29", "");
        assert_eq!(dates(&of_leap_day, None, 2), ["2028-02-29", "2029-02-28"]);
    }

    #[test]
    fn first_date_is_not_before_the_start_and_the_last_not_after_the_end() {
        let monthly = schedule(Frequency::Monthly, Some(10), "2026-11-23", "2027-01-10");
        assert_eq!(dates(&monthly, None, 9), ["2026-12-10", "2027-01-10"]);
        assert_eq!(dates(&monthly, Some("2026-12-10"), 9), ["2027-01-10"]);
        assert_eq!(dates(&monthly, Some("2030-01-01"), 9), [""; 0]);
    }

    #[test]
    fn weeks_and_quarters_pass_the_end_of_a_year() {
        let weekly = schedule(Frequency::Weekly, None, "2026-12-28", "");
        assert_eq!(dates(&weekly, None, 2), ["2026-12-28", "2027-01-04"]);
        let quarterly = schedule(Frequency::Quarterly, Some(1), "2026-11-02", "");
        assert_eq!(dates(&quarterly, None, 2), ["2027-02-01", "2027-05-01"]);
    }

    #[test]
    fn period_is_whole_months_or_seven_days() {
        let period = |frequency, period, date: &str| {
            let mut schedule = schedule(frequency, Some(31), "2026-01-01", "");
            schedule.period = period;
            let found = schedule.period(date.parse().expect("a date"));
            found.map(|(start, end)| format!("{start} {end}"))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            period(Frequency::Monthly, BilledPeriod::Current, "2028-02-29"),
            some("2028-02-01 2028-02-29")
        );
        assert_eq!(
            period(Frequency::Monthly, BilledPeriod::Previous, "2027-03-31"),
            some("2027-02-01 2027-02-28")
        );
        assert_eq!(
            period(Frequency::Quarterly, BilledPeriod::Previous, "2027-01-01"),
            some("2026-10-01 2026-12-31")
        );
        assert_eq!(
            period(Frequency::Weekly, BilledPeriod::Previous, "2027-01-04"),
            some("2026-12-28 2027-01-03")
        );
        assert_eq!(
            period(Frequency::Yearly, BilledPeriod::None, "2027-01-04"),
            None
        );
    }

    #[test]
    fn schedule_with_an_impossible_day_or_date_is_refused() {
        for (day, from, until) in [
            (Some(0), "2026-01-01", ""),
            (Some(32), "2026-01-01", ""),
            (None, "2026-02-30", ""),
            (None, "2026-01-01", "soon"),
        ] {
            let read = Dates::read(&Schedule {
                frequency: Frequency::Monthly,
                day,
                from: from.to_owned(),
                until: until.to_owned(),
                period: BilledPeriod::None,
            });
            assert!(read.is_err(), "{day:?} {from} {until}");
        }
    }
}
