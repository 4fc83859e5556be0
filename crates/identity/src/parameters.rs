//! The parameters of a request, from its query or its form.

use std::collections::HashSet;
use std::fmt;

use url::form_urlencoded;

/// Parameters by name. No name occurs twice, and one without a value counts as absent (RFC 6749, 3.1 and 3.2).
/// `Debug` shows names only: values can be codes, tokens and passwords.
#[derive(Clone, Default)]
pub(crate) struct Parameters {
    /// Each name and then its value, one after the other.
    text: String,
    /// Where each name and its value end there.
    ends: Vec<(usize, usize)>,
}

/// A name that occurs twice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the parameter {0:?} occurs more than once")]
pub(crate) struct Duplicate(pub(crate) String);

impl Parameters {
    /// From `application/x-www-form-urlencoded`.
    pub(crate) fn parse(encoded: &[u8]) -> Result<Self, Duplicate> {
        let mut parameters = Self {
            text: String::with_capacity(encoded.len()),
            ends: Vec::with_capacity(8),
        };
        for (name, value) in form_urlencoded::parse(encoded) {
            parameters.push(&name, &value);
        }
        match parameters.repeated() {
            Some(name) => Err(Duplicate(name.chars().take(64).collect())),
            None => Ok(parameters),
        }
    }

    /// The value of a parameter that is there and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.pairs()
            .find(|(known, value)| *known == name && !value.is_empty())
            .map(|(_, value)| value)
    }

    /// The same with one parameter set.
    pub(crate) fn with(&self, name: &str, value: &str) -> Self {
        let mut parameters = Self::default();
        for (known, value) in self.pairs().filter(|(known, _)| *known != name) {
            parameters.push(known, value);
        }
        parameters.push(name, value);
        parameters
    }

    /// As a query.
    pub(crate) fn to_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(self.pairs())
            .finish()
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut begin = 0;
        self.ends.iter().map(move |&(middle, end)| {
            let pair = (&self.text[begin..middle], &self.text[middle..end]);
            begin = end;
            pair
        })
    }

    fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let middle = self.text.len();
        self.text.push_str(value);
        self.ends.push((middle, self.text.len()));
    }

    /// The first name that was there before.
    fn repeated(&self) -> Option<&str> {
        /// Fewer than that are compared one by one. Not more: a body has room for ten thousand names.
        const FEW: usize = 16;
        let mut names = self.pairs().map(|(name, _)| name);
        if self.ends.len() > FEW {
            let mut seen = HashSet::new();
            return names.find(|name| !seen.insert(*name));
        }
        let before = |at| self.pairs().map(|(name, _)| name).take(at);
        let mut numbered = names.enumerate();
        let repeated = numbered.find(|(at, name)| before(*at).any(|earlier| earlier == *name));
        repeated.map(|(_, name)| name)
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
    fn a_parameter_twice_is_refused_and_an_empty_one_is_absent() {
        assert_eq!(
            Parameters::parse(b"a=1&b=2&a=3").unwrap_err(),
            Duplicate("a".to_owned())
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
    fn of_ten_thousand_names_none_is_overlooked() {
        let form: String = (0..10_000).map(|number| format!("{number}=&")).collect();
        assert!(Parameters::parse(form.as_bytes()).is_ok());
        assert_eq!(
            Parameters::parse(format!("{form}9999=").as_bytes()).unwrap_err(),
            Duplicate("9999".to_owned())
        );
    }

    #[test]
    fn values_do_not_show_in_debug() {
        let parameters = Parameters::parse(b"password=saffron").unwrap();
        assert!(
            !format!("{parameters:?}").contains("saffron"),
            "{parameters:?}"
        );
    }

    proptest::proptest! {
        #[test]
        fn what_becomes_a_query_reads_back(pairs: std::collections::BTreeMap<String, String>) {
            let none = Parameters::default();
            let parameters = pairs.iter().fold(none, |all, (name, value)| all.with(name, value));
            let read = Parameters::parse(parameters.to_query().as_bytes()).unwrap();
            let pairs = pairs.iter().map(|(name, value)| (&**name, &**value));
            proptest::prop_assert!(read.pairs().eq(pairs));
        }
    }
}
