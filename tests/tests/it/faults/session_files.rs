//! What the client has written: the marker of a refresh in flight, and all text.

use std::path::Path;

/// Whether a file says that a refresh is in flight.
pub(crate) fn marker_is_set(folder: &Path) -> bool {
    let text = text(folder);
    text.split("\"refresh_in_flight\":").skip(1).any(|rest| {
        let value = rest.trim_start();
        value.starts_with(|first: char| first.is_ascii_digit())
    })
}

/// The content of all files below a folder.
pub(crate) fn text(folder: &Path) -> String {
    let mut text = String::new();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return text;
    };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            text.push_str(&self::text(&path));
        } else if let Ok(bytes) = std::fs::read(&path) {
            text.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
    text
}
