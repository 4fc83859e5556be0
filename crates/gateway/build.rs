//! Unpacks the files of Swagger UI that the gateway serves, and compresses them once.

use std::error::Error;
use std::io::{Cursor, Read as _, Write as _};
use std::path::PathBuf;
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;

const FILES: [&str; 2] = ["swagger-ui-bundle.js", "swagger-ui.css"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
    for name in FILES {
        let path = format!("/dist/{name}");
        let index = (0..archive.len())
            .find(|index| {
                let entry = archive.by_index(*index);
                entry.is_ok_and(|entry| entry.name().is_ok_and(|name| name.ends_with(&path)))
            })
            .ok_or_else(|| format!("Swagger UI has no {name}"))?;
        let mut content = Vec::new();
        archive.by_index(index)?.read_to_end(&mut content)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&content)?;
        fs::write(out.join(format!("{name}.gz")), encoder.finish()?)?;
    }
    Ok(())
}
