//! Compression of responses with gzip, for callers that accept it (RFC 9110, section 12.5.3).

use std::io::{self, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, header};

/// Whether the caller accepts gzip.
#[must_use]
pub fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let gzip = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        // A weight of zero, with up to three decimals, refuses the coding.
        let refused = parts.any(|parameter| {
            parameter
                .strip_prefix("q=")
                .is_some_and(|weight| weight.trim_matches(['0', '.']).is_empty())
        });
        gzip && !refused
    })
}

/// `body` in gzip, at the level that costs least.
///
/// # Errors
/// None in practice: it writes into memory.
pub fn gzip(body: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::fast());
    encoder.write_all(body)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;
    use http::HeaderValue;

    use super::*;

    #[test]
    fn gzip_is_accepted_by_name_unless_its_weight_is_zero() {
        for (value, accepted) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("gzip;q=0.001", true),
            ("identity", false),
            ("xgzip", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            assert_eq!(accepts_gzip(&headers), accepted, "{value:?}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn compressed_body_is_restored() {
        let body = "x".repeat(10_000);
        let compressed = gzip(body.as_bytes()).expect("memory takes it");
        let mut plain = String::new();
        GzDecoder::new(compressed.as_slice())
            .read_to_string(&mut plain)
            .expect("gzip");
        assert_eq!(plain, body);
        assert!(compressed.len() < 200);
    }
}
