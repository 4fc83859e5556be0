//! A pull parser that names elements by namespace and local name, and records what its caller does not read.

use std::io::BufRead;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::attributes::{self, Attribute, AttributeError, MAX_NAME_BYTES};
use super::byte_limiter::ByteLimiter;
use super::encoding::Utf8Decoder;
use super::lexical::{is_xml, predefined};
use super::namespace_bindings::{NamespaceBindings, UNKNOWN};
use super::unmapped::{PendingUnmapped, UnmappedElement, UnmappedElements};
use super::{Limit, Limits, MalformedXml, ReadError};

/// The parser of one document.
pub(crate) struct Source<R> {
    reader: Reader<ByteLimiter<Utf8Decoder<R>>>,
    pub(super) limits: Limits,
    /// The known namespaces; their indexes are the first part of an element name.
    vocabulary: &'static [&'static str],
    buffer: Vec<u8>,
    /// The last start tag, without angle brackets.
    pub(super) tag: String,
    namespace: usize,
    local_name: Range<usize>,
    pub(super) attributes: Vec<Attribute>,
    bindings: NamespaceBindings,
    /// The path of the innermost open element in the first `path_length` bytes, followed by the name of the element that ended last.
    pub(super) path: String,
    pub(super) path_length: usize,
    /// The path length of the parent of each open element.
    pub(super) parent_path_lengths: Vec<usize>,
    text: String,
    repeated: u32,
    pub(super) unmapped: UnmappedElements,
    /// Attributes that [`Self::resolve_pending`] will decide on.
    pub(super) pending: PendingUnmapped,
}

pub(super) enum ElementEvent {
    Start,
    End,
    Eof,
}

