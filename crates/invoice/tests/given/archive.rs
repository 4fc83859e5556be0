//! What PDF/A-3b (ISO 19005-3) and ISO 32000-1 ask of a file that is to be archived, as far as the structure of the file shows it.

use std::collections::BTreeSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};

/// A file, and what is not as it must be.
pub(crate) struct Archive {
    pdf: Pdf,
    wrong: Vec<String>,
}

impl Archive {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        Self {
            pdf: Pdf::new(bytes.to_vec()).unwrap_or_else(|error| panic!("no PDF: {error:?}")),
            wrong: Vec::new(),
        }
    }

    /// Everything that is wrong, with the clause of ISO 19005-3. `file` is what must be inside.
    pub(crate) fn wrong(mut self, bytes: &[u8], file: &[u8]) -> Vec<String> {
        self.trailer(bytes);
        self.objects();
        let pdf = std::mem::replace(&mut self.pdf, Self::read(bytes).pdf);
        let catalog: Dict<'_> = pdf.xref().get(pdf.xref().root_id()).expect("a catalog");
        self.metadata(&catalog);
        self.colours(&catalog);
        self.attachment(&catalog, file);
        self.hold("6.5.2", catalog.contains_key("AA"), false, "AA");
        self.hold(
            "6.10",
            catalog.contains_key("OCProperties"),
            false,
            "layers",
        );
        self.hold("6.7.2", catalog.contains_key("MarkInfo"), true, "marks");
        self.wrong
    }

    fn hold(&mut self, clause: &str, is: bool, must_be: bool, what: &str) {
        if is != must_be {
            self.wrong.push(format!("{clause}: {what} is {is}"));
        }
    }

    /// 6.1.2, 6.1.3: header, identity, no encryption.
    fn trailer(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        self.hold("6.1.2", bytes.starts_with(b"%PDF-1.7\n"), true, "1.7");
        let after = bytes.get(9..14).unwrap_or_default();
        let binary = after.first() == Some(&b'%') && after[1..].iter().all(|byte| *byte > 127);
        self.hold("6.1.2", binary, true, "the comment of bytes above 127");
        let trailer = text.rfind("startxref").map_or("", |at| &text[at..]);
        self.hold(
            "6.1.3",
            trailer.trim_end().ends_with("%%EOF"),
            true,
            "the end",
        );
        self.hold("6.1.3", text.contains("/ID"), true, "an identity");
        self.hold("6.1.3", text.contains("/Encrypt"), false, "encryption");
    }

    /// What no object may be, and what each font must have.
    fn objects(&mut self) {
        let mut wrong = Vec::new();
        let mut fonts = 0;
        for object in self.pdf.objects() {
            if let Object::Stream(stream) = &object {
                let dict = stream.dict();
                if ["F", "FFilter", "FDecodeParms"]
                    .iter()
                    .any(|key| dict.contains_key(key))
                {
                    wrong.push("6.1.7.1: a stream is kept elsewhere".to_owned());
                }
                let filters: BTreeSet<String> = filters(dict);
                if filters.contains("LZWDecode") || filters.contains("Crypt") {
                    wrong.push(format!("6.1.7.2: {filters:?}"));
                }
                if stream.decoded().is_err() {
                    wrong.push("6.1.7: a stream cannot be decoded".to_owned());
                }
            }
            let dict = match object {
                Object::Dict(dict) => dict,
                Object::Stream(stream) => stream.dict().clone(),
                Object::Null(_)
                | Object::Boolean(_)
                | Object::Number(_)
                | Object::String(_)
                | Object::Name(_)
                | Object::Array(_) => continue,
            };
            let kind = name(&dict, "Type").unwrap_or_default();
            let subtype = name(&dict, "Subtype").unwrap_or_default();
            let action = name(&dict, "S").unwrap_or_default();
            if matches!(
                action.as_str(),
                "JavaScript" | "Launch" | "Sound" | "Movie" | "ImportData" | "ResetForm"
            ) {
                wrong.push(format!("6.5.1: an action {action}"));
            }
            if matches!(
                subtype.as_str(),
                "PS" | "Movie" | "Sound" | "Screen" | "3D" | "FileAttachment"
            ) {
                wrong.push(format!("6.2.9, 6.3.1: {subtype}"));
            }
            if kind == "Font" && subtype != "Type0" {
                fonts += 1;
                wrong.extend(font(&dict, &subtype));
            }
            if kind == "Font" && subtype == "Type0" && !dict.contains_key("ToUnicode") {
                wrong.push("6.2.11.7: a font without ToUnicode".to_owned());
            }
        }
        if fonts == 0 {
            wrong.push("there is no font at all".to_owned());
        }
        self.wrong.extend(wrong);
    }

    /// 6.6: XMP that is not compressed and says what the file is.
    fn metadata(&mut self, catalog: &Dict<'_>) {
        let Some(stream) = catalog.get::<Stream<'_>>("Metadata") else {
            self.wrong.push("6.6.2.1: there is no metadata".to_owned());
            return;
        };
        let dict = stream.dict();
        self.hold("6.6.2.1", dict.contains_key("Filter"), false, "a filter");
        self.hold(
            "6.6.2.1",
            name(dict, "Subtype").as_deref() == Some("XML"),
            true,
            "XML",
        );
        let bytes = stream.raw_data();
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        for part in [
            "<pdfaid:part>3</pdfaid:part>",
            "<pdfaid:conformance>B</pdfaid:conformance>",
            "http://www.aiim.org/pdfa/ns/id/",
            "<?xpacket begin=",
            "<dc:title>",
            "<xmp:CreateDate>",
        ] {
            self.hold("6.6.4", text.contains(part), true, part);
        }
    }

    /// 6.2.3: colours that depend on no device.
    fn colours(&mut self, catalog: &Dict<'_>) {
        let intents = catalog.get::<Array<'_>>("OutputIntents");
        let intents: Vec<Dict<'_>> = intents.iter().flat_map(Array::iter).collect();
        let archived = intents
            .iter()
            .find(|intent| name(intent, "S").as_deref() == Some("GTS_PDFA1"));
        let profile = archived.and_then(|intent| intent.get::<Stream<'_>>("DestOutputProfile"));
        let Some(profile) = profile else {
            self.wrong
                .push("6.2.3: there is no output intent with its profile".to_owned());
            return;
        };
        let decoded = profile.decoded().unwrap_or_default();
        // ICC.1: the signature of a profile stands at its 36th byte, its class at the twelfth.
        self.hold(
            "6.2.3",
            decoded.get(36..40) == Some(b"acsp"),
            true,
            "an ICC profile",
        );
        let class = decoded.get(12..16).unwrap_or_default();
        self.hold(
            "6.2.3",
            class == b"mntr" || class == b"prtr",
            true,
            "its class",
        );
    }

    /// 6.8: the file inside, and how it belongs to the document.
    fn attachment(&mut self, catalog: &Dict<'_>, file: &[u8]) {
        let associated = catalog.get::<Array<'_>>("AF");
        let files: Vec<Dict<'_>> = associated.iter().flat_map(Array::iter).collect();
        let [specification] = files.as_slice() else {
            self.wrong
                .push(format!("6.8: {} files are associated", files.len()));
            return;
        };
        for key in ["F", "UF", "Desc"] {
            self.hold("6.8", specification.contains_key(key), true, key);
        }
        let relationship = name(specification, "AFRelationship");
        self.hold(
            "6.8",
            relationship.as_deref() == Some("Alternative"),
            true,
            "Alternative",
        );
        let embedded = specification.get::<Dict<'_>>("EF");
        let Some(stream) = embedded.and_then(|embedded| embedded.get::<Stream<'_>>("F")) else {
            self.wrong.push("6.8: there is no file".to_owned());
            return;
        };
        let mime = name(stream.dict(), "Subtype");
        self.hold("6.8", mime.as_deref() == Some("text/xml"), true, "text/xml");
        let parameters = stream.dict().get::<Dict<'_>>("Params").unwrap_or_default();
        self.hold("6.8", parameters.contains_key("ModDate"), true, "ModDate");
        let inside = stream.decoded().unwrap_or_default();
        self.hold("6.8", *inside == *file, true, "the file as it was given");
        let names = catalog.get::<Dict<'_>>("Names").unwrap_or_default();
        self.hold(
            "6.8",
            names.contains_key("EmbeddedFiles"),
            true,
            "EmbeddedFiles",
        );
    }
}

/// 6.2.11.4: a font that is inside.
fn font(dict: &Dict<'_>, subtype: &str) -> Option<String> {
    let descriptor = dict.get::<Dict<'_>>("FontDescriptor");
    let inside = descriptor.is_some_and(|descriptor| {
        ["FontFile", "FontFile2", "FontFile3"]
            .iter()
            .any(|key| descriptor.get::<Stream<'_>>(key).is_some())
    });
    (!inside && subtype != "Type3").then(|| format!("6.2.11.4: a font {subtype} is not inside"))
}

fn name(dict: &Dict<'_>, key: &str) -> Option<String> {
    dict.get::<Name<'_>>(key)
        .map(|name| name.as_str().to_owned())
}

fn filters(dict: &Dict<'_>) -> BTreeSet<String> {
    let many = dict.get::<Array<'_>>("Filter");
    let many = many.iter().flat_map(Array::iter::<Name<'_>>);
    let many = many.map(|name| name.as_str().to_owned());
    many.chain(name(dict, "Filter")).collect()
}
