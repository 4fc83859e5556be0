//! Tests of exit codes and of table output.

use crate::fixtures::program::{run_program, service_command};
use crate::fixtures::{HOME, NOURA, Service};

#[tokio::test]
async fn each_failure_has_its_exit_code() {
    let service = Service::start().await;
    for (arguments, code, expected) in [
        (&["admin", "users"][..], 2, "Usage"),
        (&["admin", "users", "disable", NOURA], 64, "--yes"),
        (
            &["admin", "grants", "add", NOURA, HOME, "No Role"],
            64,
            "role",
        ),
        (
            &[
                "admin",
                "applications",
                "register",
                "public",
                "--grant",
                "password",
            ],
            64,
            "password is not for a public application",
        ),
        (&["admin", "users", "show", "nobody"], 66, "nobody"),
        (&["admin", "tenants", "limits", "1"], 66, "tenant"),
        (
            &[
                "admin",
                "users",
                "create",
                "--username",
                NOURA,
                "--name",
                "x",
                "--organization",
                HOME,
            ],
            73,
            NOURA,
        ),
        (
            &[
                "admin",
                "--yes",
                "applications",
                "rotate-secret",
                "invoice-desk",
            ],
            77,
            "public",
        ),
        (
            &[
                "admin",
                "--database",
                "sqlite:not-there.db",
                "tenants",
                "list",
            ],
            66,
            "not-there.db",
        ),
    ] {
        let output = run_program(&service, arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{arguments:?} printed something");
    }
    assert!(
        !std::path::Path::new("not-there.db").exists(),
        "a missing database is not created"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn output_without_json_option_is_a_table() {
    let service = Service::start().await;
    let printed = |arguments: &[&str]| {
        let output = service_command(&service, arguments)
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let users = printed(&["admin", "users", "list"]);
    for part in ["username", NOURA, "Noura Al-Harbi", HOME] {
        assert!(users.contains(part), "{part}: {users}");
    }
    let application = printed(&["admin", "applications", "show", "web"]);
    assert!(application.contains("client id"), "{application}");
    let audit = printed(&["admin", "audit", "--kind", "role_granted"]);
    assert!(audit.contains("role=accountant"), "{audit}");
    service.running.shutdown().await;
}
