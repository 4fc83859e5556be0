//! Answers of tax authorities, with and without remarks, for the tests of migrations.

/// Submissions of before authorities' remarks were stored beside their states: number, state, HTTP status and body of the answer.
pub const ANSWERS: [(&str, i32, i32, &str); 7] = [
    ("status 202", 3, 202, r#"{"status":"cleared"}"#),
    (
        "remarks",
        4,
        200,
        r#"{"status":"reported","warnings":["a","b"]}"#,
    ),
    (
        "no remarks",
        5,
        200,
        r#"{"status":"accepted","warnings":[]}"#,
    ),
    (
        "messages",
        3,
        200,
        r#"{"status":"cleared","messages":["a"]}"#,
    ),
    (
        "rejected",
        6,
        202,
        r#"{"status":"rejected","warnings":["a"]}"#,
    ),
    ("unknown", 2, 202, "no JSON"),
    ("empty", 3, 208, "{}"),
];
/// Those of [`ANSWERS`] that came with remarks, in the order of their names.
pub const WITH_REMARKS: [&str; 2] = ["remarks", "status 202"];
