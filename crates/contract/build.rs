//! Compiles the .proto files without protoc, and writes the table of operations from their annotations.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, error::Error, fs};

use prost::Message as _;
use prost_reflect::{DescriptorPool, MethodDescriptor, Value};

const FILES: [&str; 3] = [
    "invoicing/simple/v1/invoices.proto",
    "invoicing/documents/v2/documents.proto",
    "invoicing/identity/v2/identity.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    let out = PathBuf::from(env::var("OUT_DIR")?);

    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler
        .include_source_info(true)
        .include_imports(true)
        .open_files(FILES)?;
    let encoded = compiler.encode_file_descriptor_set();
    fs::write(out.join("descriptors.bin"), &encoded)?;

    let files = prost_types::FileDescriptorSet::decode(encoded.as_slice())?;
    let mut prost = tonic_prost_build::Config::new();
    prost
        .compile_well_known_types()
        .extern_path(".google.protobuf", "::pbjson_types")
        // They hold secrets: what Debug says of them is written by hand, in src/messages.rs.
        .skip_debug([
            "invoicing.identity.v2.CreateTenantResponse",
            "invoicing.identity.v2.CompleteProfileResponse",
            "invoicing.identity.v2.ImpersonateResponse",
        ]);
    tonic_prost_build::configure()
        .client_mod_attribute(".", "#[cfg(feature = \"grpc\")]")
        .server_mod_attribute(".", "#[cfg(feature = \"grpc\")]")
        .compile_fds_with_config(files, prost)?;
    // Whoever reads JSON through these is a client: a newer service may send more than it knows.
    pbjson_build::Builder::new()
        .register_descriptors(&encoded)?
        .ignore_unknown_fields()
        .build(&[".invoicing"])?;

    let pool = DescriptorPool::decode(encoded.as_slice())?;
    fs::write(out.join("operations.rs"), operations(&pool)?)?;
    Ok(())
}

/// `pub const LIST_INVOICES: Operation = …` for every annotated method, and `ALL`.
fn operations(pool: &DescriptorPool) -> Result<String, Box<dyn Error>> {
    let mut source = String::new();
    let mut names = Vec::new();
    for method in pool
        .services()
        .flat_map(|service| service.methods().collect::<Vec<_>>())
    {
        let scope = scope(pool, &method)
            .ok_or_else(|| format!("{} has no (invoicing.scope)", method.full_name()))?;
        let (verb, path) = http(pool, &method)
            .ok_or_else(|| format!("{} has no (google.api.http)", method.full_name()))?;
        let name = screaming(method.name());
        writeln!(source, "/// `{}`", method.full_name())?;
        writeln!(
            source,
            "pub const {name}: Operation = Operation {{ service: {:?}, method: {:?}, scope: {scope:?}, verb: {verb:?}, path: {path:?} }};",
            method.parent_service().full_name(),
            method.name(),
        )?;
        names.push(name);
    }
    writeln!(
        source,
        "/// Every operation of the gateway.\npub const ALL: &[Operation] = &[{}];",
        names.join(", ")
    )?;
    Ok(source)
}

fn scope(pool: &DescriptorPool, method: &MethodDescriptor) -> Option<String> {
    let extension = pool.get_extension_by_name("invoicing.scope")?;
    let Value::String(scope) = method.options().get_extension(&extension).into_owned() else {
        return None;
    };
    (!scope.is_empty()).then_some(scope)
}

fn http(pool: &DescriptorPool, method: &MethodDescriptor) -> Option<(String, String)> {
    let extension = pool.get_extension_by_name("google.api.http")?;
    let options = method.options();
    let rule = options.get_extension(&extension);
    let rule = rule.as_message()?;
    ["get", "put", "post", "delete", "patch"]
        .into_iter()
        .find_map(|verb| {
            let path = rule.get_field_by_name(verb)?;
            let path = path.as_str().filter(|path| !path.is_empty())?;
            Some((verb.to_uppercase(), path.to_owned()))
        })
}

fn screaming(camel: &str) -> String {
    let mut name = String::new();
    for (index, letter) in camel.char_indices() {
        if letter.is_uppercase() && index > 0 {
            name.push('_');
        }
        name.extend(letter.to_uppercase());
    }
    name
}
