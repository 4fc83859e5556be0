//! Rendered PDF files: pages, fonts, texts and the embedded file.

use crate::fixtures::documents::{saudi, swedish};
use crate::fixtures::pdf_archive::PdfArchive;
use crate::fixtures::public_corpus::corpus;
use crate::fixtures::rendered_pdf::{layout, print, print_as};
use invoice::content::{Line, Period};
use invoice::pdf::{Languages, Paper};
use invoice::xml::Limits;
use invoice::{Document, Kind, ubl};

/// A document with this many lines of 90.00.
fn lines(count: usize) -> Document {
    let mut document = swedish();
    let line = document.content.lines.remove(0);
    document.content.lines = (1..=count)
        .map(|id| Line {
            id: id.to_string(),
            ..line.clone()
        })
        .collect();
    document.figures.line_nets = vec!["90.00".into(); count];
    document
}

#[test]
fn page_size_is_a4_or_letter() {
    for (paper, size) in [
        (Paper::A4, "595.276 x 841.89 pts (A4)"),
        (Paper::Letter, "612 x 792 pts (letter)"),
    ] {
        let mut layout = layout(Languages::English);
        layout.paper = paper;
        let Some(info) = print_as(&swedish(), layout).tool("pdfinfo", &[]) else {
            return;
        };
        assert!(info.contains(size), "{info}");
    }
}

#[test]
fn rendered_file_conforms_to_pdf_a_3b() {
    for languages in [Languages::English, Languages::Arabic, Languages::Both] {
        let printed = print(&saudi(), languages);
        let file = ubl::write(&saudi()).expect("UBL");
        let wrong = PdfArchive::read(&printed.pdf).deviations(&printed.pdf, file.as_bytes());
        assert_eq!(wrong, [""; 0], "{languages:?}");
    }
    let printed = print(&saudi(), Languages::Both);
    let info = printed.tool("pdfinfo", &[]).unwrap_or_default();
    for line in [
        "Creator:         Invoice Desk",
        "Tagged:          yes",
        "Encrypted:       no",
        "JavaScript:      no",
    ] {
        assert!(info.contains(line), "{line}: {info}");
    }
    assert!(info.contains("Palm Company INV-1"), "{info}");
}

#[test]
fn embedded_file_equals_the_input_byte_by_byte() {
    let printed = print(&saudi(), Languages::English);
    let Some(list) = printed.tool("pdfdetach", &["-list"]) else {
        return;
    };
    assert!(
        list.contains("1 embedded files") && list.contains("invoice.xml"),
        "{list}"
    );
    assert_eq!(
        printed.attachment(),
        ubl::write(&saudi()).expect("UBL").into_bytes()
    );
}

#[test]
fn every_font_is_embedded_as_a_subset() {
    let Some(fonts) = print(&saudi(), Languages::Both).tool("pdffonts", &[]) else {
        return;
    };
    let rows: Vec<_> = fonts.lines().skip(2).collect();
    assert!(rows.len() >= 3, "{fonts}");
    for row in rows {
        let columns: Vec<_> = row.split_ascii_whitespace().collect();
        let [.., embedded, subset, unicode, _, _] = columns.as_slice() else {
            panic!("{row}");
        };
        assert_eq!(
            [*embedded, *subset, *unicode],
            ["yes", "yes", "yes"],
            "{row}"
        );
    }
}

#[test]
fn paper_has_the_note_of_its_language_and_a_single_note_is_on_every_paper() {
    is_on_the_paper_of_its_language(|document, en, ar| {
        document.content.note = en.into();
        document.content.note_ar = ar.into();
    });
}

#[test]
fn paper_has_the_item_description_of_its_language() {
    is_on_the_paper_of_its_language(|document, en, ar| {
        let described = &mut document.content.lines[0].details.item_description;
        described.en = en.into();
        described.ar = ar.into();
    });
}

