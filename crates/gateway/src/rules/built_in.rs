//! The built-in version of the rules.

use aws_lc_rs::digest;
use invoicing_storage::rules::{RuleVersion, Rules};

use super::table::built_in_text;

/// The built-in version, which holds until another is published.
pub(super) fn built_in() -> Rules {
    let text = built_in_text();
    let hash = digest::digest(&digest::SHA256, text.as_bytes());
    let stamp = format!(
        "built-in-{}",
        base16ct::lower::encode_string(&hash.as_ref()[..8])
    );
    Rules {
        version: RuleVersion {
            number: 0,
            concurrency_stamp: stamp.into(),
            published_by: String::new(),
            published_at: invoicing_contract::Timestamp::default(),
            comment: String::new(),
            restores: None,
        },
        text,
    }
}
