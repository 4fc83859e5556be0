//! What of Cedar's syntax rules may use. Checked before Cedar parses the text, so that no text is deeply nested or evaluated.

use super::RuleViolation;

/// The most open brackets. `action in [...]` within a policy needs two.
const MAX_DEPTH: usize = 4;

/// Words that begin an expression. What a policy decides by is its head: principal, action and resource.
const EXPRESSIONS: [&str; 5] = ["when", "unless", "if", "has", "like"];

/// The place of a byte of a text: line and column in characters, from 1.
pub(super) fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    (number(line), number(column))
}

/// Where each policy of `text` begins, or the first part that rules may not contain.
pub(super) fn check(text: &str) -> Result<Vec<usize>, RuleViolation> {
    let refused = |offset: usize, description: String| {
        Err(RuleViolation::at(text, Some(offset), description))
    };
    let mut depth = 0_usize;
    let mut begun = false;
    let mut policies = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        match character {
            '/' if text
                .get(offset..)
                .is_some_and(|rest| rest.starts_with("//")) =>
            {
                while characters.next_if(|(_, next)| *next != '\n').is_some() {}
            }
            '"' => loop {
                match characters.next() {
                    Some((_, '"')) => break,
                    Some((_, '\\')) => {
                        characters.next();
                    }
                    Some(_) => {}
                    None => return refused(offset, "the string does not end".to_owned()),
                }
            },
            '(' | '[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return refused(offset, "the brackets are nested too deeply".to_owned());
                }
            }
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if character.is_whitespace() => {}
            ';' => begun = false,
            ',' | ':' | '=' => {}
            '@' => begin(&mut begun, &mut policies, offset),
            _ if is_word(character) => {
                begin(&mut begun, &mut policies, offset);
                while characters.next_if(|(_, next)| is_word(*next)).is_some() {}
                let end = characters.peek().map_or(text.len(), |(end, _)| *end);
                let word = text.get(offset..end).unwrap_or_default();
                if EXPRESSIONS.contains(&word) {
                    let description = format!(
                        "`{word}` is not allowed: rules have no conditions, only principal, action and resource"
                    );
                    return refused(offset, description);
                }
            }
            _ => return refused(offset, format!("{character:?} is not allowed in rules")),
        }
    }
    Ok(policies)
}

/// Notes where a policy begins: with its first word or annotation.
fn begin(begun: &mut bool, policies: &mut Vec<usize>, offset: usize) {
    if !*begun {
        *begun = true;
        policies.push(offset);
    }
}

const fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}
