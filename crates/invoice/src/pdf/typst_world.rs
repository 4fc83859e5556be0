//! The Typst `World`: fonts, template and the data of one invoice, without files, network and clock.

use std::fmt;

use serde_json::Value;
use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt};

/// The fonts of the template: two families in two weights.
const FONTS: [&[u8]; 4] = [
    include_bytes!("../../fonts/Inter-Regular.ttf"),
    include_bytes!("../../fonts/Inter-SemiBold.ttf"),
    include_bytes!("../../fonts/Vazirmatn-Regular.ttf"),
    include_bytes!("../../fonts/Vazirmatn-SemiBold.ttf"),
];

/// The resources that all invoices share.
pub(super) struct TypesettingResources {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    template: Source,
    labels: Source,
    blank: Source,
}

impl fmt::Debug for TypesettingResources {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TypesettingResources")
            .finish_non_exhaustive()
    }
}

impl TypesettingResources {
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
            template: source("invoice.typ", include_str!("invoice.typ")),
            labels: source("labels.typ", include_str!("labels.typ")),
            blank: source("blank.typ", ""),
        }
    }

    /// Whether one of the fonts has a glyph for the character.
    pub(super) fn shows(&self, character: char) -> bool {
        let code = u32::from(character);
        self.fonts
            .iter()
            .any(|font| font.info().coverage.contains(code))
    }
}

/// The world of one invoice.
pub(super) struct InvoiceWorld<'a> {
    resources: &'a TypesettingResources,
    main: FileId,
    data: Bytes,
    file: Bytes,
    qr: Bytes,
}

impl<'a> InvoiceWorld<'a> {
    /// `qr` is the SVG image of the QR code, if there is one.
    pub(super) fn new(
        resources: &'a TypesettingResources,
        data: &Value,
        file: &[u8],
        qr: Option<String>,
    ) -> Self {
        Self {
            resources,
            main: resources.template.id(),
            data: Bytes::from_string(data.to_string()),
            file: Bytes::new(file.to_vec()),
            qr: Bytes::from_string(qr.unwrap_or_default()),
        }
    }

    pub(super) fn blank(resources: &'a TypesettingResources) -> Self {
        Self {
            resources,
            main: resources.blank.id(),
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

impl typst::World for InvoiceWorld<'_> {
    fn library(&self) -> &LazyHash<Library> {
        &self.resources.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.resources.book
    }

    fn main(&self) -> FileId {
        self.main
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        let TypesettingResources {
            template,
            labels,
            blank,
            ..
        } = self.resources;
        [template, labels, blank]
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
        self.resources.fonts.get(index).cloned()
    }

    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}
