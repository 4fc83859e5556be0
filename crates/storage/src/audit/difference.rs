//! How an event says what a change has replaced (decision 0153).

use super::AuditEvent;

/// The most characters of a value in an event: nobody can delete one, so a long list must not fill the audit.
const MAX_VALUE_CHARACTERS: usize = 2_000;
/// The detail with the names of the fields that have changed and whose content no event has.
const FIELDS: &str = "fields";

/// What events may say of a record, in the order in which they say it. A record that does not exist has none of it.
#[derive(Clone, Default)]
pub struct AuditedValues {
    values: Vec<(&'static str, String)>,
    contents: Vec<(&'static str, Vec<u8>)>,
}

impl AuditedValues {
    /// Adds a value that events name: an id, a number, a word, an address of a server. An empty one counts as none.
    #[must_use]
    pub fn value(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.values.push((name, value.into()));
        self
    }

    /// Adds a value of yes or no.
    #[must_use]
    pub fn flag(self, name: &'static str, value: bool) -> Self {
        self.value(name, if value { "yes" } else { "no" })
    }

    /// Adds a field of which events say only that it has changed: a text that somebody wrote, or a secret in its encrypted form.
    /// An empty one counts as none.
    #[must_use]
    pub fn concealed(mut self, field: &'static str, content: impl AsRef<[u8]>) -> Self {
        self.contents.push((field, content.as_ref().to_owned()));
        self
    }
}

impl AuditEvent {
    /// Adds how a record differs after a change: NAME is a value after it, `NAME_before` the one before it, and `fields` are the
    /// names of the others that have changed. What is as before is not named.
    #[must_use]
    pub fn difference(mut self, before: &AuditedValues, after: &AuditedValues) -> Self {
        for (name, before, after) in differing(&before.values, &after.values) {
            for (name, value) in [(name.to_owned(), after), (format!("{name}_before"), before)] {
                if let Some(value) = value {
                    self = self.detail(&name, shortened(value));
                }
            }
        }
        let fields: Vec<_> = differing(&before.contents, &after.contents)
            .into_iter()
            .map(|(field, _, _)| field)
            .collect();
        if fields.is_empty() {
            self
        } else {
            self.detail(FIELDS, fields.join(" "))
        }
    }
}

/// The names whose values differ, each with the value before and after, if there is one.
fn differing<'a, Value: PartialEq + Default>(
    before: &'a [(&'static str, Value)],
    after: &'a [(&'static str, Value)],
) -> Vec<(&'static str, Option<&'a Value>, Option<&'a Value>)> {
    let value = |values: &'a [(&'static str, Value)], name| {
        let found = values.iter().find(|(other, _)| *other == name);
        found
            .map(|(_, value)| value)
            .filter(|value| **value != Value::default())
    };
    let known = after.iter().map(|(name, _)| *name);
    let gone = before.iter().map(|(name, _)| *name);
    let gone = gone.filter(|name| after.iter().all(|(other, _)| other != name));
    known
        .chain(gone)
        .map(|name| (name, value(before, name), value(after, name)))
        .filter(|(_, before, after)| before != after)
        .collect()
}

fn shortened(value: &str) -> String {
    match value.char_indices().nth(MAX_VALUE_CHARACTERS) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::Timestamp;

    use super::super::AuditEventKind;
    use super::*;

    fn details(before: &AuditedValues, after: &AuditedValues) -> Vec<(String, String)> {
        let event = AuditEvent::new(Timestamp::from_millis(0), AuditEventKind::PlanChanged);
        event.difference(before, after).detail.into_iter().collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        expected.iter().map(owned).collect()
    }

    fn record(users: &str, name: &str) -> AuditedValues {
        AuditedValues::default()
            .value("users", users)
            .flag("enabled", true)
            .concealed("name", name)
            .concealed("note", "")
    }

    #[test]
    fn change_names_what_differs_with_the_value_before_and_no_text_that_somebody_wrote() {
        let changed = details(&record("10", "Noura"), &record("20", "Amal"));
        let expected = [("fields", "name"), ("users", "20"), ("users_before", "10")];
        assert_eq!(changed, pairs(&expected));
        assert_eq!(details(&record("10", "Noura"), &record("10", "Noura")), []);
    }

    #[test]
    fn creation_has_no_values_before_and_deletion_none_after() {
        let (none, record) = (AuditedValues::default(), record("10", "Noura"));
        let created = [("enabled", "yes"), ("fields", "name"), ("users", "10")];
        assert_eq!(details(&none, &record), pairs(&created));
        let deleted = [
            ("enabled_before", "yes"),
            ("fields", "name"),
            ("users_before", "10"),
        ];
        assert_eq!(details(&record, &none), pairs(&deleted));
    }

    #[test]
    fn long_value_is_shortened_and_still_compared_as_a_whole() {
        let long = "ص".repeat(MAX_VALUE_CHARACTERS);
        let value = |end: &str| AuditedValues::default().value("uris", format!("{long}{end}"));
        let changed = details(&value("a"), &value("b"));
        let shown = format!("{long}…");
        assert_eq!(changed, pairs(&[("uris", &shown), ("uris_before", &shown)]));
    }
}
