//! The peer: pgbench on the same server.

use std::io::Write as _;
use std::process::{Command, Stdio};

use invoicing_test_postgres::Database;

use crate::Scale;

const INSERT: &str = "\\set id random(1, 9000000000000000000)
INSERT INTO peer (id, hash, at) VALUES (:id, sha256(int8send(:id)), :id) ON CONFLICT DO NOTHING;
";
const SELECT: &str = "\\set id random(1, 100000)
SELECT hash, at FROM peer_rows WHERE id = :id;
";
const TABLES: &str =
    "SET client_min_messages = warning;
CREATE TABLE IF NOT EXISTS peer (id bigint PRIMARY KEY, hash bytea NOT NULL, at bigint NOT NULL);
CREATE TABLE IF NOT EXISTS peer_rows (id bigint PRIMARY KEY, hash bytea NOT NULL, at bigint NOT NULL);
INSERT INTO peer_rows SELECT id, sha256(int8send(id)), id FROM generate_series(1, 100000) id ON CONFLICT DO NOTHING;
VACUUM ANALYZE peer_rows;
";

/// One-row inserts of `clients`, per second.
pub(crate) fn inserts(database: &Database, scale: &Scale, clients: usize) -> u64 {
    fill(database);
    run(database, scale, INSERT, clients)
}

/// Selects by primary key, per second.
pub(crate) fn selects(database: &Database, scale: &Scale) -> u64 {
    fill(database);
    run(database, scale, SELECT, crate::CALLERS)
}

/// Makes the tables, unless they are there.
fn fill(database: &Database) {
    let mut psql = Command::new("psql");
    let psql = psql.args(["--quiet", "--no-psqlrc", database.owner_url()]);
    let mut psql = psql.stdin(Stdio::piped()).spawn().expect("psql starts");
    let mut input = psql.stdin.take().expect("its input is piped");
    input.write_all(TABLES.as_bytes()).expect("psql reads");
    drop(input);
    assert!(psql.wait().expect("psql ends").success(), "psql fails");
}

fn run(database: &Database, scale: &Scale, script: &str, clients: usize) -> u64 {
    let mut file = tempfile::NamedTempFile::new().expect("a file is created");
    file.write_all(script.as_bytes())
        .expect("the script is written");
    // pgbench knows no shorter time than a second.
    let (limit, value) = match scale.duration.as_secs() {
        0 => ("--transactions", 10),
        seconds => ("--time", seconds),
    };
    let value = value.to_string();
    let output = Command::new("pgbench")
        .args(["--no-vacuum", "--protocol", "prepared", limit, &value])
        .args(["--client", &clients.to_string(), "--jobs", "1"])
        .arg("--file")
        .arg(file.path())
        .arg(database.owner_url())
        .output()
        .expect("pgbench starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let rate = printed
        .lines()
        .find_map(|line| line.strip_prefix("tps = "))
        .and_then(|rate| rate.split('.').next()?.parse().ok());
    rate.unwrap_or_else(|| {
        panic!(
            "pgbench: {printed}\n{}",
            String::from_utf8_lossy(&output.stderr)
        )
    })
}
