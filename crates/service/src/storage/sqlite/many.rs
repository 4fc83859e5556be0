//! Statements for one row and for several: what is asked for at the same time is asked with one statement.

/// How many rows or places the statements have, from many to one. Each size is one more prepared statement.
const SIZES: [usize; 4] = [64, 16, 4, 1];

/// One statement in each of the sizes.
#[derive(Debug)]
pub(super) struct Many([String; SIZES.len()]);

impl Many {
    /// An INSERT of rows with that many columns.
    pub(super) fn rows(into: &str, columns: usize) -> Self {
        Self(SIZES.map(|size| {
            let row = |number: usize| format!("({})", places(number * columns + 1, columns));
            let rows: Vec<_> = (0..size).map(row).collect();
            format!("{into} VALUES {}", rows.join(", "))
        }))
    }

    /// `before`, that many places from number `first` on, `after`.
    pub(super) fn places(before: &str, first: usize, after: &str) -> Self {
        Self(SIZES.map(|size| format!("{before}{}{after}", places(first, size))))
    }

    /// The statement for as many as one of [`parts`] has.
    pub(super) fn of(&'static self, size: usize) -> &'static str {
        let fits = SIZES.iter().position(|known| *known <= size);
        &self.0[fits.unwrap_or(SIZES.len() - 1)]
    }
}

/// `all` in parts, each as long as a statement.
pub(super) fn parts<Each>(mut all: &[Each]) -> impl Iterator<Item = &[Each]> {
    std::iter::from_fn(move || {
        let size = SIZES.into_iter().find(|size| *size <= all.len())?;
        let (part, rest) = all.split_at(size);
        all = rest;
        Some(part)
    })
}

fn places(first: usize, count: usize) -> String {
    let places: Vec<_> = (first..first + count)
        .map(|number| format!("${number}"))
        .collect();
    places.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_out_and_every_part_has_its_statement() {
        static STATEMENT: std::sync::LazyLock<Many> =
            std::sync::LazyLock::new(|| Many::rows("INSERT INTO numbers (a, b)", 2));
        for count in [0, 1, 7, 8, 9, 64, 75, 200] {
            let all: Vec<_> = (0..count).collect();
            assert_eq!(parts(&all).flatten().count(), count);
            for part in parts(&all) {
                let last = format!("${}, ${})", part.len() * 2 - 1, part.len() * 2);
                assert!(STATEMENT.of(part.len()).ends_with(&last));
            }
        }
    }
}
