//! Every rule is in the list with its origin, and has a message in English and in Arabic.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use invoice::rules::{
    ALL, AMBIGUOUS_NUMBER, EMBEDDED_FILE, OUTPUT_FIELD_SET, RuleOrigin, UNKNOWN_ENUM_VALUE, origin,
};

fn crate_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Collects the rule identifiers in string literals of the sources below the folder, without tests.
fn collect_rule_literals(folder: &Path, into: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the sources can be listed") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            collect_rule_literals(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("list.rs")
            && !path.ends_with("tests.rs")
        {
            let text = fs::read_to_string(&path).expect("a source can be read");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let literals = code.split('"').map(|part| match part.split_once(": ") {
                Some((rule, _)) => rule,
                None => part,
            });
            into.extend(literals.filter(|part| is_rule(part)).map(str::to_owned));
        }
    }
}

fn is_rule(text: &str) -> bool {
    let prefixes = ["BR-", "INV-", "PEPPOL-"];
    let has_rule_characters = text
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
    has_rule_characters
        && prefixes
            .iter()
            .any(|prefix| text.len() > prefix.len() && text.starts_with(prefix))
}

/// `(rule, message)` of a language, in the order of its file.
fn messages(language: &str) -> Vec<(String, String)> {
    let file = crate_root().join(format!("../../ui/locales/{language}/rules.ftl"));
    let text = fs::read_to_string(file).expect("the messages can be read");
    let messages = text.lines().filter_map(|line| line.split_once(" = "));
    messages
        .filter_map(|(id, message)| {
            Some((id.strip_prefix("rule-")?.to_owned(), message.to_owned()))
        })
        .filter(|(rule, _)| rule != "other")
        .collect()
}

#[test]
fn the_list_contains_every_rule_of_the_library_once_and_in_order() {
    let mut literals = BTreeSet::new();
    collect_rule_literals(&crate_root().join("src"), &mut literals);
    let reported: Vec<_> = literals.iter().map(String::as_str).collect();
    let listed: Vec<_> = ALL
        .iter()
        .copied()
        .filter(|rule| origin(rule) == Some(RuleOrigin::Library))
        .collect();
    assert_eq!(
        listed, reported,
        "rules/list.rs names what the code reports"
    );
    assert!(ALL.is_sorted_by(|one, next| one < next));
}

#[test]
fn the_list_contains_the_rules_of_service_and_client_with_their_origin() {
    for (rule, expected) in [
        (AMBIGUOUS_NUMBER, RuleOrigin::Client),
        (EMBEDDED_FILE, RuleOrigin::Service),
        (UNKNOWN_ENUM_VALUE, RuleOrigin::Service),
        (OUTPUT_FIELD_SET, RuleOrigin::Service),
    ] {
        assert!(ALL.contains(&rule), "{rule}");
        assert_eq!(origin(rule), Some(expected), "{rule}");
    }
    assert_eq!(origin("INV-NO-SUCH-RULE"), None);
    let mut literals = BTreeSet::new();
    for crate_name in ["client", "contract", "gateway", "service"] {
        let sources = crate_root().join(format!("../{crate_name}/src"));
        collect_rule_literals(&sources, &mut literals);
    }
    // `INV-1` is the number of a sample document.
    let is_own_rule = |rule: &str| {
        let name = rule.strip_prefix("INV-");
        name.is_some_and(|name| name.starts_with(|letter: char| letter.is_ascii_uppercase()))
    };
    let unlisted: Vec<_> = literals
        .iter()
        .filter(|rule| is_own_rule(rule))
        .filter(|rule| !ALL.contains(&rule.as_str()))
        .collect();
    assert!(unlisted.is_empty(), "{unlisted:?} are not in rules/list.rs");
}

#[test]
fn every_rule_has_a_message_in_both_languages_and_every_message_has_a_rule() {
    for language in ["en", "ar"] {
        let rules: Vec<_> = messages(language)
            .into_iter()
            .map(|(rule, _)| rule)
            .collect();
        assert_eq!(rules, ALL, "rules.ftl of {language}, in alphabetical order");
    }
}

#[test]
fn arabic_messages_have_arabic_letters_and_english_messages_are_sentences() {
    let is_arabic = |message: &str| {
        message
            .chars()
            .any(|letter| ('\u{620}'..='\u{64a}').contains(&letter))
    };
    for (rule, message) in messages("ar") {
        assert!(is_arabic(&message), "{rule}: {message}");
    }
    for (rule, message) in messages("en") {
        assert!(
            message.ends_with('.') && !is_arabic(&message),
            "{rule}: {message}"
        );
    }
}
