//! The translations of the pages, in English and Arabic.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use http::{HeaderMap, header};
use unic_langid::langid;

/// A language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Arabic,
}

impl Language {
    /// The preferred language: that of `ui_locales` (OpenID Connect Core, 3.1.2.1), otherwise of Accept-Language.
    pub(crate) fn preferred(ui_locales: Option<&str>, headers: &HeaderMap) -> Self {
        let requested = ui_locales
            .unwrap_or_default()
            .split_ascii_whitespace()
            .find_map(Self::from_tag);
        requested
            .or_else(|| Self::accepted(headers))
            .unwrap_or(Self::English)
    }

    /// The BCP 47 tag.
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Arabic => "ar",
        }
    }

    /// The value of the HTML attribute `dir`.
    pub(crate) const fn direction(self) -> &'static str {
        match self {
            Self::English => "ltr",
            Self::Arabic => "rtl",
        }
    }

    /// The language that the language switch offers.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::English => Self::Arabic,
            Self::Arabic => Self::English,
        }
    }

    fn from_tag(tag: &str) -> Option<Self> {
        match tag.split(['-', '_']).next()?.to_ascii_lowercase().as_str() {
            "en" => Some(Self::English),
            "ar" => Some(Self::Arabic),
            _ => None,
        }
    }

    /// The supported language of Accept-Language with the highest weight; the first one of equal weights (RFC 9110, 12.5.4).
    fn accepted(headers: &HeaderMap) -> Option<Self> {
        let accepted = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
        let supported = accepted.split(',').rev().filter_map(|entry| {
            let mut parts = entry.split(';').map(str::trim);
            let language = Self::from_tag(parts.next()?)?;
            let weight = parts
                .find_map(|part| part.strip_prefix("q="))
                .map_or(1000, thousandths);
            (weight > 0).then_some((language, weight))
        });
        // max_by_key returns the last of equal maxima, hence the reversal above.
        supported
            .max_by_key(|(_, weight)| *weight)
            .map(|(language, _)| language)
    }
}

/// A weight in thousandths (RFC 9110, 12.4.2); 0 if it is invalid.
fn thousandths(weight: &str) -> u16 {
    let (whole, fraction) = weight.split_once('.').unwrap_or((weight, ""));
    match whole {
        "1" => 1000,
        "0" => format!("{fraction:0<3.3}").parse().unwrap_or(0),
        _ => 0,
    }
}

/// The messages of both languages.
pub(crate) struct Translations {
    english: FluentBundle<FluentResource>,
    arabic: FluentBundle<FluentResource>,
}

impl Translations {
    /// Loads the embedded message files.
    pub(crate) fn load() -> Self {
        Self {
            english: bundle(langid!("en"), include_str!("../locales/en.ftl")),
            arabic: bundle(langid!("ar"), include_str!("../locales/ar.ftl")),
        }
    }

    /// The messages of one language.
    pub(crate) const fn for_language(&self, language: Language) -> Localizer<'_> {
        let bundle = match language {
            Language::English => &self.english,
            Language::Arabic => &self.arabic,
        };
        Localizer { language, bundle }
    }
}

/// The messages of one language.
#[derive(Clone, Copy)]
pub(crate) struct Localizer<'a> {
    pub(crate) language: Language,
    bundle: &'a FluentBundle<FluentResource>,
}

impl Localizer<'_> {
    /// The message `id`. A test checks that both files have the same ids.
    pub(crate) fn text(&self, id: &str) -> String {
        self.format(id, &[])
    }

    /// The message `id` with arguments.
    pub(crate) fn format(&self, id: &str, values: &[(&'static str, FluentValue<'_>)]) -> String {
        let arguments: FluentArgs<'_> = values
            .iter()
            .map(|(name, value)| (*name, value.clone()))
            .collect();
        let Some(pattern) = self
            .bundle
            .get_message(id)
            .and_then(|message| message.value())
        else {
            return id.to_owned();
        };
        self.bundle
            .format_pattern(pattern, Some(&arguments), &mut Vec::new())
            .into_owned()
    }
}

fn bundle(language: unic_langid::LanguageIdentifier, source: &str) -> FluentBundle<FluentResource> {
    // Invalid messages of a file are left out. The test below finds them.
    let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(valid, _)| valid);
    let mut bundle = FluentBundle::new_concurrent(vec![language]);
    bundle.add_resource_overriding(resource);
    bundle
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn ids(source: &str) -> BTreeSet<&str> {
        let message = |line: &&str| line.starts_with(|first: char| first.is_ascii_lowercase());
        source
            .lines()
            .filter(message)
            .filter_map(|line| line.split(" =").next())
            .collect()
    }

    #[test]
    fn both_languages_have_the_same_ids_and_every_message_is_valid() {
        let [english, arabic] = [
            include_str!("../locales/en.ftl"),
            include_str!("../locales/ar.ftl"),
        ];
        assert_eq!(ids(english), ids(arabic));
        let translations = Translations::load();
        for language in [Language::English, Language::Arabic] {
            for id in ids(english) {
                assert_ne!(
                    translations.for_language(language).text(id),
                    id,
                    "{id} has no message in {language:?}"
                );
            }
        }
    }

    #[test]
    fn arabic_plural_forms_of_seconds_are_used() {
        let translations = Translations::load();
        let wait = |seconds: i64| {
            translations
                .for_language(Language::Arabic)
                .format("throttled", &[("seconds", seconds.into())])
        };
        assert!(wait(1).contains("ثانية واحدة"), "{}", wait(1));
        assert!(wait(2).contains("ثانيتين"), "{}", wait(2));
        assert!(wait(5).contains("ثوانٍ"), "{}", wait(5));
        assert!(wait(40).contains("ثانية"), "{}", wait(40));
    }

    #[test]
    fn ui_locales_take_precedence_over_accept_language() {
        let mut headers = HeaderMap::new();
        assert_eq!(Language::preferred(None, &headers), Language::English);
        headers.insert(
            header::ACCEPT_LANGUAGE,
            "fr, ar-SA;q=0.9, en;q=0.8".parse().unwrap(),
        );
        assert_eq!(Language::preferred(None, &headers), Language::Arabic);
        for (accepted, expected) in [
            ("ar;q=0.1, en;q=0.9", Language::English),
            ("en;q=0.85, ar;q=0.9", Language::Arabic),
            ("ar;q=0.5, en;q=0.5", Language::Arabic),
            ("en;q=0, ar;q=0.001", Language::Arabic),
            ("ar;q=0, fr", Language::English),
            ("ar;q=much", Language::English),
            ("en-GB;q=0.7, ar", Language::Arabic),
        ] {
            headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
            assert_eq!(Language::preferred(None, &headers), expected, "{accepted}");
        }
        assert_eq!(
            Language::preferred(Some("fr en-GB"), &headers),
            Language::English
        );
    }
}
