//! The core's commands as Tauri commands, expanded from the one list.

use std::sync::Arc;

use invoicing_client::Desktop;
use invoicing_client::views::*;
use tauri::ipc::CapabilityBuilder;
use tauri::{State, WebviewWindow};

use crate::window;

macro_rules! tauri_commands {
    ($( $(#[doc = $doc:literal])* $name:ident ( $($argument:ident : $type:ty),* $(,)? ) -> $out:ty; )*) => {
        $(
            $(#[doc = $doc])*
            #[tauri::command]
            #[specta::specta]
            async fn $name(window: WebviewWindow, desktop: State<'_, Arc<Desktop>>, $($argument: $type),*) -> Result<$out, CommandError> {
                desktop.$name(&window.label().into(), $($argument),*).await
            }
        )*

        /// The commands with their types, for the invoke handler and the TypeScript bindings.
        pub(crate) fn builder() -> tauri_specta::Builder<tauri::Wry> {
            tauri_specta::Builder::<tauri::Wry>::new().disable_serde_phases().commands(tauri_specta::collect_commands![$($name),*])
        }

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

invoicing_client::for_each_command!(tauri_commands);

/// The permissions of our windows: exactly the commands, and nothing of Tauri's core or plugins but the print dialog of macOS,
/// where `window.print` of the web view does nothing by itself (decision 0133).
pub(crate) fn capability() -> CapabilityBuilder {
    let mut capability = CapabilityBuilder::new("commands")
        .local(true)
        .window(window::MAIN)
        .window(window::OTHERS);
    if cfg!(target_os = "macos") {
        capability = capability.permission("core:webview:allow-print");
    }
    NAMES.iter().fold(capability, |capability, name| {
        capability.permission(format!("allow-{}", name.replace('_', "-")))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use specta_typescript::Typescript;

    #[test]
    fn typescript_bindings_in_the_repository_match_the_commands() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/ipc/bindings.ts");
        let header = "// Generated from crates/client/src/commands.rs by `cargo xtask bindings`.\n/* eslint-disable */\n// @ts-nocheck\n";
        let exported =
            std::env::temp_dir().join(format!("invoice-desk-bindings-{}.ts", std::process::id()));
        super::builder()
            .export(Typescript::default().header(header), &exported)
            .expect("every type of a command can be written in TypeScript");
        let generated =
            std::fs::read_to_string(&exported).expect("the export has just been written");
        std::fs::remove_file(&exported).expect("the export has just been written");
        if std::env::var_os("UPDATE_BINDINGS").is_some() {
            std::fs::write(&path, &generated).expect("the bindings can be written");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == generated,
            "ui/src/ipc/bindings.ts is out of date: run `cargo xtask bindings`"
        );
    }
}
