//! The parameters of a request, from its query or its form.

use std::collections::HashSet;
use std::fmt;

use url::form_urlencoded;

/// Parameters by name. No name occurs twice, and one without a value counts as absent (RFC 6749, 3.1 and 3.2).
/// `Debug` shows names only: values can be codes, tokens and passwords.
#[derive(Clone, Default)]
pub(crate) struct Parameters(Vec<(String, String)>);

/// A name that occurs twice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the parameter {0:?} occurs more than once")]
pub(crate) struct Duplicate(pub(crate) String);

impl Parameters {
    /// From `application/x-www-form-urlencoded`.
    pub(crate) fn parse(encoded: &[u8]) -> Result<Self, Duplicate> {
        let mut parameters = Vec::new();
        // Not by looking through all before it: a body has room for ten thousand names.
        let mut seen = HashSet::new();
        for (name, value) in form_urlencoded::parse(encoded) {
            if !seen.insert(name.clone()) {
                return Err(Duplicate(name.chars().take(64).collect()));
            }
            parameters.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self(parameters))
    }

    /// The value of a parameter that is there and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(known, value)| known == name && !value.is_empty())
            .map(|(_, value)| value.as_str())
    }

    /// The same with one parameter set.
    pub(crate) fn with(&self, name: &str, value: &str) -> Self {
        let others = self.0.iter().filter(|(known, _)| known != name).cloned();
        Self(
            others
                .chain([(name.to_owned(), value.to_owned())])
                .collect(),
        )
    }

    /// As a query.
    pub(crate) fn to_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&self.0)
            .finish()
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_set()
            .entries(self.0.iter().map(|(name, _)| name))
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
            let parameters = Parameters(pairs.into_iter().collect());
            let read = Parameters::parse(parameters.to_query().as_bytes()).unwrap();
            proptest::prop_assert_eq!(read.0, parameters.0);
        }
    }
}
