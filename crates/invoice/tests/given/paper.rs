//! Printed invoices, and the tools of Poppler that look at them.
#![allow(dead_code, reason = "every test file uses some of it")]

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use invoice::pdf::{Digits, Languages, Layout, Paper, Rendered, Typesetter};
use invoice::{Document, ubl};
use jiff::civil::date;

static TYPESETTER: LazyLock<Typesetter> = LazyLock::new(Typesetter::new);

pub(crate) fn layout(languages: Languages) -> Layout {
    Layout {
        paper: Paper::A4,
        languages,
        digits: Digits::Latin,
        created: date(2026, 11, 21).at(9, 30, 0, 0),
    }
}

/// A document on A4.
pub(crate) fn print(document: &Document, languages: Languages) -> Printed {
    print_as(document, layout(languages))
}

pub(crate) fn print_as(document: &Document, layout: Layout) -> Printed {
    let file = ubl::write(document).unwrap_or_default();
    let Rendered {
        pdf,
        pages,
        missing,
    } = TYPESETTER
        .render(document, file.as_bytes(), &layout)
        .expect("it can be printed");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("invoice.pdf"), &pdf).expect("a file can be written");
    Printed {
        pdf,
        pages,
        missing,
        folder,
    }
}

/// A printed invoice in a folder of its own.
pub(crate) struct Printed {
    pub(crate) pdf: Vec<u8>,
    pub(crate) pages: usize,
    pub(crate) missing: Vec<char>,
    folder: tempfile::TempDir,
}

impl Printed {
    /// What a tool says of it. `None`, and said so, where the tool is absent.
    #[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
    pub(crate) fn tool(&self, name: &str, arguments: &[&str]) -> Option<String> {
        let run = Command::new(name)
            .args(arguments)
            .arg("invoice.pdf")
            .args(if name == "pdftotext" { &["-"][..] } else { &[] })
            .args(if name == "pdftoppm" {
                &["page"][..]
            } else {
                &[]
            })
            .current_dir(self.folder.path())
            .output();
        let Ok(output) = run else {
            println!("SKIPPED: there is no {name}, which is part of poppler-utils");
            return None;
        };
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {complaints}");
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The file inside.
    pub(crate) fn attachment(&self) -> Vec<u8> {
        let _ = self.tool("pdfdetach", &["-saveall"]);
        std::fs::read(self.path().join("invoice.xml")).expect("it was taken out")
    }

    /// Its texts, in the order in which they are read, without marks of direction and of places
    /// where a word may be broken.
    pub(crate) fn text(&self) -> Option<String> {
        let text = self.tool("pdftotext", &["-layout"])?;
        let is_mark = |letter: char| matches!(letter, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        Some(text.replace(is_mark, ""))
    }

    /// The texts of each page.
    pub(crate) fn page_texts(&self) -> Option<Vec<String>> {
        let text = self.text()?;
        let pages = text.trim_end_matches('\u{c}').split('\u{c}');
        Some(pages.map(str::to_owned).collect())
    }

    /// Each word with the points from the left edge of the page where it begins and ends.
    pub(crate) fn words(&self) -> Option<Vec<(String, i64, i64)>> {
        let boxes = self.tool("pdftotext", &["-bbox"])?;
        let edge = |line: &str, name: &str| -> Option<i64> {
            let (_, after) = line.split_once(&format!("{name}=\""))?;
            after.split(['.', '"']).next()?.parse().ok()
        };
        let words = boxes.lines().filter(|line| line.contains("<word "));
        words
            .map(|line| {
                Some((
                    line.trim().to_owned(),
                    edge(line, "xMin")?,
                    edge(line, "xMax")?,
                ))
            })
            .collect()
    }

    /// What the QR codes on its first page say.
    pub(crate) fn qr_codes(&self) -> Option<Vec<String>> {
        self.tool("pdftoppm", &["-gray", "-r", "200", "-f", "1", "-l", "1"])?;
        let (width, height, pixels) = self.drawn();
        let mut prepared = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| {
            pixels[y * width + x]
        });
        let grids = prepared.detect_grids();
        Some(
            grids
                .iter()
                .filter_map(|grid| grid.decode().ok())
                .map(|(_, text)| text)
                .collect(),
        )
    }

    /// The page that was drawn.
    fn drawn(&self) -> (usize, usize, Vec<u8>) {
        let picture = std::fs::read_dir(self.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .find(|path| path.extension().is_some_and(|name| name == "pgm"))
            .expect("a page was drawn");
        gray(&std::fs::read(picture).expect("a file"))
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Width, height and pixels of a portable graymap.
fn gray(bytes: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut header = bytes.splitn(4, |byte| byte.is_ascii_whitespace());
    let mut word = || header.next().expect("a header has four parts");
    assert_eq!(word(), b"P5");
    let number = |word: &[u8]| -> usize {
        let text = std::str::from_utf8(word).expect("digits");
        text.parse().expect("a number")
    };
    let (width, height) = (number(word()), number(word()));
    let rest = word();
    let pixels = &rest[rest
        .iter()
        .position(|byte| *byte == b'\n')
        .expect("a last part")
        + 1..];
    (width, height, pixels.to_vec())
}
