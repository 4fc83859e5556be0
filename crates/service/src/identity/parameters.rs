//! The parameters of a request, from its query or its form.

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
        let mut parameters: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(encoded) {
            if parameters.iter().any(|(known, _)| *known == name) {
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