#[test]
fn paper_has_only_what_was_given_of_a_period_and_of_orders() {
    let mut document = swedish();
    document.content.references.sales_order = "SO-1".into();
    document.content.lines[0].details.period = Some(Period {
        end: "2026-10-31".into(),
        ..Period::default()
    });
    let printed = print(&document.with_ubl_values(), Languages::English);
    let Some(text) = printed.text() else {
        return;
    };
    assert!(text.contains("2026-10-31"), "{text}");
    assert!(!text.contains('\u{2013}'), "there is no first day: {text}");
    assert!(!text.contains("Purchase order"), "there is none: {text}");
}

fn is_on_the_paper_of_its_language(set: impl Fn(&mut Document, &str, &str)) {
    let with = |en: &str, ar: &str| {
        let mut document = saudi();
        set(&mut document, en, ar);
        document
    };
    for (en, ar, languages, shown, hidden) in [
        ("Deliver", "توصيل", Languages::English, "Deliver", "توصيل"),
        ("Deliver", "توصيل", Languages::Arabic, "توصيل", "Deliver"),
        ("Deliver", "", Languages::Arabic, "Deliver", "توصيل"),
        ("", "توصيل", Languages::English, "توصيل", "Deliver"),
    ] {
        let Some(text) = print(&with(en, ar), languages).text() else {
            return;
        };
        assert!(text.contains(shown), "{languages:?} has {shown}: {text}");
        assert!(!text.contains(hidden), "{languages:?} has {hidden}: {text}");
    }
    let Some(text) = print(&with("Deliver", "توصيل"), Languages::Both).text() else {
        return;
    };
    assert!(text.contains("Deliver") && text.contains("توصيل"), "{text}");
}

