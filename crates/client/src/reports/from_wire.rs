//! Reports of the contract as the screens show them. Sums and lengths of bars are computed here, exactly; the UI computes none.

use std::collections::BTreeMap;

use invoice::AmountSum;
use invoicing_contract::messages::{documents, reports};
use jiff::{Timestamp, civil};

use crate::views::{
    Ageing, AgeingRow, BarAmount, CurrencyMonths, CurrencyTaxes, MonthRow, MonthTotals,
    MonthlySums, TaxSumRow, TaxSums,
};

/// The gateway's limit (decision 0125).
const MAX_MONTHS: usize = 120;

pub(super) fn ageing(report: reports::Ageing, answered: Timestamp, kept: bool) -> Option<Ageing> {
    Some(Ageing {
        as_of: report.as_of,
        rows: report
            .rows
            .into_iter()
            .map(ageing_row)
            .collect::<Option<_>>()?,
        answered: answered.to_string(),
        offline: kept,
    })
}

pub(super) fn ageing_row(row: reports::AgeingRow) -> Option<AgeingRow> {
    let texts = [
        row.not_due,
        row.days_1_to_30,
        row.days_31_to_60,
        row.days_61_to_90,
        row.over_90_days,
    ];
    let amounts = texts
        .iter()
        .map(|text| number(text))
        .collect::<Option<Vec<_>>>()?;
    let overdue = sum(&amounts[1..])?;
    let largest = largest(&amounts);
    let buckets = amounts
        .iter()
        .zip(texts)
        .map(|(amount, text)| bar(text, *amount, largest));
    Some(AgeingRow {
        currency: row.currency,
        count: u32::try_from(row.count).ok()?,
        buckets: buckets.collect(),
        overdue: overdue.to_string(),
        open: row.open,
        credit_balance: row.credit_balance,
    })
}

/// The months from one to another, as `2026-01`. `None` if they are no months, in the wrong order, or too many.
pub(super) fn months_between(from: &str, to: &str) -> Option<Vec<String>> {
    let first = |month: &str| {
        let day: civil::Date = format!("{month}-01").parse().ok()?;
        (month.len() == 7).then_some(day)
    };
    let (from, to) = (first(from)?, first(to)?);
    let months: Vec<_> = from
        .series(jiff::Span::new().months(1))
        .take_while(|month| *month <= to)
        .take(MAX_MONTHS + 1)
        .map(|month| month.strftime("%Y-%m").to_string())
        .collect();
    (!months.is_empty() && months.len() <= MAX_MONTHS).then_some(months)
}

/// Sums of some documents.
#[derive(Clone, Copy, Default)]
struct Sums {
    invoices: u32,
    credit_notes: u32,
    net: AmountSum,
    tax: AmountSum,
    gross: AmountSum,
}

impl Sums {
    fn add(&mut self, other: &Self) -> Option<()> {
        self.invoices = self.invoices.checked_add(other.invoices)?;
        self.credit_notes = self.credit_notes.checked_add(other.credit_notes)?;
        self.net = self.net.plus(other.net)?;
        self.tax = self.tax.plus(other.tax)?;
        self.gross = self.gross.plus(other.gross)?;
        Some(())
    }

    fn totals(&self) -> MonthTotals {
        MonthTotals {
            invoices: self.invoices,
            credit_notes: self.credit_notes,
            net: self.net.to_string(),
            tax: self.tax.to_string(),
            gross: self.gross.to_string(),
        }
    }
}

pub(super) fn monthly_sums(
    report: &reports::MonthlySums,
    months: &[String],
    answered: Timestamp,
    kept: bool,
) -> Option<MonthlySums> {
    let mut currencies: BTreeMap<&str, BTreeMap<&str, Sums>> = BTreeMap::new();
    for row in &report.rows {
        let count = u32::try_from(row.count).ok()?;
        let is_credit = row.kind() == documents::Kind::CreditNote;
        let sums = Sums {
            invoices: if is_credit { 0 } else { count },
            credit_notes: if is_credit { count } else { 0 },
            net: number(&row.net)?,
            tax: number(&row.tax)?,
            gross: number(&row.gross)?,
        };
        currencies
            .entry(&row.currency)
            .or_default()
            .entry(&row.month)
            .or_default()
            .add(&sums)?;
    }
    let currencies = currencies.into_iter().map(|(currency, sums)| {
        let nets: Vec<_> = sums.values().map(|sums| sums.net).collect();
        let largest = largest(&nets);
        let mut total = Sums::default();
        let mut rows = Vec::with_capacity(months.len());
        for month in months {
            let sums = sums.get(month.as_str()).copied().unwrap_or_default();
            total.add(&sums)?;
            rows.push(MonthRow {
                month: month.clone(),
                totals: sums.totals(),
                bar: bar(sums.net.to_string(), sums.net, largest),
            });
        }
        Some(CurrencyMonths {
            currency: currency.to_owned(),
            months: rows,
            total: total.totals(),
        })
    });
    Some(MonthlySums {
        currencies: currencies.collect::<Option<_>>()?,
        answered: answered.to_string(),
        offline: kept,
    })
}

