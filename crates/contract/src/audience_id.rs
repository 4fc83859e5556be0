//! The project-audience id of an environment.

use std::fmt;

/// The project-audience id of an environment. It differs from that of every other one, so that a token or a setting of one is
/// refused by another (contract, part 1, "Environments"; decision 0119).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AudienceId(String);

impl AudienceId {
    /// The id of the local environments of all computers. No other environment may have it.
    pub const LOCAL: &'static str = "318930470000000001";

    /// Most characters.
    const MAX_CHARACTERS: usize = 64;

    /// The id of local environments.
    #[must_use]
    pub fn local() -> Self {
        Self(Self::LOCAL.to_owned())
    }

    /// The id with this text: 1 to 64 ASCII letters, digits, points, hyphens and underscores, because it is a part of a scope
    /// whose parts are separated by colons.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_allowed =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        let valid =
            !text.is_empty() && text.len() <= Self::MAX_CHARACTERS && text.bytes().all(is_allowed);
        valid.then(|| Self(text.to_owned()))
    }

    /// The text, as in scopes and in the audiences of tokens.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AudienceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_is_a_part_of_a_scope() {
        for valid in [AudienceId::LOCAL, "293001", "a-b_c.1"] {
            assert_eq!(AudienceId::parse(valid).unwrap().as_str(), valid);
        }
        for invalid in ["", "a:b", "a b", "ا", "a\n", &"1".repeat(65)] {
            assert_eq!(AudienceId::parse(invalid), None, "{invalid:?}");
        }
    }
}