#[test]
fn text_of_the_pdf_is_in_reading_order() {
    // Words with the lam-alef ligature are omitted, because Poppler swaps its letters.
    for languages in [Languages::Arabic, Languages::Both] {
        let Some(text) = print(&saudi(), languages).text() else {
            return;
        };
        for words in [
            "شركة النخيل",
            "فاتورة ضريبية",
            "ضريبة القيمة المضافة",
            "1,255.23",
            "INV-1",
            "310122393500003",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }
    let Some(text) = print(&swedish(), Languages::English).text() else {
        return;
    };
    let mut rest = text.as_str();
    for words in [
        "Seller AB",
        "Tax invoice",
        "2026-11-01",
        "Buyer AB",
        "Paper",
        "90.00",
        "Sum of lines",
        "Amount due",
        "125.00",
    ] {
        let at = rest
            .find(words)
            .unwrap_or_else(|| panic!("{words} comes next: {text}"));
        rest = &rest[at..];
    }
}

#[test]
fn title_names_the_kind_of_document() {
    let titled = |change: fn(&mut Document)| {
        let mut document = swedish();
        change(&mut document);
        print(&document, Languages::English).text()
    };
    for (change, title) in [
        (
            (|document| document.content.kind = Kind::CreditNote) as fn(&mut Document),
            "Credit note",
        ),
        (
            |document| document.content.kind = Kind::DebitNote,
            "Debit note",
        ),
        (
            |document| document.content.subtype = Some(invoice::Subtype::Simplified),
            "Simplified tax invoice",
        ),
        (|_| {}, "Tax invoice"),
    ] {
        let Some(text) = titled(change) else { return };
        assert!(text.contains(title), "{title}: {text}");
    }
}

#[test]
fn long_invoice_has_repeated_headers_page_numbers_and_running_totals() {
    let printed = print(&lines(100), Languages::English);
    assert!(printed.pages > 2);
    let Some(pages) = printed.page_texts() else {
        return;
    };
    assert_eq!(pages.len(), printed.pages);
    let mut carried = None;
    for (at, page) in pages.iter().enumerate() {
        assert!(
            page.contains(&format!("Page {} of {}", at + 1, pages.len())),
            "{page}"
        );
        let rows = page.matches("pcs").count();
        if rows > 0 {
            assert!(
                page.contains("Description"),
                "page {} has the header",
                at + 1
            );
        }
        assert_eq!(
            amount_beside(page, "Brought forward"),
            carried,
            "page {}",
            at + 1
        );
        let before = carried.unwrap_or(0);
        carried = amount_beside(page, "Carried forward");
        if let Some(carried) = carried {
            assert_eq!(carried, before + 90 * rows, "page {}", at + 1);
        }
    }
    assert_eq!(carried, None, "nothing follows the last page");
}

/// The integer part of the amount on the line of a word.
fn amount_beside(page: &str, word: &str) -> Option<usize> {
    let (_, after) = page.split_once(word)?;
    let amount = after.split_ascii_whitespace().next()?;
    amount.strip_suffix(".00")?.replace(',', "").parse().ok()
}

#[test]
fn every_line_is_printed_once() {
    let Some(text) = print(&lines(300), Languages::English).text() else {
        return;
    };
    assert_eq!(text.matches("Paper").count(), 300);
}

#[test]
fn nothing_is_printed_beyond_the_margins() {
    let mut document = swedish();
    document.seller.name.en = "W".repeat(300);
    document.content.buyer.name.en = "Donaudampfschifffahrtsgesellschaft ".repeat(5);
    document.content.note = format!("{}\n{}", "x".repeat(500), "word ".repeat(200));
    document.content.lines[0].description.en = "m".repeat(400);
    document.content.lines[0].details.item_description.en = "A text that goes on. ".repeat(400);
    document.content.lines[0].quantity = "123456789012.123456".into();
    document.content.lines[0].unit_price = "99999999999999.99".into();
    let printed = print(&document, Languages::English);
    let Some(boxes) = printed.words() else { return };
    for (word, from, to) in boxes {
        assert!(
            from >= 40 && to <= 556,
            "{word} stands at {from} to {to} of 595 points"
        );
    }
    assert!(
        printed.pages > 1,
        "a line longer than a page goes over its end"
    );
}

#[test]
fn empty_document_renders_as_one_page() {
    for languages in [Languages::English, Languages::Arabic, Languages::Both] {
        let printed = print(&Document::default(), languages);
        assert_eq!(printed.pages, 1);
    }
}

#[test]
fn characters_without_a_glyph_are_returned_and_kept_in_the_embedded_file() {
    let mut document = swedish();
    document.content.buyer.name.en = "東京 Ltd".into();
    let printed = print(&document, Languages::English);
    assert_eq!(printed.missing, ['京', '東']);
    let Some(text) = printed.text() else { return };
    assert!(text.contains("Ltd"), "{text}");
    let inside = ubl::read(printed.attachment().as_slice(), Limits::default()).expect("UBL");
    assert_eq!(inside.document, document);
}

#[test]
fn typst_code_in_a_text_is_printed_literally() {
    let mut document = swedish();
    document.content.note = "#panic() $x$ *bold* _it_ @ref <label> [x] \\".into();
    document.content.lines[0].description.en = "#read(\"/etc/passwd\")".into();
    let Some(text) = print(&document, Languages::English).text() else {
        return;
    };
    assert!(
        text.contains("#panic() $x$ *bold* _it_ @ref <label> [x] \\"),
        "{text}"
    );
    assert!(text.contains("#read(\"/etc/passwd\")"), "{text}");
}

#[test]
fn rendering_is_deterministic() {
    let [one, other] = [(); 2].map(|()| print(&saudi(), Languages::Both).pdf);
    assert!(
        one == other,
        "nothing of the time or the order of things is in it"
    );
}

/// Renders every document if `INVOICE_PRINT_ALL` is set, which takes minutes, and otherwise every seventh of each source.
#[test]
fn every_public_document_renders() {
    let Some(files) = corpus("every_public_document_renders") else {
        return;
    };
    let step = std::env::var_os("INVOICE_PRINT_ALL").map_or(7, |_| 1);
    let languages = [Languages::English, Languages::Arabic, Languages::Both];
    let files = files.into_iter().step_by(step);
    for ((name, bytes), languages) in files.zip(languages.into_iter().cycle()) {
        let read = ubl::read(bytes.as_slice(), Limits::default()).expect("it reads");
        let printed = print(&read.document, languages);
        assert!(
            printed.pages > 0 && printed.missing.is_empty(),
            "{name}: {:?}",
            printed.missing
        );
    }
}
