//! Output and exit codes of `invoice check|explain|convert|render`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::fixtures::cii_writer;
use crate::fixtures::documents::swedish;
use invoice::ubl;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_invoice"))
        .args(arguments)
        .output()
        .expect("the command starts")
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is text")
}

/// A temporary folder with a valid and an invalid invoice.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        let files = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        files.write("valid.xml", &ubl::write(&swedish()).expect("UBL"));
        let mut invalid = swedish();
        invalid.figures.totals.payable = "125.01".into();
        files.write("invalid.xml", &ubl::write(&invalid).expect("UBL"));
        files
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file can be written");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }
}

const TODAY: [&str; 2] = ["--today", "2026-11-21"];

#[test]
fn valid_invoice_exits_with_0_and_invalid_invoice_with_1() {
    let files = Files::new();
    let (valid, invalid) = (files.name("valid.xml"), files.name("invalid.xml"));
    let output = run(&["check", &valid, TODAY[0], TODAY[1]]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(text_of(&output.stdout), format!("{valid}: right\n"));
    let output = run(&["check", &valid, &invalid, TODAY[0], TODAY[1]]);
    assert_eq!(output.status.code(), Some(1), "the worst of all files");
    assert_eq!(
        text_of(&output.stdout),
        format!(
            "{valid}: right\n{invalid}: totals.payable: comes to 125.00, and not 125.01 (BR-CO-16)\n"
        )
    );
}

#[cfg(unix)]
#[test]
fn progress_is_shown_on_a_terminal_only() {
    let files = Files::new();
    let (valid, invalid) = (files.name("valid.xml"), files.name("invalid.xml"));
    let absent = files.name("absent.xml");
    let arguments = ["check", &absent, &valid, &invalid, TODAY[0], TODAY[1]];
    let piped = run(&arguments);
    let message = text_of(&piped.stderr);
    assert!(!message.contains(" of 3"), "no terminal: {message:?}");

    // `script` provides a terminal.
    let command = [env!("CARGO_BIN_EXE_invoice")];
    let words = command.iter().chain(&arguments);
    let words: Vec<_> = words.map(|word| format!("'{word}'")).collect();
    let terminal = Command::new("script")
        .args(["-qec", &words.join(" "), "/dev/null"])
        .output();
    let Ok(terminal) = terminal else {
        println!("SKIPPED: there is no script, which is part of util-linux");
        return;
    };
    let shown = text_of(&terminal.stdout);
    let at = |part: &str| {
        shown
            .find(part)
            .unwrap_or_else(|| panic!("{part}: {shown:?}"))
    };
    let first = at("\r\x1b[K1 of 3, 0 failed: absent.xml");
    let second = at("\r\x1b[K2 of 3, 1 failed: valid.xml");
    let third = at("\r\x1b[K3 of 3, 1 failed: invalid.xml");
    assert!(first < second && second < third, "{shown:?}");
    let last = shown[third..].find("BR-CO-16").expect("the last answer");
    let cleared = shown[third..]
        .find("invalid.xml\r\x1b[K")
        .expect("it is cleared");
    assert!(cleared < last, "progress is cleared before the result");
}

#[test]
fn json_output_has_one_line_for_each_file_including_errors() {
    let files = Files::new();
    let output = run(&[
        "check",
        "--json",
        TODAY[0],
        TODAY[1],
        &files.name("invalid.xml"),
        &files.name("absent.xml"),
        &files.name("valid.xml"),
    ]);
    assert_eq!(output.status.code(), Some(3), "a file is absent");
    let lines: Vec<serde_json::Value> = text_of(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["violations"][0]["rule"], "BR-CO-16");
    assert_eq!(lines[0]["violations"][0]["data"]["computed"], "125.00");
    assert!(lines[1]["error"]["message"].is_string());
    assert_eq!(lines[2]["right"], true);
    assert_eq!(lines[2]["totals"]["gross"], "125.00");
}

#[test]
fn malformed_file_exits_with_3_and_has_a_position() {
    let files = Files::new();
    files.write("broken.xml", "<Invoice");
    let output = run(&["check", "--json", &files.name("broken.xml")]);
    assert_eq!(output.status.code(), Some(3));
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(line["error"]["position"].is_u64(), "{line}");
}

#[test]
fn explain_prints_inputs_and_rule_of_a_total() {
    let files = Files::new();
    let output = run(&["explain", &files.name("valid.xml"), TODAY[0], TODAY[1]]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let expected = "taxBreakdown[0].tax (BT-117) = 25.00: 100 taxBreakdown[0].taxable × 25 % taxBreakdown[0].rate; 25 before rounding (BR-CO-17)";
    assert!(
        text_of(&output.stdout).contains(expected),
        "{}",
        text_of(&output.stdout)
    );
}

#[test]
fn converted_file_round_trips_and_leaves_no_partial_file() {
    let files = Files::new();
    let out = files.name("out");
    let output = run(&[
        "convert",
        &files.name("valid.xml"),
        &files.name("invalid.xml"),
        "--out",
        &out,
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let written = std::fs::read(Path::new(&out).join("valid.xml")).expect("it was written");
    let read = ubl::read(written.as_slice(), Default::default()).expect("UBL");
    assert_eq!(read.document, swedish());
    assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 2);
    let again = run(&["convert", &files.name("valid.xml"), "--out", &out]);
    assert_eq!(
        again.status.code(),
        Some(3),
        "an existing file is not replaced"
    );
}

#[test]
fn cross_industry_invoice_is_converted_to_ubl() {
    let files = Files::new();
    files.write("cii.xml", &cii_writer::to_cii(&swedish()));
    let output = run(&["convert", &files.name("cii.xml")]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let read = ubl::read(output.stdout.as_slice(), Default::default()).expect("UBL");
    assert_eq!(read.document, swedish());
}

#[test]
fn unmapped_elements_are_printed_to_standard_error() {
    let files = Files::new();
    let text = ubl::write(&swedish()).expect("UBL");
    let more = text.replace(
        "<cbc:ID>1</cbc:ID><cbc:IssueDate>",
        "<cbc:ID>1</cbc:ID><cbc:CopyIndicator>true</cbc:CopyIndicator><cbc:IssueDate>",
    );
    assert_ne!(text, more);
    files.write("more.xml", &more);
    let output = run(&["convert", &files.name("more.xml")]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(ubl::read(output.stdout.as_slice(), Default::default()).is_ok());
    let message = text_of(&output.stderr);
    assert!(
        message.contains("not read: Invoice/cbc:CopyIndicator"),
        "{message}"
    );
}

#[cfg(feature = "pdf")]
#[test]
fn render_writes_a_pdf_for_each_file() {
    let files = Files::new();
    let out = files.name("out");
    let (valid, invalid) = (files.name("valid.xml"), files.name("invalid.xml"));
    let output = run(&[
        "render",
        "--json",
        "--out",
        &out,
        "--language",
        "both",
        "--paper",
        "letter",
        &valid,
        &invalid,
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines: Vec<serde_json::Value> = text_of(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["pages"], 1);
    assert_eq!(lines[0]["missing"], "");
    let pdf = std::fs::read(Path::new(&out).join("valid.pdf")).expect("it was written");
    assert!(pdf.starts_with(b"%PDF-1.7"));
    let again = run(&["render", "--out", &out, &valid]);
    assert_eq!(
        again.status.code(),
        Some(3),
        "an existing file is not replaced"
    );
    let one = run(&["render", &valid]);
    assert!(one.stdout.starts_with(b"%PDF-1.7"));
}

#[cfg(feature = "pdf")]
#[test]
fn invalid_render_option_is_named_and_nothing_is_rendered() {
    let files = Files::new();
    let (valid, out) = (files.name("valid.xml"), files.name("out"));
    for (arguments, message) in [
        (&["render", "--paper", "a3"][..], "paper is a4 or letter"),
        (
            &["render", "--language", "fr"],
            "the language is en, ar or both",
        ),
        (&["render", "--digits", "roman"], "digits are latn or arab"),
        (&["render", "--paper"], "paper is a4 or letter"),
        (&["check", "--paper", "a4"], "--paper is for render only"),
        (
            &["convert", "--digits", "arab"],
            "--digits is for render only",
        ),
    ] {
        let more = ["--out", &out, &valid];
        let arguments: Vec<_> = arguments.iter().copied().chain(more).collect();
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let first = text_of(&output.stderr);
        let first = first.lines().next().unwrap_or_default();
        assert!(first.contains(message), "{arguments:?}: {first}");
        assert_eq!(text_of(&output.stdout), "", "{arguments:?}");
    }
    assert!(!Path::new(&out).exists());
}

#[cfg(not(feature = "pdf"))]
#[test]
fn render_without_the_pdf_feature_exits_with_2() {
    let output = run(&["render", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text_of(&output.stderr).starts_with("render is not built in"));
}

#[test]
fn invalid_arguments_exit_with_2_and_print_help() {
    for arguments in [
        &["burn", "x"][..],
        &["check"],
        &["check", "--what", "x"],
        &["convert", "a", "b"],
        &["convert", "--json", "a"],
        &["check", "--today", "yesterday", "x"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            text_of(&output.stderr).contains("invoice check FILE"),
            "{arguments:?}"
        );
    }
    assert_eq!(run(&["--help"]).status.code(), Some(0));
}
