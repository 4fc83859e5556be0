//! Every rule has a name in the list, and words in English and in Arabic.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use invoice::rules::ALL;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The names of rules in the code, as quoted there.
fn quoted(folder: &Path, into: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the sources can be listed") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            quoted(&path, into);
        } else if !path.ends_with("list.rs") {
            let text = fs::read_to_string(&path).expect("a source can be read");
            let names = text.split('"').filter(|part| is_rule(part));
            into.extend(names.map(str::to_owned));
        }
    }
}

fn is_rule(text: &str) -> bool {
    let known = ["BR-", "INV-", "PEPPOL-"];
    let letters = text
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
    letters
        && known
            .iter()
            .any(|prefix| text.len() > prefix.len() && text.starts_with(prefix))
}

/// `(rule, words)` of a language.
fn words(language: &str) -> Vec<(String, String)> {
    let file = root().join(format!("../../ui/locales/{language}/rules.ftl"));
    let text = fs::read_to_string(file).expect("the words can be read");
    let messages = text.lines().filter_map(|line| line.split_once(" = "));
    messages
        .filter_map(|(id, words)| Some((id.strip_prefix("rule-")?.to_owned(), words.to_owned())))
        .filter(|(rule, _)| rule != "other")
        .collect()
}

#[test]
fn the_list_has_every_rule_of_the_code_once_and_in_order() {
    let mut used = BTreeSet::new();
    quoted(&root().join("src"), &mut used);
    let listed: Vec<_> = used.iter().map(String::as_str).collect();
    assert_eq!(ALL, listed, "rules/list.rs names what the code uses");
}

#[test]
fn every_rule_has_words_in_both_languages_and_no_words_are_left_over() {
    for language in ["en", "ar"] {
        let rules: Vec<_> = words(language).into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(rules, ALL, "rules.ftl of {language}, in alphabetical order");
    }
}

#[test]
fn arabic_words_are_arabic_and_english_words_are_sentences() {
    let arabic = |words: &str| {
        words
            .chars()
            .any(|letter| ('\u{620}'..='\u{64a}').contains(&letter))
    };
    for (rule, words) in words("ar") {
        assert!(arabic(&words), "{rule}: {words}");
    }
    for (rule, words) in words("en") {
        assert!(words.ends_with('.') && !arabic(&words), "{rule}: {words}");
    }
}
