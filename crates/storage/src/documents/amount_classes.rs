//! Classes of amounts, by which engines keep sums: sign, number of digits before the decimal point, first digit (decision 0155).

use std::iter;
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

/// One unit of a currency, in the ten-thousandths that amounts of all currencies are compared in.
const UNIT: i64 = 10_000;

/// The lowest amount of each class but the first, ascending.
pub static LOWEST: LazyLock<Vec<i64>> = LazyLock::new(|| {
    let decades = iter::successors(Some(UNIT), |decade| decade.checked_mul(10));
    let positive =
        decades.flat_map(|decade| (1..=9).filter_map(move |digit| decade.checked_mul(digit)));
    let positive: Vec<i64> = positive.collect();
    // The class of an amount below zero begins after the next larger first digit.
    let negative = positive.iter().rev().map(|amount| 1 - amount);
    negative
        .chain([0])
        .chain(positive.iter().copied())
        .collect()
});

/// The class of an amount in ten-thousandths, 0 for the first. Larger amounts have higher classes.
#[must_use]
pub fn class(amount: i64) -> i16 {
    number(LOWEST.partition_point(|lowest| *lowest <= amount))
}

/// All classes.
pub fn classes() -> impl Iterator<Item = i16> {
    (0..=LOWEST.len()).map(number)
}

fn number(class: usize) -> i16 {
    i16::try_from(class).expect("there are fewer than 300 classes")
}

/// The amounts of a class.
#[must_use]
pub fn amounts(class: i16) -> RangeInclusive<i64> {
    let lowest = |class| LOWEST.get(usize::try_from(class).ok()?).copied();
    let above = lowest(class);
    lowest(class - 1).unwrap_or(i64::MIN)..=above.map_or(i64::MAX, |above| above - 1)
}

/// What the sums of a range of amounts are added up from: whole classes, and at its ends parts of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The classes.
    pub classes: Range<i16>,
    /// Amounts that are in the range and in none of the classes.
    pub added: Vec<RangeInclusive<i64>>,
    /// Amounts that are in one of the classes and not in the range.
    pub subtracted: Vec<RangeInclusive<i64>>,
}

impl Coverage {
    /// The classes that the range cuts are counted if the larger part of their amounts is in it: documents are read of the
    /// other part.
    #[must_use]
    pub fn of(range: &RangeInclusive<i64>) -> Self {
        if range.is_empty() {
            return Self {
                classes: 0..0,
                added: Vec::new(),
                subtracted: Vec::new(),
            };
        }
        let (from, to) = (*range.start(), *range.end());
        let (first, last) = (class(from), class(to));
        let (of_first, of_last) = (amounts(first), amounts(last));
        let below = before(*of_first.start(), from);
        let above = after(to, *of_last.end());
        let mut added = Vec::new();
        let mut subtracted: Vec<RangeInclusive<i64>> = Vec::new();
        let mut classes = first..last + 1;
        if first == last {
            let outside = below.iter().chain(&above).map(width).sum();
            if width(range) < outside {
                classes = first..first;
                added.push(range.clone());
            } else {
                subtracted.extend(below.into_iter().chain(above));
            }
        } else {
            let mut counts = |inside: RangeInclusive<i64>, outside: Option<RangeInclusive<i64>>| {
                let Some(outside) = outside else {
                    return true;
                };
                let counts = width(&inside) >= width(&outside);
                if counts {
                    subtracted.push(outside);
                } else {
                    added.push(inside);
                }
                counts
            };
            if !counts(from..=*of_first.end(), below) {
                classes.start += 1;
            }
            if !counts(*of_last.start()..=to, above) {
                classes.end -= 1;
            }
        }
        Self {
            classes,
            added,
            subtracted,
        }
    }
}

/// The amounts from `lowest` to before `amount`, if there are any.
fn before(lowest: i64, amount: i64) -> Option<RangeInclusive<i64>> {
    (lowest < amount).then(|| lowest..=amount - 1)
}

/// The amounts from after `amount` to `highest`, if there are any.
fn after(amount: i64, highest: i64) -> Option<RangeInclusive<i64>> {
    (amount < highest).then(|| amount + 1..=highest)
}

fn width(range: &RangeInclusive<i64>) -> i128 {
    i128::from(*range.end()) - i128::from(*range.start()) + 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn class_is_sign_digits_and_first_digit() {
        let same = [
            (0, 9_999),
            (-9_999, -1),
            (10_000, 19_999),
            (90_000, 99_999),
            (-99_999, -90_000),
            (1_000_000, 1_999_999),
            (9_000_000_000, 9_999_999_999),
            (-199_999, -100_000),
            (9_000_000_000_000_000_000, i64::MAX),
            (i64::MIN, -9_000_000_000_000_000_000),
        ];
        for (lowest, highest) in same {
            assert_eq!(amounts(class(lowest)), lowest..=highest);
            assert_eq!(class(lowest), class(highest));
        }
        assert!(LOWEST.is_sorted());
        assert_eq!(class(i64::MIN), 0);
        assert_eq!(class(i64::MAX), classes().last().unwrap());
    }

    /// Amounts at the borders of classes, and others.
    fn amount() -> impl Strategy<Value = i64> {
        prop_oneof![
            any::<i64>(),
            -200_000..200_000_i64,
            (0..LOWEST.len(), -1..=1_i64).prop_map(|(at, beside)| LOWEST[at] + beside),
        ]
    }

    #[test]
    fn empty_range_is_covered_by_nothing() {
        let Coverage {
            classes,
            added,
            subtracted,
        } = Coverage::of(&RangeInclusive::new(20_000, 10_000));
        assert!(classes.is_empty() && added.is_empty() && subtracted.is_empty());
    }

    proptest! {
        #[test]
        fn every_amount_is_counted_once_if_the_range_contains_it(
            one in amount(), other in amount(), amount in amount(),
        ) {
            let range = one.min(other)..=one.max(other);
            let coverage = Coverage::of(&range);
            for amount in [amount, *range.start(), *range.end()] {
                let times = |of: &[RangeInclusive<i64>]| {
                    of.iter().filter(|range| range.contains(&amount)).count()
                };
                let counted = usize::from(coverage.classes.contains(&class(amount)));
                let counted = counted + times(&coverage.added) - times(&coverage.subtracted);
                prop_assert_eq!(counted, usize::from(range.contains(&amount)), "{:?}", coverage);
            }
            let parts = coverage.added.iter().chain(&coverage.subtracted);
            for part in parts.clone() {
                prop_assert!(2 * width(part) <= width(&amounts(class(*part.start()))));
            }
            prop_assert!(parts.count() <= 2);
        }
    }
}