impl<R: BufRead> Source<R> {
    pub(crate) fn new(bytes: R, limits: Limits, vocabulary: &'static [&'static str]) -> Self {
        let mut reader =
            Reader::from_reader(ByteLimiter::new(Utf8Decoder::new(bytes), limits.bytes));
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.check_end_names = true;
        Self {
            reader,
            limits,
            vocabulary,
            buffer: Vec::new(),
            tag: String::new(),
            namespace: UNKNOWN,
            local_name: 0..0,
            attributes: Vec::new(),
            bindings: NamespaceBindings::default(),
            path: String::new(),
            path_length: 0,
            parent_path_lengths: Vec::new(),
            text: String::new(),
            repeated: 0,
            unmapped: UnmappedElements::default(),
            pending: PendingUnmapped::default(),
        }
    }

    /// Opens a document and reads the start tag of the root element.
    pub(crate) fn root(&mut self) -> Result<(), ReadError> {
        match self.next_event()? {
            ElementEvent::Start => Ok(()),
            ElementEvent::End | ElementEvent::Eof => Err(self.malformed(MalformedXml::NoRoot)),
        }
    }

    /// The error for a root element that the caller does not support.
    pub(crate) fn unexpected_root(&self) -> ReadError {
        ReadError::Root {
            position: self.position(),
            name: self.tag[..self.local_name.end].to_owned(),
        }
    }

    /// Checks that nothing follows the root element, and returns the unmapped elements.
    pub(crate) fn finish(mut self) -> Result<Vec<UnmappedElement>, ReadError> {
        match self.next_event()? {
            ElementEvent::Eof => Ok(self.unmapped.into_vec()),
            ElementEvent::Start | ElementEvent::End => {
                Err(self.malformed(MalformedXml::SecondRoot))
            }
        }
    }

    /// The name of the current element: index of the namespace in the vocabulary, and local name.
    pub(crate) fn name(&self) -> (usize, &str) {
        (self.namespace, &self.tag[self.local_name.clone()])
    }

    /// The value of an attribute of the current element, empty if absent. To be called before the element is entered.
    pub(crate) fn attribute(&mut self, name: &str) -> String {
        self.take(name).map_or_else(String::new, str::to_owned)
    }

    /// Whether an attribute of the current element has this value. To be called before the element is entered.
    pub(crate) fn attribute_is(&mut self, name: &str, value: &str) -> bool {
        self.take(name).unwrap_or_default() == value
    }

    /// Marks an attribute as read if it has one of these values, and returns whether it has. Another value stays unmapped.
    pub(crate) fn read_attribute_values(&mut self, name: &str, values: &[&str]) -> bool {
        let (tag, attributes) = (&self.tag, &mut self.attributes);
        let mut found = false;
        for attribute in attributes {
            if attribute.name(tag) == name && values.contains(&attribute.value(tag)) {
                attribute.consumed = true;
                found = true;
            }
        }
        found
    }

    fn take(&mut self, name: &str) -> Option<&str> {
        let (tag, attributes) = (&self.tag, &mut self.attributes);
        let found = attributes
            .iter_mut()
            .find(|attribute| attribute.name(tag) == name)?;
        found.consumed = true;
        Some(found.value(tag))
    }

    /// Enters the current element and calls the handler for each child, which the handler must read to its end with [`Self::children`],
    /// [`Self::text`] or [`Self::skip`].
    pub(crate) fn children(
        &mut self,
        mut child: impl FnMut(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.record_unmapped_attributes()?;
        loop {
            self.text.clear();
            let step = self.next_event()?;
            if !self.text.trim_ascii().is_empty() {
                self.record_stray_text(&step)?;
            }
            match step {
                ElementEvent::Start => child(self)?,
                ElementEvent::End => return Ok(()),
                ElementEvent::Eof => return Err(self.malformed(MalformedXml::EndsEarly)),
            }
        }
    }

    /// Reads the text of the current element, trimmed. Child elements are recorded as unmapped.
    pub(crate) fn text(&mut self) -> Result<&str, ReadError> {
        self.record_unmapped_attributes()?;
        self.text.clear();
        loop {
            match self.next_event()? {
                ElementEvent::Start => {
                    let before = std::mem::take(&mut self.text);
                    self.skip()?;
                    self.text = before;
                }
                ElementEvent::End => return Ok(self.text.trim_ascii()),
                ElementEvent::Eof => return Err(self.malformed(MalformedXml::EndsEarly)),
            }
        }
    }

    /// Records the current element as unmapped and skips to its end.
    pub(crate) fn skip(&mut self) -> Result<(), ReadError> {
        self.record_unmapped("")?;
        let depth = self.parent_path_lengths.len();
        while self.parent_path_lengths.len() >= depth {
            if let ElementEvent::Eof = self.next_event()? {
                return Err(self.malformed(MalformedXml::EndsEarly));
            }
        }
        Ok(())
    }

    /// The number of buffered bytes.
    pub(super) fn buffered_bytes(&mut self) -> Result<usize, ReadError> {
        let bytes = self.reader.get_mut().inner.fill_buf();
        bytes
            .map(<[u8]>::len)
            .map_err(|error| self.map_parser_error(error.into()))
    }

    /// Counts a repeated element against the limit.
    pub(crate) fn count_repeated(&mut self) -> Result<(), ReadError> {
        self.repeated += 1;
        if self.repeated > self.limits.repeated {
            return Err(self.limit(Limit::Repeated));
        }
        Ok(())
    }

    fn next_event(&mut self) -> Result<ElementEvent, ReadError> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().token(self.limits.token_bytes);
            // The event is matched in place: it is too large to be moved for each tag.
            let event = self.reader.read_event_into(&mut self.buffer);
            match event {
                Ok(Event::Start(start)) => {
                    self.tag.clear();
                    self.tag.push_str(&start);
                    let has_attributes = start.attributes_raw().len() > 1;
                    let name = start.name().as_ref().len();
                    drop(start);
                    return self
                        .enter_element(name, has_attributes)
                        .map(|()| ElementEvent::Start);
                }
                Ok(Event::End(_)) => {
                    self.leave_element();
                    return Ok(ElementEvent::End);
                }
                Ok(Event::Text(text)) => self.text.push_str(&text.xml10_content()),
                Ok(Event::CData(text)) => self.text.push_str(&text.xml10_content()),
                Ok(Event::GeneralRef(reference)) => {
                    let character = match reference.resolve_char_ref() {
                        Ok(Some(character)) => Some(character),
                        Ok(None) => predefined(&reference),
                        Err(_) => None,
                    };
                    let Some(character) = character.filter(|character| is_xml(*character)) else {
                        let name = reference.into_inner().into_owned();
                        let position = self.position();
                        return Err(ReadError::Entity { position, name });
                    };
                    self.text.push(character);
                }
                Ok(Event::Decl(_)) if !self.parent_path_lengths.is_empty() => {
                    return Err(self.malformed(MalformedXml::MisplacedDeclaration));
                }
                Ok(Event::Decl(declaration)) => {
                    let Some(Ok(name)) = declaration.encoding() else {
                        continue;
                    };
                    let name = name.into_owned();
                    if !self.reader.get_mut().inner.apply_declaration(&name) {
                        return Err(ReadError::Encoding {
                            position: self.position(),
                            name,
                        });
                    }
                }
                Ok(Event::DocType(_)) => {
                    let position = self.position();
                    return Err(ReadError::Doctype { position });
                }
                // Comments and processing instructions are not part of an invoice.
                Ok(Event::Comment(_) | Event::PI(_)) => {}
                Ok(Event::Eof) => return Ok(ElementEvent::Eof),
                Ok(Event::Empty(_)) => return Err(self.malformed(MalformedXml::UnexpandedElement)),
                Err(error) => return Err(self.map_parser_error(error)),
            }
            if self.text.len() as u64 > self.limits.token_bytes {
                return Err(self.limit(Limit::TokenBytes));
            }
        }
    }

    fn enter_element(&mut self, name: usize, has_attributes: bool) -> Result<(), ReadError> {
        let depth = self.parent_path_lengths.len() + 1;
        if depth > self.limits.depth {
            return Err(self.limit(Limit::Depth));
        }
        if name > MAX_NAME_BYTES {
            return Err(self.limit(Limit::NameBytes));
        }
        self.parent_path_lengths.push(self.path_length);
        self.path.truncate(self.path_length);
        if depth > 1 {
            self.path.push('/');
        }
        self.path.push_str(&self.tag[..name]);
        self.path_length = self.path.len();
        self.attributes.clear();
        if has_attributes {
            self.read_attributes(name, depth)?;
        }
        let prefix = self.tag.bytes().take(name).position(|byte| byte == b':');
        self.local_name = prefix.map_or(0, |at| at + 1)..name;
        let prefix = &self.tag[..prefix.unwrap_or(0)];
        self.namespace = self.bindings.namespace(prefix);
        Ok(())
    }

    fn leave_element(&mut self) {
        let depth = self.parent_path_lengths.len();
        self.bindings.remove_of_depth(depth);
        if let Some(length) = self.parent_path_lengths.pop() {
            self.path.truncate(self.path_length);
            self.path_length = length;
        }
    }

    fn read_attributes(&mut self, name: usize, depth: usize) -> Result<(), ReadError> {
        let Self {
            tag,
            attributes,
            bindings,
            vocabulary,
            ..
        } = self;
        let read = attributes::read(tag, name, attributes);
        // Namespace declarations become bindings and are not attributes of the element.
        attributes.retain(|attribute| {
            let Some(prefix) = attribute.prefix(tag) else {
                return true;
            };
            let uri = attribute.value(tag);
            let namespace = vocabulary.iter().position(|known| *known == uri);
            bindings.add(prefix, namespace.unwrap_or(UNKNOWN), depth);
            false
        });
        read.map_err(|error| match error {
            AttributeError::TooMany => self.limit(Limit::Attributes),
            AttributeError::LongName => self.limit(Limit::NameBytes),
            AttributeError::Malformed(source) => self.malformed(source),
        })
    }

    /// The position in bytes from the start of the file.
    pub(crate) fn position(&self) -> u64 {
        self.reader.buffer_position()
    }

    pub(super) fn limit(&self, limit: Limit) -> ReadError {
        ReadError::Limit {
            position: self.position(),
            limit,
        }
    }

    fn malformed(&self, source: MalformedXml) -> ReadError {
        ReadError::Malformed {
            position: self.position(),
            source,
        }
    }

    fn map_parser_error(&mut self, error: quick_xml::Error) -> ReadError {
        let position = self.reader.error_position().max(self.position());
        if let Some(limit) = self.reader.get_mut().exceeded {
            return ReadError::Limit { position, limit };
        }
        match error {
            quick_xml::Error::Io(error) => ReadError::Input {
                position,
                source: std::io::Error::new(error.kind(), error),
            },
            quick_xml::Error::Encoding(_) => ReadError::Encoding {
                position,
                name: "something else".to_owned(),
            },
            error @ (quick_xml::Error::Syntax(_)
            | quick_xml::Error::IllFormed(_)
            | quick_xml::Error::InvalidAttr(_)
            | quick_xml::Error::Escape(_)
            | quick_xml::Error::Namespace(_)) => ReadError::Malformed {
                position,
                source: error.into(),
            },
        }
    }
}
