//! The parameters of a request, from its query or form body.

use std::collections::HashSet;
use std::fmt;

use url::form_urlencoded;

/// Parameters by name. A repeated name is rejected, and a parameter without a value counts as absent (RFC 6749, 3.1 and
/// 3.2). U+0000 is rejected too: no parameter may have it (RFC 6749, appendix A), and PostgreSQL cannot store it. `Debug` shows
/// names only, since values can be codes, tokens and passwords.
#[derive(Clone, Default)]
pub(crate) struct Parameters {
    /// All names and values in one string: a name, its value, the next name, and so on.
    text: String,
    /// For each parameter, the offsets where its name and its value end in `text`.
    ends: Vec<(usize, usize)>,
}

/// Why parameters are not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ParameterError {
    /// A name occurs more than once.
    #[error("the parameter {0:?} occurs more than once")]
    Repeated(String),
    /// A name or a value has U+0000.
    #[error("a parameter contains U+0000")]
    NullCharacter,
}

impl Parameters {
    /// Parses `application/x-www-form-urlencoded`.
    pub(crate) fn parse(encoded: &[u8]) -> Result<Self, ParameterError> {
        let mut parameters = Self {
            text: String::with_capacity(encoded.len()),
            ends: Vec::with_capacity(8),
        };
        for (name, value) in form_urlencoded::parse(encoded) {
            parameters.push(&name, &value);
        }
        if parameters.text.contains('\0') {
            return Err(ParameterError::NullCharacter);
        }
        match parameters.first_duplicate() {
            Some(name) => Err(ParameterError::Repeated(name.chars().take(64).collect())),
            None => Ok(parameters),
        }
    }

    /// The value of a parameter, if it is present and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.pairs()
            .find(|(key, value)| *key == name && !value.is_empty())
            .map(|(_, value)| value)
    }

    /// A copy with one parameter replaced or added.
    pub(crate) fn with(&self, name: &str, value: &str) -> Self {
        let mut parameters = self.without(name);
        parameters.push(name, value);
        parameters
    }

    /// A copy without a parameter.
    pub(crate) fn without(&self, name: &str) -> Self {
        let mut parameters = Self::default();
        for (key, value) in self.pairs().filter(|(key, _)| *key != name) {
            parameters.push(key, value);
        }
        parameters
    }

    /// The parameters as a URL query.
    pub(crate) fn to_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(self.pairs())
            .finish()
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(name_end, end)| {
            let pair = (&self.text[start..name_end], &self.text[name_end..end]);
            start = end;
            pair
        })
    }

    fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let name_end = self.text.len();
        self.text.push_str(value);
        self.ends.push((name_end, self.text.len()));
    }

    /// The first name that occurs for the second time.
    fn first_duplicate(&self) -> Option<&str> {
        /// Up to this number names are compared pairwise, without allocation. A body can hold ten thousand names, so larger
        /// forms use a set.
        const PAIRWISE_LIMIT: usize = 16;
        let mut names = self.pairs().map(|(name, _)| name);
        if self.ends.len() > PAIRWISE_LIMIT {
            let mut seen = HashSet::new();
            return names.find(|name| !seen.insert(*name));
        }
        let preceding = |index| self.pairs().map(|(name, _)| name).take(index);
        names
            .enumerate()
            .find(|(index, name)| preceding(*index).any(|earlier| earlier == *name))
            .map(|(_, name)| name)
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_set()
            .entries(self.pairs().map(|(name, _)| name))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_parameter_is_rejected_and_empty_parameter_is_absent() {
        assert_eq!(
            Parameters::parse(b"a=1&b=2&a=3").unwrap_err(),
            ParameterError::Repeated("a".to_owned())
        );
        let parameters = Parameters::parse(b"a=&b=x%20y").unwrap();
        assert_eq!(
            (
                parameters.get("a"),
                parameters.get("b"),
                parameters.get("c")
            ),
            (None, Some("x y"), None)
        );
    }

    #[test]
    fn u_0000_is_rejected_in_names_and_values() {
        for encoded in ["a=x%00", "a%00=x", "a=1&b=%00", "a=\0"] {
            assert_eq!(
                Parameters::parse(encoded.as_bytes()).unwrap_err(),
                ParameterError::NullCharacter,
                "{encoded:?}"
            );
        }
    }

    #[test]
    fn duplicate_among_ten_thousand_names_is_found() {
        let form: String = (0..10_000).map(|number| format!("{number}=&")).collect();
        assert!(Parameters::parse(form.as_bytes()).is_ok());
        assert_eq!(
            Parameters::parse(format!("{form}9999=").as_bytes()).unwrap_err(),
            ParameterError::Repeated("9999".to_owned())
        );
    }

    #[test]
    fn debug_shows_no_values() {
        let parameters = Parameters::parse(b"password=saffron").unwrap();
        assert!(
            !format!("{parameters:?}").contains("saffron"),
            "{parameters:?}"
        );
    }

    proptest::proptest! {
        #[test]
        fn query_round_trips(pairs: std::collections::BTreeMap<String, String>) {
            let none = Parameters::default();
            let parameters = pairs.iter().fold(none, |all, (name, value)| all.with(name, value));
            let parsed = Parameters::parse(parameters.to_query().as_bytes()).unwrap();
            let pairs = pairs.iter().map(|(name, value)| (&**name, &**value));
            proptest::prop_assert!(parsed.pairs().eq(pairs));
        }
    }
}
