//! Which line of the service a line of the form is. Lines are matched by their ids, so that a moved line stays itself.

use std::collections::HashSet;

use invoice::content::Line;

use crate::views::LineContent;

/// The stored lines in the order of the form's; a new line is empty. If the form has no ids, as a draft of an earlier version,
/// lines are matched by their position, and the service numbers them again.
pub(super) fn match_lines(mut stored: Vec<Line>, form: &[LineContent]) -> Vec<Line> {
    let is_new = stored.is_empty();
    if form.iter().all(|line| line.id.is_empty()) || (is_new && has_equal_ids(form)) {
        stored.resize_with(form.len(), Line::default);
        for line in &mut stored {
            line.id = String::new();
        }
        return stored;
    }
    let mut free = free_ids(&stored, form);
    form.iter()
        .map(|line| {
            let at = stored
                .iter()
                .position(|stored| !line.id.is_empty() && stored.id == line.id);
            if let Some(at) = at {
                return stored.swap_remove(at);
            }
            // A credit note names the lines of its invoice, also if others are added.
            let id = if is_new && !line.id.is_empty() {
                line.id.clone()
            } else {
                free.next().unwrap_or_default()
            };
            Line {
                id,
                ..Line::default()
            }
        })
        .collect()
}

/// Numbers that no line has had: a new line must not be taken for one that was removed.
fn free_ids(stored: &[Line], form: &[LineContent]) -> impl Iterator<Item = String> + use<> {
    let taken: HashSet<String> = stored
        .iter()
        .map(|line| line.id.clone())
        .chain(form.iter().map(|line| line.id.clone()))
        .collect();
    let highest = taken.iter().filter_map(|id| id.parse::<u64>().ok()).max();
    (highest.unwrap_or(0).saturating_add(1)..)
        .map(|number| number.to_string())
        .filter(move |id| !taken.contains(id))
}

/// Whether two lines have the same id.
fn has_equal_ids(lines: &[LineContent]) -> bool {
    let mut ids = HashSet::new();
    let identified = lines.iter().filter(|line| !line.id.is_empty());
    identified.map(|line| &line.id).any(|id| !ids.insert(id))
}

/// Whether all lines have ids of their own.
pub(super) fn are_identified(lines: &[LineContent]) -> bool {
    lines.iter().all(|line| !line.id.is_empty()) && !has_equal_ids(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(id: &str, note: &str) -> Line {
        let mut line = Line {
            id: id.to_owned(),
            ..Line::default()
        };
        line.details.note = note.to_owned();
        line
    }

    fn form(id: &str) -> LineContent {
        LineContent {
            id: id.to_owned(),
            ..LineContent::default()
        }
    }

    #[test]
    fn moved_line_keeps_its_other_fields_and_a_new_one_gets_a_new_id() {
        let lines = vec![stored("1", "a"), stored("2", "b"), stored("3", "c")];
        let matched = match_lines(lines, &[form("3"), form(""), form("1")]);
        let found: Vec<(&str, &str)> = matched
            .iter()
            .map(|line| (line.id.as_str(), line.details.note.as_str()))
            .collect();
        assert_eq!(found, [("3", "c"), ("4", ""), ("1", "a")]);
    }

    #[test]
    fn line_that_is_added_to_a_new_document_leaves_the_others_their_ids() {
        let ids = |form: &[LineContent]| -> Vec<String> {
            let lines = match_lines(Vec::new(), form);
            lines.into_iter().map(|line| line.id).collect()
        };
        assert_eq!(ids(&[form("3"), form(""), form("5")]), ["3", "6", "5"]);
        assert_eq!(ids(&[form("3"), form("5")]), ["3", "5"]);
        assert_eq!(ids(&[form("3"), form("3")]), ["", ""], "numbered again");
        assert_eq!(ids(&[form(""), form("")]), ["", ""]);
    }

    #[test]
    fn lines_without_ids_are_matched_by_position() {
        let matched = match_lines(vec![stored("1", "a"), stored("2", "b")], &[form("")]);
        assert_eq!((matched.len(), matched[0].details.note.as_str()), (1, "a"));
        assert_eq!(matched[0].id, "", "the service numbers it");
    }
}
