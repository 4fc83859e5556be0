//! The result of the cells as a table for people.

use std::fmt;

use end_to_end::fault_proxy::Lasting;

use super::call::Call;
use super::cell::{Cell, Invariant, Violation};
use super::fault_kind::FaultKind;
use super::known_failures::is_known;

/// The cells that ran, with what does not hold in them.
pub(crate) struct Table {
    results: Vec<(Cell, Vec<Violation>)>,
}

impl Table {
    pub(crate) fn new(results: Vec<(Cell, Vec<Violation>)>) -> Self {
        Self { results }
    }

    /// Whether exactly the known failures do not hold.
    pub(crate) fn holds(&self) -> bool {
        self.results
            .iter()
            .all(|(cell, found)| found.is_empty() != is_known(*cell))
    }

    /// The cells that do not hold, and the known failures that do.
    pub(crate) fn failures(&self) -> String {
        let mut lines: Vec<_> = self
            .results
            .iter()
            .filter(|(cell, found)| !found.is_empty() || is_known(*cell))
            .map(|(cell, found)| {
                if found.is_empty() {
                    return format!("{cell} holds, and is in the list of known failures");
                }
                let found: Vec<_> = found
                    .iter()
                    .map(|(invariant, seen)| format!("{invariant:?}: {seen}"))
                    .collect();
                let known = if is_known(*cell) { " (known)" } else { "" };
                format!("{cell}{known}: {}", found.join("; "))
            })
            .collect();
        lines.sort();
        lines.join("\n")
    }

    fn letter(&self, cell: Cell) -> char {
        let result = self.results.iter().find(|(other, _)| *other == cell);
        match result.map(|(_, found)| found.first()) {
            None => ' ',
            Some(None) => '.',
            Some(Some((invariant, _))) => letter(*invariant),
        }
    }
}

/// The letter of an invariant that does not hold.
fn letter(invariant: Invariant) -> char {
    match invariant {
        Invariant::Draft => 'D',
        Invariant::Marker => 'M',
        Invariant::SignOut => 'O',
        Invariant::Words => 'W',
        Invariant::Secret => 'S',
        Invariant::Recovery => 'R',
        Invariant::End => 'E',
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in FaultKind::ALL.iter().enumerate() {
            writeln!(formatter, "{number:>3} {fault:?}")?;
        }
        writeln!(formatter, "\n. holds")?;
        for invariant in Invariant::ALL {
            writeln!(
                formatter,
                "{} {invariant:?} does not hold",
                letter(invariant)
            )?;
        }
        for (tls, transport) in [(false, "TCP"), (true, "TLS")] {
            for lasting in [Lasting::Once, Lasting::UntilCleared] {
                writeln!(formatter, "\n{transport}, {lasting:?}")?;
                let tens: String = numbers(|number| number / 10);
                let units: String = numbers(|number| number % 10);
                writeln!(formatter, "{:24}{tens}\n{:24}{units}", "", "")?;
                for call in Call::ALL {
                    let letters: String = FaultKind::ALL
                        .into_iter()
                        .map(|fault| {
                            self.letter(Cell {
                                call,
                                fault,
                                lasting,
                                tls,
                            })
                        })
                        .collect();
                    writeln!(formatter, "{:24}{letters}", format!("{call:?}"))?;
                }
            }
        }
        let failed = self
            .results
            .iter()
            .filter(|(_, found)| !found.is_empty())
            .count();
        writeln!(
            formatter,
            "\n{} cells: {} hold, {failed} do not",
            self.results.len(),
            self.results.len() - failed
        )?;
        write!(formatter, "{}", self.failures())
    }
}

fn numbers(digit: impl Fn(usize) -> usize) -> String {
    (0..FaultKind::ALL.len())
        .map(|number| digit(number).to_string())
        .collect()
}
