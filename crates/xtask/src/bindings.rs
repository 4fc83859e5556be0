//! Writes the TypeScript bindings: by the very test that checks them.

use crate::steps::{Failed, program, step};

/// Writes ui/src/ipc/bindings.ts.
pub(crate) fn write() -> Result<(), Failed> {
    step(
        "write the bindings",
        program(
            "cargo",
            &[
                "test",
                "--quiet",
                "--package",
                "invoice-desk",
                "--lib",
                "bindings",
            ],
        )
        .env("UPDATE_BINDINGS", "1"),
    )
}
