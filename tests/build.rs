//! Does nothing. Cargo takes the build dependencies of `Cargo.toml` into account only if there is a build script.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}
