//! A document as a file: its bytes, checked against what the response says of them (decision 0121).

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::GatewayError;
use super::message::{Answer, ExpectedDocument};
use super::response::{GatewayResponse, MalformedResponse};

/// Bytes of the SHA-256 of the content in an entity tag.
const TAG_BYTES: usize = 16;
/// Characters of a file name that are kept.
const MAX_NAME: usize = 120;

/// A file that was downloaded whole. Its `Debug` output contains neither its name nor its bytes.
pub(crate) struct DownloadedFile {
    /// The name that the service suggests, without anything that is more than a name. Empty if there is none.
    pub(crate) name: String,
    /// Its entity tag is the digest of these.
    pub(crate) bytes: Vec<u8>,
}

impl fmt::Debug for DownloadedFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DownloadedFile")
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

/// A downloaded PDF.
pub(crate) struct PdfFile(pub(crate) DownloadedFile);

/// A downloaded XML file.
pub(crate) struct XmlFile(pub(crate) DownloadedFile);

impl Answer for PdfFile {
    const ACCEPT: &'static str = "application/pdf";

    fn read(
        response: GatewayResponse,
        _expected: &ExpectedDocument<'_>,
    ) -> Result<Self, GatewayError> {
        Ok(Self(read(response, Self::ACCEPT, b"%PDF-")?))
    }
}

impl Answer for XmlFile {
    const ACCEPT: &'static str = "application/xml";

    fn read(
        response: GatewayResponse,
        _expected: &ExpectedDocument<'_>,
    ) -> Result<Self, GatewayError> {
        Ok(Self(read(response, Self::ACCEPT, b"<")?))
    }
}

/// A file of any type.
impl Answer for DownloadedFile {
    const ACCEPT: &'static str = "*/*";

    fn read(
        response: GatewayResponse,
        _expected: &ExpectedDocument<'_>,
    ) -> Result<Self, GatewayError> {
        let response = response.successful()?;
        let media_type = response.headers.media_type.clone();
        read_checked(response, &media_type, b"")
    }
}

fn read(
    response: GatewayResponse,
    media_type: &str,
    starts: &[u8],
) -> Result<DownloadedFile, GatewayError> {
    read_checked(response.successful()?, media_type, starts)
}

fn read_checked(
    response: GatewayResponse,
    media_type: &str,
    starts: &[u8],
) -> Result<DownloadedFile, GatewayError> {
    if response.headers.media_type != media_type {
        return Err(response.unexpected(MalformedResponse::OtherFile {
            what: "content type",
        }));
    }
    if response.headers.entity_tag != entity_tag(&response.body) {
        return Err(response.unexpected(MalformedResponse::OtherFile { what: "ETag" }));
    }
    if !response.body.starts_with(starts) {
        return Err(response.unexpected(MalformedResponse::OtherFile { what: "content" }));
    }
    Ok(DownloadedFile {
        name: file_name(&response.headers.disposition),
        bytes: response.body,
    })
}

fn entity_tag(bytes: &[u8]) -> String {
    let digest = base16ct::lower::encode_string(&Sha256::digest(bytes)[..TAG_BYTES]);
    format!("\"{digest}\"")
}

/// The name in a Content-Disposition (RFC 6266, section 4.1), as a name in any folder of any system.
fn file_name(disposition: &str) -> String {
    let quoted = disposition
        .split_once("filename=\"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or("", |(name, _)| name);
    let safe = |letter: char| {
        if letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.') {
            letter
        } else {
            '_'
        }
    };
    let name: String = quoted.chars().map(safe).take(MAX_NAME).collect();
    name.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_of_a_file_contains_nothing_of_it() {
        let file = DownloadedFile {
            name: "Noor Company.csv".to_owned(),
            bytes: b"Noor".to_vec(),
        };
        assert_eq!(format!("{file:?}"), "DownloadedFile { bytes: 4, .. }");
    }

    #[test]
    fn file_name_of_a_response_is_a_name_and_never_a_path() {
        for (disposition, name) in [
            (
                "attachment; filename=\"INV-2026-0001.pdf\"",
                "INV-2026-0001.pdf",
            ),
            (
                "attachment; filename=\"../../etc/passwd\"",
                "_.._etc_passwd",
            ),
            ("attachment; filename=\"a:b\\c.xml\"", "a_b_c.xml"),
            ("attachment; filename=\".bashrc\"", "bashrc"),
            ("attachment", ""),
            ("", ""),
        ] {
            assert_eq!(file_name(disposition), name, "{disposition}");
        }
    }
}
