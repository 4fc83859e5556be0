//! Files as responses: the body with its type, name and entity tag.

use aws_lc_rs::digest::{SHA256, digest};
use invoicing_contract::messages::google::api::HttpBody;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tonic::Response;
use tonic::metadata::{MetadataMap, MetadataValue};

/// Bytes of a digest in an entity tag.
const TAG_BYTES: usize = 16;
/// All but `attr-char` of RFC 8187, section 3.2.1.
const NOT_ATTRIBUTE_CHARACTER: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// A file that is downloaded.
#[derive(Debug)]
pub(super) struct FileContent {
    /// The media type.
    pub(super) media_type: String,
    /// The name that the caller stores it under.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

impl FileContent {
    /// The response. The names of its metadata are those of HTTP headers, which REST makes of them.
    pub(super) fn into_response(self) -> Response<HttpBody> {
        let tag =
            base16ct::lower::encode_string(&digest(&SHA256, &self.bytes).as_ref()[..TAG_BYTES]);
        let mut response = Response::new(HttpBody {
            content_type: self.media_type,
            data: self.bytes,
            extensions: Vec::new(),
        });
        let metadata = response.metadata_mut();
        disposition_metadata(metadata, &self.name);
        let tag = MetadataValue::try_from(format!("\"{tag}\""));
        metadata.insert("etag", tag.expect("quotes and hexadecimal digits"));
        response
    }
}

/// Adds the name of a file.
pub(super) fn disposition_metadata(metadata: &mut MetadataMap, name: &str) {
    let value = MetadataValue::try_from(content_disposition(name));
    metadata.insert("content-disposition", value.expect("printable ASCII"));
}

/// RFC 6266, section 4: the name in ASCII, and in UTF-8 for those who read that.
fn content_disposition(name: &str) -> String {
    let plain = |letter: char| {
        if letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | ' ') {
            letter
        } else {
            '_'
        }
    };
    let ascii: String = name.chars().map(plain).collect();
    if ascii == name {
        return format!("attachment; filename=\"{ascii}\"");
    }
    let encoded = utf8_percent_encode(name, NOT_ATTRIBUTE_CHARACTER);
    format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_name_is_ascii_and_utf_8_where_it_differs() {
        assert_eq!(
            content_disposition("INV-2026-0001.pdf"),
            "attachment; filename=\"INV-2026-0001.pdf\""
        );
        assert_eq!(
            content_disposition("عقد\"\r\n.pdf"),
            "attachment; filename=\"______.pdf\"; filename*=UTF-8''%D8%B9%D9%82%D8%AF%22%0D%0A.pdf"
        );
    }

    #[test]
    fn entity_tag_changes_with_the_content() {
        let tag = |bytes: &[u8]| {
            let file = FileContent {
                media_type: "text/csv".into(),
                name: "a.csv".into(),
                bytes: bytes.to_vec(),
            };
            let response = file.into_response();
            response.metadata().get("etag").expect("a tag").clone()
        };
        assert_eq!(tag(b"a"), tag(b"a"));
        assert_ne!(tag(b"a"), tag(b"b"));
    }
}
