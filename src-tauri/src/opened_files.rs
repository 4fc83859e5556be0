//! Files that the system opens with this program: arguments of the first start and of later ones; on macOS addresses.

use std::path::{Path, PathBuf};

use invoicing_client::Desktop;
use url::Url;

/// Extensions of the files that are opened; other arguments are for others.
const EXTENSIONS: [&str; 2] = ["xml", "pdf"];

/// Passes the files among the arguments of a start to the core. Relative paths are those of `folder`.
pub(crate) fn deliver(desktop: &Desktop, arguments: &[String], folder: &Path) {
    for argument in arguments.iter().skip(1) {
        if let Some(path) = path(argument, folder) {
            desktop.open_file(path);
        }
    }
}

/// Passes a file that an address of the scheme `file` names to the core. macOS opens files by an event, not by arguments.
pub(crate) fn deliver_address(desktop: &Desktop, address: &Url) {
    if let Some(path) = path(address.as_str(), Path::new("")) {
        desktop.open_file(path);
    }
}

/// The file that an argument names, as a path or as an address of the scheme `file`.
fn path(argument: &str, folder: &Path) -> Option<PathBuf> {
    let path = if argument.starts_with("file:") {
        Url::parse(argument).ok()?.to_file_path().ok()?
    } else {
        folder.join(argument)
    };
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    EXTENSIONS.contains(&extension.as_str()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn argument_is_a_file_by_path_or_address_and_nothing_else() {
        for (argument, expected) in [
            ("/home/a/b.xml", Some("/home/a/b.xml")),
            ("b.PDF", Some("/folder/b.PDF")),
            ("file:///home/a/b%20c.xml", Some("/home/a/b c.xml")),
            ("file://other.example/b.xml", None),
            ("com.invoicedesk.desktop://callback?code=a", None),
            ("--flag", None),
            ("b.exe", None),
            ("", None),
        ] {
            assert_eq!(
                path(argument, Path::new("/folder")),
                expected.map(PathBuf::from),
                "{argument}"
            );
        }
    }
}
