//! The messages of the UI, so that a test finds a button in every language.

use std::fs;
use std::path::Path;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};

/// The messages of one language.
pub struct UiMessages {
    bundle: FluentBundle<FluentResource>,
}

impl UiMessages {
    /// Reads the messages of `language` (`en` or `ar`) from ui/locales.
    pub fn load(language: &str) -> Self {
        let mut bundle =
            FluentBundle::new_concurrent(vec![language.parse().expect("a language tag")]);
        bundle.set_use_isolating(false);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../ui/locales")
            .join(language);
        for file in fs::read_dir(folder)
            .expect("the UI has messages in this language")
            .flatten()
        {
            let text = fs::read_to_string(file.path()).expect("messages are text");
            let resource = FluentResource::try_new(text)
                .expect("the messages are valid: the check of the UI covers them");
            bundle
                .add_resource(resource)
                .expect("message ids are unique");
        }
        Self { bundle }
    }

    /// The message with this id.
    pub fn text(&self, id: &str) -> String {
        self.format(id, &[])
    }

    /// The message with this id and arguments.
    pub fn format(&self, id: &str, data: &[(&'static str, &str)]) -> String {
        self.format_with(
            id,
            data.iter().map(|(name, value)| (*name, *value)).collect(),
        )
    }

    /// The message with this id in the plural form of `count`.
    pub fn counted(&self, id: &str, count: u32) -> String {
        self.format_with(id, [("count", count)].into_iter().collect())
    }

    fn format_with(&self, id: &str, data: FluentArgs<'_>) -> String {
        let message = self
            .bundle
            .get_message(id)
            .and_then(|message| message.value());
        let message = message.unwrap_or_else(|| panic!("there is no message {id}"));
        self.bundle
            .format_pattern(message, Some(&data), &mut Vec::new())
            .into_owned()
    }
}
