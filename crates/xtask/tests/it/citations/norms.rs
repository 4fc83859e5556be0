//! What can be cited: the parts, headings and rules of the contract, and the decisions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Everything under `docs` that code may cite.
pub(super) struct Norms {
    /// By the number of the part.
    pub(super) parts: BTreeMap<u32, Part>,
    /// By the number of the decision, four digits.
    pub(super) decisions: BTreeMap<String, Decision>,
}

/// A part of the contract: the numbers of the rules under each heading. Rules before the first heading are under "".
#[derive(Default)]
pub(super) struct Part {
    headings: BTreeMap<String, BTreeSet<u32>>,
}

/// A page of `docs/decisions`.
pub(super) struct Decision {
    pub(super) number: String,
    pub(super) title: String,
    /// Name of the file.
    pub(super) file: String,
    /// In their order.
    pub(super) headings: Vec<String>,
    /// The numbers of its list items.
    pub(super) steps: BTreeSet<u32>,
}

impl Norms {
    /// Reads `contract.md` and `decisions/` in the folder `docs`.
    pub(super) fn read(docs: &Path) -> Self {
        let contract = read(&docs.join("contract.md"));
        let mut decisions = BTreeMap::new();
        let folder = docs.join("decisions");
        for entry in fs::read_dir(&folder).expect("the decisions can be listed") {
            let file = entry.expect("an entry can be read").file_name();
            let file = file.into_string().expect("names are ASCII");
            if file.starts_with(|first: char| first.is_ascii_digit()) {
                let decision = Decision::parse(&read(&folder.join(&file)), file);
                let number = decision.number.clone();
                let former = decisions.insert(number.clone(), decision);
                assert!(former.is_none(), "two decisions have the number {number}");
            }
        }
        Self {
            parts: parts(&contract),
            decisions,
        }
    }
}

impl Part {
    /// Whether a heading of this part has this text.
    pub(super) fn has_heading(&self, heading: &str) -> bool {
        self.headings.contains_key(heading)
    }

    /// Whether there is a rule of this number under `heading`, or under any if there is none.
    pub(super) fn has_rule(&self, heading: Option<&str>, rule: u32) -> bool {
        self.headings
            .iter()
            .filter(|(name, _)| heading.is_none_or(|heading| heading == *name))
            .any(|(_, rules)| rules.contains(&rule))
    }
}

impl Decision {
    fn parse(text: &str, file: String) -> Self {
        let heading = text.lines().next().and_then(|line| line.strip_prefix("# "));
        let (number, title) = heading
            .and_then(|heading| heading.split_once(". "))
            .unwrap_or_else(|| panic!("{file} begins with '# NNNN. Title'"));
        assert_eq!(
            file.split_once('-').map(|(number, _)| number),
            Some(number),
            "the name and the heading of {file} have one number"
        );
        let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
        Self {
            number: number.to_owned(),
            title: title.to_owned(),
            file,
            headings: headings.map(str::to_owned).collect(),
            steps: text.lines().filter_map(item_number).collect(),
        }
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The parts of the contract: headings `## N. Title`, below them `### Heading` and numbered lists.
fn parts(contract: &str) -> BTreeMap<u32, Part> {
    let mut parts = BTreeMap::<u32, Part>::new();
    let mut number = 0;
    let mut heading = String::new();
    for line in contract.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            let (digits, _) = title
                .split_once(". ")
                .expect("a part begins with its number");
            number = digits.parse().expect("the number of a part is a number");
            heading.clear();
            parts.insert(number, Part::default());
        } else if let Some(part) = parts.get_mut(&number) {
            if let Some(title) = line.strip_prefix("### ") {
                title.clone_into(&mut heading);
                part.headings.entry(heading.clone()).or_default();
            } else if let Some(rule) = item_number(line) {
                part.headings
                    .entry(heading.clone())
                    .or_default()
                    .insert(rule);
            }
        }
    }
    parts
}

/// The number of an item of a numbered list.
fn item_number(line: &str) -> Option<u32> {
    line.split_once(". ")?.0.parse().ok()
}
