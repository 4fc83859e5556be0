//! The media type of a file, by its name and its content (BT-125).

use invoicing_contract::attachments::{MAX_BYTES, is_of_type};

use crate::views::AttachmentProblem;

/// Ends of names with their types.
pub(super) const EXTENSIONS: [(&str, &str); 7] = [
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("csv", "text/csv"),
    (
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
];

/// The type that the service is told.
pub(super) fn media_type(name: &str, content: &[u8]) -> Result<&'static str, AttachmentProblem> {
    if content.is_empty() {
        return Err(AttachmentProblem::Empty);
    }
    if content.len() > MAX_BYTES {
        return Err(AttachmentProblem::TooLarge);
    }
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_ascii_lowercase());
    let found = EXTENSIONS
        .iter()
        .find(|(known, _)| Some(*known) == extension.as_deref());
    let (_, media_type) = found.ok_or(AttachmentProblem::OtherType)?;
    if is_of_type(content, media_type) {
        Ok(media_type)
    } else {
        Err(AttachmentProblem::OtherContent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_is_that_of_the_name_if_the_content_is_of_it() {
        assert_eq!(media_type("a.PDF", b"%PDF-1.7"), Ok("application/pdf"));
        assert_eq!(
            media_type("a.b.jpeg", b"\xff\xd8\xff\xe0"),
            Ok("image/jpeg")
        );
        assert_eq!(media_type("a.csv", b"BMI,1\n"), Ok("text/csv"));
        for (name, content, problem) in [
            ("a.pdf", &b""[..], AttachmentProblem::Empty),
            ("a.exe", b"MZ", AttachmentProblem::OtherType),
            ("pdf", b"%PDF-1.7", AttachmentProblem::OtherType),
            ("a.png", b"%PDF-1.7", AttachmentProblem::OtherContent),
            ("a.csv", b"\xff\xfe", AttachmentProblem::OtherContent),
            ("a.xlsx", b"PK\x03\x04", AttachmentProblem::OtherContent),
        ] {
            assert_eq!(media_type(name, content), Err(problem), "{name}");
        }
        let large = vec![b'a'; MAX_BYTES + 1];
        assert_eq!(
            media_type("a.csv", &large),
            Err(AttachmentProblem::TooLarge)
        );
        assert!(media_type("a.csv", &large[..MAX_BYTES]).is_ok());
    }
}
