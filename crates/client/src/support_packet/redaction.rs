//! Redaction of log lines. The log holds no secrets and no business data (a test searches for them); this is the second
//! barrier, for what a library or a later change may log.

use std::borrow::Cow;

/// Longer words of letters and digits may be tokens or keys.
const MAX_WORD: usize = 31;

/// The line without terminal colours, and without words that may be secrets, names or amounts.
pub(super) fn redact(line: &str) -> String {
    let plain = without_colours(line);
    let words: Vec<_> = plain.split(' ').map(redact_word).collect();
    words.join(" ")
}

fn redact_word(word: &str) -> Cow<'_, str> {
    if word.parse::<jiff::Timestamp>().is_ok() {
        return word.into();
    }
    if !word.is_ascii() {
        return "[text]".into();
    }
    let is_part =
        |character: char| character.is_ascii_alphanumeric() || "._%+-".contains(character);
    if word.split('@').count() > 1
        && word
            .split('@')
            .all(|part| part.starts_with(is_part) || part.ends_with(is_part))
    {
        return "[address]".into();
    }
    if word.contains("/home/") || word.contains("/Users/") || word.contains("\\Users\\") {
        return "[path]".into();
    }
    if let Some((address, _)) = word.split_once('?')
        && address.contains("://")
    {
        return format!("{address}?[query]").into();
    }
    let is_long = |run: &&str| run.len() > MAX_WORD && uuid::Uuid::try_parse(run).is_err();
    let runs = word
        .split(|character: char| !(character.is_ascii_alphanumeric() || "-_".contains(character)));
    if runs.clone().any(|run| is_long(&run)) {
        return "[secret]".into();
    }
    if is_amount(word) {
        return "[number]".into();
    }
    word.into()
}

/// Whether the word has a decimal number with two digits or more behind its point.
fn is_amount(word: &str) -> bool {
    let trimmed = word.trim_matches(|character: char| !character.is_ascii_digit());
    let Some((whole, fraction)) = trimmed.rsplit_once('.') else {
        return false;
    };
    let digits = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b',')
    };
    !whole.is_empty() && digits(whole) && fraction.len() >= 2 && digits(fraction)
}

/// Without the escape sequences of a terminal (ECMA-48, section 5.4).
fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        let end = after.find(|character: char| ('@'..='~').contains(&character));
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_names_addresses_and_amounts_are_removed() {
        for (line, expected) in [
            (
                "Bearer 0aXk3Jd9fLq2Wm8Zr5Tc7Vb1Nh4Yg6Pp0sEu",
                "Bearer [secret]",
            ),
            ("token=0aXk3Jd9fLq2Wm8Zr5Tc7Vb1Nh4Yg6Pp0sEu;", "[secret]"),
            ("for noura@alkhair.example now", "for [address] now"),
            ("buyer شركة النور here", "buyer [text] [text] here"),
            ("gross=1,255.23 SAR", "[number] SAR"),
            (
                "GET https://id.example.com/cb?code=x&state=y failed",
                "GET https://id.example.com/cb?[query] failed",
            ),
            ("in /home/noura/.local/share/x", "in [path]"),
            ("\u{1b}[33m WARN\u{1b}[0m it", " WARN it"),
        ] {
            assert_eq!(redact(line), expected);
        }
    }

    #[test]
    fn times_correlation_ids_versions_and_words_stay() {
        for line in [
            "2026-11-22T11:34:03.424109Z WARN invoicing_client::gateway: a call failed command=\"list_invoices\"",
            "correlation_id=0199f3a0-0000-7000-8000-000000000002 status=503",
            "127.0.0.1:8443 after 3 attempts",
        ] {
            assert_eq!(redact(line), line);
        }
    }
}
