//! Compiles the .proto files without protoc, and generates code from their options: the table of operations, the handlers
//! of each service, the output fields of messages, the limits of the fields of requests, and the shapes of their messages.

#![expect(
    clippy::print_stdout,
    reason = "Cargo reads the instructions of a build script there"
)]

mod handlers;
mod names;
mod operations;
mod output_fields;
mod request_limits;
mod request_values;
mod requests;

use std::path::PathBuf;
use std::{env, error::Error, fs};

use prost::Message as _;
use prost_reflect::DescriptorPool;

const FILES: &[&str] = &[
    "invoicing/simple/v1/invoices.proto",
    "invoicing/documents/v2/documents.proto",
    "invoicing/documents/v2/batches.proto",
    "invoicing/documents/v2/files.proto",
    "invoicing/documents/v2/submissions.proto",
    "invoicing/documents/v2/attachments.proto",
    "invoicing/identity/v2/identity.proto",
    "invoicing/rules/v2/rules.proto",
    "invoicing/identity/v2/tenants.proto",
    "invoicing/parties/v2/parties.proto",
    "invoicing/items/v2/items.proto",
    "invoicing/permissions/v2/permissions.proto",
    "invoicing/plans/v2/plans.proto",
    "invoicing/identity/v2/domains.proto",
    "invoicing/payments/v2/payments.proto",
    "invoicing/reports/v2/reports.proto",
    "invoicing/identity/v2/users.proto",
    "invoicing/identity/v2/machine_users.proto",
    "invoicing/identity/v2/applications.proto",
    "invoicing/authorities/v2/authorities.proto",
    "invoicing/audit/v2/audit.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    println!("cargo:rerun-if-changed=build");
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
        // Its JSON form in pbjson-types is not that of the proto3 JSON mapping.
        .extern_path(".google.protobuf.FieldMask", "crate::field_mask::FieldMask")
        // Field masks find the descriptor of a message by its name.
        .enable_type_names()
        // These hold secrets; src/messages.rs implements Debug without them.
        .skip_debug([
            "invoicing.identity.v2.CreateTenantResponse",
            "invoicing.identity.v2.CompleteProfileResponse",
            "invoicing.identity.v2.ImpersonateResponse",
            "invoicing.identity.v2.PasswordCode",
            "invoicing.identity.v2.CreateMachineUserResponse",
            "invoicing.identity.v2.MintPatResponse",
            "invoicing.identity.v2.CreateApplicationResponse",
            "invoicing.identity.v2.RotateApplicationSecretResponse",
            "invoicing.authorities.v2.AuthorityCredentials",
        ]);
    tonic_prost_build::configure()
        .client_mod_attribute(".", "#[cfg(feature = \"grpc\")]")
        .server_mod_attribute(".", "#[cfg(feature = \"grpc\")]")
        // Counts the values of a request before it decodes it.
        .codec_path("crate::grpc_codec::CountingCodec")
        .compile_fds_with_config(files, prost)?;
    // These JSON readers are for clients: a newer service may send fields that an older client does not know.
    pbjson_build::Builder::new()
        .register_descriptors(&encoded)?
        .ignore_unknown_fields()
        .build(&[".invoicing", ".google.rpc"])?;

    let pool = DescriptorPool::decode(encoded.as_slice())?;
    fs::write(out.join("operations.rs"), operations::generate(&pool)?)?;
    fs::write(out.join("handlers.rs"), handlers::generate(&pool)?)?;
    let requests = requests::Requests::of(&pool)?;
    fs::write(
        out.join("request_limits.rs"),
        request_limits::generate(&requests)?,
    )?;
    fs::write(
        out.join("request_values.rs"),
        request_values::generate(&pool, &requests)?,
    )?;
    fs::write(
        out.join("output_fields.rs"),
        output_fields::generate(&pool)?,
    )?;
    Ok(())
}
