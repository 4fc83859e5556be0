//! Declares every command to Tauri, so that each is behind a permission of its own.

#[path = "../crates/client/src/commands.rs"]
mod commands;

macro_rules! names {
    ($( $(#[$doc:meta])* $name:ident ( $($argument:ident : $type:ty),* $(,)? ) -> $out:ty; )*) => {
        &[$(stringify!($name)),*]
    };
}

fn main() {
    println!("cargo:rerun-if-changed=../crates/client/src/commands.rs");
    // The built UI becomes part of the program.
    println!("cargo:rerun-if-changed=../ui/dist");
    let manifest = tauri_build::AppManifest::new().commands(for_each_command!(names));
    let attributes = tauri_build::Attributes::new()
        .app_manifest(manifest)
        // The default, said here: otherwise a folder that is not there is looked for, and every build is a new one. What
        // the window may do is told where it starts (src/commands.rs).
        .capabilities_path_pattern("./capabilities/**/*");
    tauri_build::try_build(attributes).expect("tauri.conf.json and the capabilities are valid");
}
