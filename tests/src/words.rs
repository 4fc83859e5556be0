//! The UI's own words, so that a test finds the same button in every language.

use std::fs;
use std::path::Path;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};

/// The words of one language.
pub struct Words {
    bundle: FluentBundle<FluentResource>,
}

impl Words {
    /// Reads them from ui/locales; `language` is `en` or `ar`.
    pub fn of(language: &str) -> Self {
        let mut bundle =
            FluentBundle::new_concurrent(vec![language.parse().expect("a language tag")]);
        bundle.set_use_isolating(false);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../ui/locales")
            .join(language);
        for file in fs::read_dir(folder)
            .expect("the UI has words in this language")
            .flatten()
        {
            let text = fs::read_to_string(file.path()).expect("words are text");
            let resource = FluentResource::try_new(text)
                .expect("the words are valid: the UI's own check says so");
            bundle
                .add_resource(resource)
                .expect("every word is there once");
        }
        Self { bundle }
    }

    /// The words with this id.
    pub fn say(&self, id: &str) -> String {
        self.say_with(id, &[])
    }

    /// The words with this id, filled in.
    pub fn say_with(&self, id: &str, data: &[(&'static str, &str)]) -> String {
        let message = self
            .bundle
            .get_message(id)
            .and_then(|message| message.value());
        let message = message.unwrap_or_else(|| panic!("there are no words {id}"));
        let data: FluentArgs<'_> = data.iter().map(|(name, value)| (*name, *value)).collect();
        self.bundle
            .format_pattern(message, Some(&data), &mut Vec::new())
            .into_owned()
    }
}
