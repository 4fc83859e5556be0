//! What Typst sees: our fonts, the sheet and the data of one invoice. No file, no network, no clock.

use std::fmt;

use serde_json::Value;
use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt};

/// Both families in both weights that the sheet uses.
const FONTS: [&[u8]; 4] = [
    include_bytes!("../../fonts/Inter-Regular.ttf"),
    include_bytes!("../../fonts/Inter-SemiBold.ttf"),
    include_bytes!("../../fonts/Vazirmatn-Regular.ttf"),
    include_bytes!("../../fonts/Vazirmatn-SemiBold.ttf"),
];

/// What is the same for every invoice.
pub(super) struct Base {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    sheet: Source,
    words: Source,
    blank: Source,
}

impl fmt::Debug for Base {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Base").finish_non_exhaustive()
    }
}

impl Base {
    pub(super) fn new() -> Self {
        let fonts: Vec<Font> = FONTS
            .into_iter()
            .filter_map(|bytes| Font::new(Bytes::new(bytes), 0))
            .collect();
        let source = |name, text: &str| Source::new(id(name), text.to_owned());
        Self {
            library: LazyHash::new(Library::default()),
            book: LazyHash::new(FontBook::from_fonts(&fonts)),
            fonts,
            sheet: source("invoice.typ", include_str!("invoice.typ")),
            words: source("words.typ", include_str!("words.typ")),
            blank: source("blank.typ", ""),
        }
    }

    /// Whether one of the fonts can show the character.
    pub(super) fn shows(&self, character: char) -> bool {
        let code = u32::from(character);
        self.fonts
            .iter()
            .any(|font| font.info().coverage.contains(code))
    }
}

/// The data of one invoice on the base.
pub(super) struct World<'a> {
    base: &'a Base,
    main: FileId,
    data: Bytes,
    file: Bytes,
    qr: Bytes,
}

impl<'a> World<'a> {
    /// `qr` is a picture, or empty if the data say that there is none.
    pub(super) fn new(base: &'a Base, data: &Value, file: &[u8], qr: Option<String>) -> Self {
        Self {
            base,
            main: base.sheet.id(),
            data: Bytes::from_string(data.to_string()),
            file: Bytes::new(file.to_vec()),
            qr: Bytes::from_string(qr.unwrap_or_default()),
        }
    }

    pub(super) fn blank(base: &'a Base) -> Self {
        Self {
            base,
            main: base.blank.id(),
            data: Bytes::new([]),
            file: Bytes::new([]),
            qr: Bytes::new([]),
        }
    }
}

fn id(name: &str) -> FileId {
    let path = VirtualPath::new(name).expect("the names are ours and are paths");
    RootedPath::new(VirtualRoot::Project, path).intern()
}

fn absent(id: FileId) -> FileError {
    FileError::NotFound(id.vpath().get_without_slash().into())
}

impl typst::World for World<'_> {
    fn library(&self) -> &LazyHash<Library> {
        &self.base.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.base.book
    }

    fn main(&self) -> FileId {
        self.main
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        let Base {
            sheet,
            words,
            blank,
            ..
        } = self.base;
        [sheet, words, blank]
            .into_iter()
            .find(|source| source.id() == id)
            .cloned()
            .ok_or_else(|| absent(id))
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        match id.vpath().get_without_slash() {
            "invoice.json" => Ok(self.data.clone()),
            "document.xml" => Ok(self.file.clone()),
            "qr.svg" => Ok(self.qr.clone()),
            _ => Err(absent(id)),
        }
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.base.fonts.get(index).cloned()
    }

    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}
