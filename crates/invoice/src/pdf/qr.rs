//! The QR code of Saudi Arabia (ZATCA, Security Features Implementation Standards, tags 1 to 5).

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use qrcode::{EcLevel, QrCode};

use crate::{Country, Document};

/// The width of the quiet zone in modules.
const QUIET_ZONE: usize = 4;
/// The largest length of a TLV value in bytes.
const MAX_VALUE_BYTES: usize = 255;

/// The TLV content of the QR code: seller, VAT number, time, total with VAT and VAT. `None` if the
/// seller is not in Saudi Arabia or a value is missing. A value is truncated to 255 bytes, the largest TLV length.
#[must_use]
pub fn tlv(document: &Document) -> Option<Vec<u8>> {
    let seller = &document.seller;
    if seller.address.country != Country::SAUDI_ARABIA.code() {
        return None;
    }
    let totals = &document.figures.totals;
    let name = if seller.name.ar.is_empty() {
        &seller.name.en
    } else {
        &seller.name.ar
    };
    let time = match document.issue_time.as_str() {
        "" => "00:00:00",
        time => time,
    };
    let at = format!("{}T{time}", document.content.issue_date);
    let values = [name, &seller.tax_id, &at, &totals.gross, &totals.tax];
    let mut bytes = Vec::new();
    for (tag, value) in (1_u8..).zip(values) {
        let value = &value[..value.floor_char_boundary(MAX_VALUE_BYTES)];
        if value.is_empty() {
            return None;
        }
        bytes.push(tag);
        bytes.push(u8::try_from(value.len()).ok()?);
        bytes.extend_from_slice(value.as_bytes());
    }
    Some(bytes)
}

/// The text of the QR code: that of the document, which may be signed, or else the Base64 of [`tlv`].
fn text(document: &Document) -> Option<String> {
    let carried = document.content.documents.iter().find_map(|paper| {
        let attachment = paper.attachment.as_ref()?;
        (paper.id.value == "QR").then(|| attachment.content.trim().to_owned())
    });
    carried
        .filter(|text| !text.is_empty())
        .or_else(|| tlv(document).map(|bytes| STANDARD.encode(bytes)))
}

/// The QR code as SVG. `None` if there is no text or it is too long for a QR code.
pub(super) fn svg(document: &Document) -> Option<String> {
    let code = QrCode::with_error_correction_level(text(document)?, EcLevel::M).ok()?;
    let width = code.width();
    let colors = code.into_colors();
    let whole = width + 2 * QUIET_ZONE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {whole}\">\
         <path fill=\"#fff\" d=\"M0 0h{whole}v{whole}H0z\"/><path fill=\"#000\" d=\""
    );
    for (y, row) in colors.chunks(width).enumerate() {
        // Adjacent modules are one rectangle, so that no gap is visible between them.
        let mut x = 0;
        while x < width {
            let run = row[x..]
                .iter()
                .take_while(|module| **module == qrcode::Color::Dark)
                .count();
            if run > 0 {
                let _ = write!(
                    svg,
                    "M{} {}h{run}v1h-{run}z",
                    x + QUIET_ZONE,
                    y + QUIET_ZONE
                );
            }
            x += run.max(1);
        }
    }
    svg.push_str("\"/></svg>");
    Some(svg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{Address, Party, Text};

    fn document() -> Document {
        let mut document = Document {
            issue_time: "14:40:40".into(),
            seller: Party {
                name: Text {
                    ar: "شركة".into(),
                    en: "Company".into(),
                },
                tax_id: "310122393500003".into(),
                address: Address {
                    country: "SA".into(),
                    ..Address::default()
                }
                .into(),
                ..Party::default()
            },
            ..Document::default()
        };
        document.content.issue_date = "2026-11-01".into();
        document.figures.totals.gross = "1255.23".into();
        document.figures.totals.tax = "163.73".into();
        document
    }

    #[test]
    fn tlv_values_have_tag_and_byte_length() {
        let bytes = tlv(&document()).expect("nothing is missing");
        let mut expected = vec![1, 8];
        expected.extend_from_slice("شركة".as_bytes());
        expected.extend_from_slice(
            b"\x02\x0f310122393500003\x03\x132026-11-01T14:40:40\x04\x071255.23\x05\x06163.73",
        );
        assert_eq!(bytes, expected);
    }

    #[test]
    fn long_name_is_truncated_at_a_character_boundary() {
        let mut long = document();
        long.seller.name.ar = format!("a{}", "ش".repeat(200));
        let bytes = tlv(&long).expect("nothing is missing");
        assert_eq!(bytes[1], 255);
        assert!(std::str::from_utf8(&bytes[2..2 + 255]).is_ok());
    }

    #[test]
    fn tlv_is_absent_outside_saudi_arabia_or_without_a_value() {
        let mut elsewhere = document();
        elsewhere.seller.address.country = "AE".into();
        assert_eq!(tlv(&elsewhere), None);
        let mut unregistered = document();
        unregistered.seller.tax_id.clear();
        assert_eq!(tlv(&unregistered), None);
    }
}
