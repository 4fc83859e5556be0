//! The translations of the pages, in English and Arabic.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use http::{HeaderMap, header};
use unic_langid::langid;

/// A language that the pages speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    Arabic,
}

impl Language {
    /// What the caller prefers: `ui_locales` first (OpenID Connect Core, 3.1.2.1), then the browser.
    pub(super) fn preferred(ui_locales: Option<&str>, headers: &HeaderMap) -> Self {
        let asked = ui_locales
            .unwrap_or_default()
            .split_ascii_whitespace()
            .find_map(Self::named);
        asked
            .or_else(|| Self::accepted(headers))
            .unwrap_or(Self::English)
    }

    /// The tag in `lang` and `ui_locales`.
    pub(super) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Arabic => "ar",
        }
    }

    /// The value of `dir`.
    pub(super) const fn direction(self) -> &'static str {
        match self {
            Self::English => "ltr",
            Self::Arabic => "rtl",
        }
    }

    /// The one to switch to.
    pub(super) const fn other(self) -> Self {
        match self {
            Self::English => Self::Arabic,
            Self::Arabic => Self::English,
        }
    }

    fn named(tag: &str) -> Option<Self> {
        match tag.split(['-', '_']).next()?.to_ascii_lowercase().as_str() {
            "en" => Some(Self::English),
            "ar" => Some(Self::Arabic),
            _ => None,
        }
    }

    /// The known language of `Accept-Language` that weighs most, the first of several (RFC 9110, 12.5.4).
    fn accepted(headers: &HeaderMap) -> Option<Self> {
        let accepted = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
        let known = accepted.split(',').rev().filter_map(|entry| {
            let mut parts = entry.split(';').map(str::trim);
            let language = Self::named(parts.next()?)?;
            let weight = parts
                .find_map(|part| part.strip_prefix("q="))
                .map_or(1000, thousandths);
            (weight > 0).then_some((language, weight))
        });
        // Of equals, max_by_key takes the last.
        known
            .max_by_key(|(_, weight)| *weight)
            .map(|(language, _)| language)
    }
}

/// A weight in thousandths (RFC 9110, 12.4.2); 0 for what is none.
fn thousandths(weight: &str) -> u16 {
    let (whole, fraction) = weight.split_once('.').unwrap_or((weight, ""));
    match whole {
        "1" => 1000,
        "0" => format!("{fraction:0<3.3}").parse().unwrap_or(0),
        _ => 0,
    }
}

/// The messages of both languages.
pub(super) struct Translations {
    english: FluentBundle<FluentResource>,
    arabic: FluentBundle<FluentResource>,
}

impl Translations {
    /// From the files that are part of the program.
    pub(super) fn load() -> Self {
        Self {
            english: bundle(langid!("en"), include_str!("../locales/en.ftl")),
            arabic: bundle(langid!("ar"), include_str!("../locales/ar.ftl")),
        }
    }

    /// The messages of one language.
    pub(super) const fn of(&self, language: Language) -> Localizer<'_> {
        let bundle = match language {
            Language::English => &self.english,
            Language::Arabic => &self.arabic,
        };
        Localizer { language, bundle }
    }
}

/// The messages of one language.
#[derive(Clone, Copy)]
pub(super) struct Localizer<'a> {
    pub(super) language: Language,
    bundle: &'a FluentBundle<FluentResource>,
}

impl Localizer<'_> {
    /// The message `id`. A test proves that both files have the same ids.
    pub(super) fn text(&self, id: &str) -> String {
        self.format(id, &[])
    }

    /// The message `id` with values filled in.
    pub(super) fn format(&self, id: &str, values: &[(&'static str, FluentValue<'_>)]) -> String {
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
        let said = self
            .bundle
            .format_pattern(pattern, Some(&arguments), &mut Vec::new());
        said.into_owned()
    }
}

fn bundle(language: unic_langid::LanguageIdentifier, source: &str) -> FluentBundle<FluentResource> {
    // What is wrong in a file costs the messages concerned, and the test below finds it before anybody else.
    let resource =
        FluentResource::try_new(source.to_owned()).unwrap_or_else(|(readable, _)| readable);
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
    fn both_languages_say_the_same_things_and_every_message_can_be_read() {
        let [english, arabic] = [
            include_str!("../locales/en.ftl"),
            include_str!("../locales/ar.ftl"),
        ];
        assert_eq!(ids(english), ids(arabic));
        let i18n = Translations::load();
        for language in [Language::English, Language::Arabic] {
            for id in ids(english) {
                assert_ne!(
                    i18n.of(language).text(id),
                    id,
                    "{id} has no message in {language:?}"
                );
            }
        }
    }

    #[test]
    fn arabic_counts_seconds_as_arabic_does() {
        let i18n = Translations::load();
        let wait = |seconds: i64| {
            i18n.of(Language::Arabic)
                .format("throttled", &[("seconds", seconds.into())])
        };
        assert!(wait(1).contains("ثانية واحدة"), "{}", wait(1));
        assert!(wait(2).contains("ثانيتين"), "{}", wait(2));
        assert!(wait(5).contains("ثوانٍ"), "{}", wait(5));
        assert!(wait(40).contains("ثانية"), "{}", wait(40));
    }

    #[test]
    fn the_application_decides_the_language_before_the_browser_does() {
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