pub(super) fn tax_sums(
    report: &reports::TaxSums,
    answered: Timestamp,
    kept: bool,
) -> Option<TaxSums> {
    let mut currencies: BTreeMap<&str, Vec<&reports::TaxSum>> = BTreeMap::new();
    for row in &report.rows {
        currencies.entry(&row.currency).or_default().push(row);
    }
    let currencies = currencies.into_iter().map(|(currency, rows)| {
        let amounts = |of: fn(&reports::TaxSum) -> &str| {
            let numbers = rows.iter().map(|row| number(of(row)));
            numbers.collect::<Option<Vec<_>>>()
        };
        let (taxable, taxes) = (amounts(|row| &row.taxable)?, amounts(|row| &row.tax)?);
        let largest = largest(&taxes);
        let views = rows.iter().zip(&taxes).map(|(row, tax)| {
            Some(TaxSumRow {
                category: row.category.clone(),
                rate: row.rate.clone(),
                count: u32::try_from(row.count).ok()?,
                taxable: row.taxable.clone(),
                tax: bar(row.tax.clone(), *tax, largest),
            })
        });
        Some(CurrencyTaxes {
            currency: currency.to_owned(),
            rows: views.collect::<Option<_>>()?,
            taxable: sum(&taxable)?.to_string(),
            tax: sum(&taxes)?.to_string(),
        })
    });
    Some(TaxSums {
        currencies: currencies.collect::<Option<_>>()?,
        answered: answered.to_string(),
        offline: kept,
    })
}

pub(super) fn number(text: &str) -> Option<AmountSum> {
    AmountSum::parse(text)
}

pub(super) fn sum(amounts: &[AmountSum]) -> Option<AmountSum> {
    amounts
        .iter()
        .try_fold(AmountSum::default(), |sum, amount| sum.plus(*amount))
}

pub(super) fn largest(amounts: &[AmountSum]) -> AmountSum {
    let lengths = amounts.iter().map(|amount| amount.magnitude());
    lengths.max().unwrap_or_default()
}

/// A bar of at least one thousandth, unless the amount is zero.
fn bar(text: String, amount: AmountSum, largest: AmountSum) -> BarAmount {
    BarAmount {
        amount: text,
        length: amount.thousandths_of(largest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(month: &str, currency: &str, kind: documents::Kind, net: &str) -> reports::MonthlySum {
        reports::MonthlySum {
            month: month.to_owned(),
            currency: currency.to_owned(),
            kind: kind.into(),
            count: 2,
            net: net.to_owned(),
            tax: "0.10".to_owned(),
            gross: net.to_owned(),
        }
    }

    #[test]
    fn months_are_those_of_the_period_also_without_documents_and_currencies_stay_apart() {
        use documents::Kind::{CreditNote, Invoice};
        let report = reports::MonthlySums {
            rows: vec![
                month("2026-01", "SAR", Invoice, "1000.10"),
                month("2026-01", "SAR", CreditNote, "-0.20"),
                month("2026-03", "SAR", Invoice, "0.01"),
                month("2026-03", "USD", Invoice, "5.00"),
            ],
        };
        let months = months_between("2026-01", "2026-03").expect("months");
        let view = monthly_sums(&report, &months, Timestamp::UNIX_EPOCH, false).expect("amounts");
        let shown: Vec<_> = view.currencies[0]
            .months
            .iter()
            .map(|row| (row.month.as_str(), row.bar.amount.as_str(), row.bar.length))
            .collect();
        assert_eq!(
            shown,
            [
                ("2026-01", "999.90", 1000),
                ("2026-02", "0", 0),
                ("2026-03", "0.01", 1)
            ]
        );
        let total = &view.currencies[0].total;
        assert_eq!(
            (total.net.as_str(), total.invoices, total.credit_notes),
            ("999.91", 4, 2)
        );
        assert_eq!(view.currencies[1].total.net, "5.00");
    }

    #[test]
    fn months_out_of_order_or_too_many_are_refused() {
        for (from, to) in [
            ("2026-02", "2026-01"),
            ("2016-01", "2026-01"),
            ("2026-1", "2026-02"),
            ("2026-01-01", "2026-02"),
            ("", ""),
        ] {
            assert_eq!(months_between(from, to), None, "{from} {to}");
        }
        assert_eq!(
            months_between("2025-12", "2026-01"),
            Some(vec!["2025-12".to_owned(), "2026-01".to_owned()])
        );
    }

    #[test]
    fn overdue_is_the_sum_of_what_is_after_the_due_date() {
        let row = ageing_row(reports::AgeingRow {
            currency: "SAR".to_owned(),
            count: 3,
            not_due: "100.00".to_owned(),
            days_1_to_30: "50.00".to_owned(),
            days_31_to_60: "0.00".to_owned(),
            days_61_to_90: "0.05".to_owned(),
            over_90_days: "25.00".to_owned(),
            open: "175.05".to_owned(),
            credit_balance: "-1.00".to_owned(),
        })
        .expect("amounts");
        assert_eq!(row.overdue, "75.05");
        let lengths: Vec<_> = row.buckets.iter().map(|bar| bar.length).collect();
        assert_eq!(lengths, [1000, 500, 0, 1, 250]);
    }

    #[test]
    fn an_amount_that_is_no_decimal_is_no_report() {
        let report = reports::TaxSums {
            rows: vec![reports::TaxSum {
                tax: "much".to_owned(),
                ..reports::TaxSum::default()
            }],
        };
        assert_eq!(tax_sums(&report, Timestamp::UNIX_EPOCH, false), None);
    }
}
