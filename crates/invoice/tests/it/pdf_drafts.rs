//! PDF of drafts: every page is marked, and no XML is inside.

use crate::fixtures::documents::saudi;
use crate::fixtures::rendered_pdf::{layout, print_as};
use invoice::pdf::{Languages, Layout};

#[test]
fn draft_is_marked_on_every_page_and_has_no_xml_inside() {
    for (languages, mark) in [(Languages::English, "Draft"), (Languages::Both, "Draft")] {
        let mut document = saudi();
        let line = document.content.lines[0].clone();
        document.content.lines = vec![line; 60];
        let layout = Layout {
            is_draft: true,
            ..layout(languages)
        };
        let printed = print_as(&document, layout);
        assert!(printed.pages > 1, "{languages:?}");
        let Some(pages) = printed.page_texts() else {
            return;
        };
        let marked = pages
            .iter()
            .filter(|page| reads_upwards(page, mark))
            .count();
        assert_eq!(marked, printed.pages, "{languages:?}: {pages:?}");
        let files = printed.tool("pdfdetach", &["-list"]).unwrap_or_default();
        assert!(files.contains("0 embedded files"), "{files}");
    }
}

/// Whether the letters of a word stand apart, the last one first: it is written upwards across the page.
fn reads_upwards(page: &str, word: &str) -> bool {
    let letters = page.split_whitespace().filter(|text| {
        let mut characters = text.chars();
        characters
            .next()
            .is_some_and(|letter| word.contains(letter))
            && characters.next().is_none()
    });
    let letters: String = letters.collect();
    letters.contains(&word.chars().rev().collect::<String>())
}
