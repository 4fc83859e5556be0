//! The sums of buyers of the contract as the screen shows them.

use std::collections::BTreeMap;

use invoicing_contract::messages::reports;
use jiff::Timestamp;

use super::from_wire::{largest, number, sum};
use crate::views::{BuyerSumRow, BuyerSums, BuyerSumsGroup, CurrencyBuyers, LocalizedText};

pub(super) fn buyer_sums(
    report: reports::BuyerSums,
    answered: Timestamp,
    kept: bool,
) -> Option<BuyerSums> {
    let mut currencies: BTreeMap<String, Vec<reports::BuyerSum>> = BTreeMap::new();
    for row in report.rows {
        let rows = currencies.entry(row.currency.clone()).or_default();
        rows.push(row);
    }
    let currencies = currencies.into_iter().map(|(currency, rows)| {
        let amounts = |of: fn(&reports::BuyerSum) -> &str| {
            let numbers = rows.iter().map(|row| number(of(row)));
            numbers.collect::<Option<Vec<_>>>()
        };
        let (nets, grosses) = (amounts(|row| &row.net)?, amounts(|row| &row.gross)?);
        let counts = rows.iter().map(|row| u32::try_from(row.count).ok());
        let counts = counts.collect::<Option<Vec<_>>>()?;
        let of_buyers: Vec<_> = rows
            .iter()
            .zip(&grosses)
            .filter(|(row, _)| row.other_buyers == 0)
            .map(|(_, gross)| *gross)
            .collect();
        let largest = largest(&of_buyers);
        let views = rows.into_iter().zip(&grosses).zip(&counts);
        let views = views.map(|((row, gross), count)| {
            Some(BuyerSumRow {
                count: *count,
                length: (row.other_buyers == 0).then(|| gross.thousandths_of(largest)),
                gross: row.gross,
                net: row.net,
                group: match (row.name, u32::try_from(row.other_buyers).ok()?) {
                    (Some(name), _) => BuyerSumsGroup::Buyer {
                        name: LocalizedText {
                            ar: name.ar,
                            en: name.en,
                        },
                        tax_id: row.tax_id,
                    },
                    (None, 0) => BuyerSumsGroup::NoBuyer,
                    (None, buyers) => BuyerSumsGroup::Rest { buyers },
                },
            })
        });
        Some(CurrencyBuyers {
            currency,
            rows: views.collect::<Option<_>>()?,
            count: counts
                .iter()
                .try_fold(0_u32, |sum, count| sum.checked_add(*count))?,
            net: sum(&nets)?.to_string(),
            gross: sum(&grosses)?.to_string(),
        })
    });
    Some(BuyerSums {
        currencies: currencies.collect::<Option<_>>()?,
        answered: answered.to_string(),
        offline: kept,
    })
}

#[cfg(test)]
mod tests {
    use invoicing_contract::messages::documents;

    use super::*;

    #[test]
    fn buyers_keep_their_order_and_add_up_with_the_rest() {
        let row = |name: Option<&str>, other_buyers, gross: &str| reports::BuyerSum {
            currency: "SAR".to_owned(),
            name: name.map(|name| documents::LocalizedText {
                en: name.to_owned(),
                ..documents::LocalizedText::default()
            }),
            other_buyers,
            count: 2,
            net: gross.to_owned(),
            gross: gross.to_owned(),
            ..reports::BuyerSum::default()
        };
        let rows = vec![
            row(Some("Palm"), 0, "200.10"),
            row(None, 0, "100.00"),
            row(None, 7, "9000.00"),
        ];
        let report = buyer_sums(reports::BuyerSums { rows }, Timestamp::UNIX_EPOCH, false);
        let [currency] = <[_; 1]>::try_from(report.expect("amounts").currencies).expect("one");
        let groups: Vec<_> = currency.rows.iter().map(|row| &row.group).collect();
        assert!(
            matches!(
                groups.as_slice(),
                [
                    BuyerSumsGroup::Buyer { .. },
                    BuyerSumsGroup::NoBuyer,
                    BuyerSumsGroup::Rest { buyers: 7 }
                ]
            ),
            "{groups:?}"
        );
        assert_eq!((currency.gross.as_str(), currency.count), ("9300.10", 6));
        let lengths: Vec<_> = currency.rows.iter().map(|row| row.length).collect();
        assert_eq!(lengths, [Some(1000), Some(500), None]);
    }
}
