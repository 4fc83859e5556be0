//! Names of files and folders that do not reveal whose they are.

use sha2::{Digest as _, Sha256};

/// The first 16 bytes of the SHA-256, in hexadecimal.
pub(crate) fn opaque_name(of: impl AsRef<[u8]>) -> String {
    base16ct::lower::encode_string(&Sha256::digest(of)[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opaque_name_is_the_same_in_each_version_of_the_program() {
        assert_eq!(opaque_name(""), "e3b0c44298fc1c149afbf4c8996fb924");
    }
}
