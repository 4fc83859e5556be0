//! The numbers that tokens were issued with: SQLite stores one whose number is taken under one of the next (decision 0034).

use super::{Record, Table, Value};
use crate::secret::Bucket;

/// Gives the codes and tokens of families the numbers back that they were issued with. Each was issued in the bucket of its family,
/// so that the family tells how far from its number one is stored. A token without a family keeps the number that it is stored
/// under, since nothing tells another one.
pub fn restore_token_numbers(table: &Table, records: &mut [Record]) {
    let (number, family) = match table.name {
        // The number of the code.
        "families" => ("code_number", "id"),
        "refresh_tokens" | "access_tokens" => ("number", "family"),
        _ => return,
    };
    let position = |name: &str| table.columns.iter().position(|column| column.name == name);
    let (Some(number), Some(family)) = (position(number), position(family)) else {
        return;
    };
    for record in records {
        let Some(&Value::Integer(family)) = record.get(family) else {
            continue;
        };
        if let Some(Value::Integer(number)) = record.get_mut(number) {
            let distance = Bucket::of(number.wrapping_sub(family)).number();
            *number = number.wrapping_sub(distance.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::TABLES;
    use super::*;

    /// The first number of a millisecond.
    const MILLISECOND: i64 = 1_800_000_000_000 << 21;

    /// What becomes of a number and the family that it has in a record of `table`.
    fn restored(table: &str, names: [&str; 2], number: Value, family: Value) -> Value {
        let table = TABLES.iter().find(|each| each.name == table).unwrap();
        let [number_at, family_at] = names.map(|name| {
            let mut columns = table.columns.iter();
            columns.position(|column| column.name == name).unwrap()
        });
        let mut record = vec![Value::Null; table.columns.len()];
        record[number_at] = number;
        record[family_at] = family;
        let mut records = [record];
        restore_token_numbers(table, &mut records);
        records[0][number_at].clone()
    }

    #[test]
    fn number_of_a_family_is_the_one_that_was_issued_however_far_from_it_it_is_stored() {
        for (table, names) in [
            ("families", ["code_number", "id"]),
            ("refresh_tokens", ["number", "family"]),
            ("access_tokens", ["number", "family"]),
        ] {
            for (bucket, issued) in [
                (77, MILLISECOND + (5 << 10) + 77),
                // The keys beside it are of other buckets, or of the next millisecond.
                (1_023, MILLISECOND + (5 << 10) + 1_023),
                (1_020, MILLISECOND + (2_047 << 10) + 1_020),
                (0, MILLISECOND),
            ] {
                for distance in 0..8 {
                    let stored = Value::Integer(issued + distance);
                    let family = Value::Integer(MILLISECOND - (9 << 10) + bucket);
                    let restored = restored(table, names, stored, family);
                    assert_eq!(restored, Value::Integer(issued), "{table}, {distance}");
                }
            }
        }
    }

    #[test]
    fn number_without_a_family_and_family_without_a_code_stay_as_they_are() {
        let names = ["number", "family"];
        let number = Value::Integer(MILLISECOND + 3);
        let kept = restored("access_tokens", names, number.clone(), Value::Null);
        assert_eq!(kept, number);
        let names = ["code_number", "id"];
        let none = restored("families", names, Value::Null, number);
        assert_eq!(none, Value::Null);
    }
}
