//! Starts the application.

#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    prepare_process();
    invoice_desk::run()
}

/// Sets what must be set before any other thread or GTK runs.
fn prepare_process() {
    // WebKitGTK's DMABUF renderer leaves the window blank on some drivers. A value that is already set has precedence.
    #[cfg(target_os = "linux")]
    if std::env::var_os("WEBKIT_DISABLE_DMABUF_RENDERER").is_none() {
        #[expect(
            unsafe_code,
            clippy::disallowed_methods,
            reason = "no other thread runs yet"
        )]
        // SAFETY: this is the first thing main does; no other thread exists that could read the environment.
        unsafe {
            std::env::set_var("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
        }
    }
}
