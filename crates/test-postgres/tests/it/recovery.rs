//! The commands of docs/operations.md for backup and recovery, run as they are written there, with the archive command of
//! deploy/postgres.

use std::path::Path;
use std::process::Command;

use invoicing_test_postgres::Server;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The commands of the block that follows `<!-- tested: name -->`.
fn commands(document: &str, name: &str) -> String {
    let (_, rest) = document
        .split_once(&format!("<!-- tested: {name} -->\n```sh\n"))
        .unwrap_or_else(|| panic!("there is no block {name}"));
    let (commands, _) = rest.split_once("```").expect("the block ends");
    commands.to_owned()
}

/// The value of `archive_command` with `archive` in place of the folder of the container.
fn archive_command(archive: &str) -> String {
    let settings = read("deploy/postgres/postgresql.conf");
    let line = settings
        .lines()
        .find_map(|line| line.strip_prefix("archive_command = '"));
    line.expect("there is an archive command")
        .trim_end_matches('\'')
        .replace("/var/lib/postgresql/archive", archive)
}

#[test]
fn documented_commands_restore_a_database_to_a_point_in_time() {
    let document = read("docs/operations.md");
    let server = Server::start(&[]);
    let path = |name: &str| server.folder().join(name).display().to_string();
    let (backups, archive) = (path("backups"), path("archive"));
    let folders = [("BACKUPS", &*backups), ("ARCHIVE", &*archive)];
    let sql = |statements: &str| {
        let script = r#"psql --tuples-only --no-align --quiet --set=ON_ERROR_STOP=1 --command="$SQL" postgres"#;
        server.run_script(script, &[("SQL", statements)])
    };
    let run = |name: &str, target: &str| {
        let variables = [folders[0], folders[1], ("TARGET_TIME", target)];
        server.run_script(&commands(&document, name), &variables)
    };

    server.run_script(r#"mkdir "$BACKUPS" "$ARCHIVE""#, &folders);
    for (name, value) in [
        // Settings that the fixture gives on the command line: here the server has them in its files.
        ("port", &*server.port().to_string()),
        ("listen_addresses", "127.0.0.1"),
        (
            "unix_socket_directories",
            &server.folder().display().to_string(),
        ),
        ("max_connections", "500"),
        ("max_locks_per_transaction", "512"),
        ("archive_mode", "on"),
        ("archive_command", &archive_command(&archive)),
    ] {
        sql(&format!("ALTER SYSTEM SET {name} = '{value}'"));
    }
    server.run_script(
        r#"pg_ctl restart --pgdata="$PGDATA" --wait --silent --log="$PGDATA/log" > /dev/null"#,
        &[],
    );

    sql("CREATE TABLE invoices (number integer PRIMARY KEY); INSERT INTO invoices VALUES (1)");
    // A file from before the backup is finished, and nothing needs it.
    sql("SELECT pg_switch_wal()");
    run("base-backup", "");
    sql("INSERT INTO invoices VALUES (2)");
    let target = sql("SELECT clock_timestamp()");
    sql("INSERT INTO invoices VALUES (3); DELETE FROM invoices WHERE number = 2");
    run("stop", "");
    let archived = || {
        let script = r#"ls "$ARCHIVE" | grep -E '^[0-9A-F]{24}\.gz$' | sort"#;
        let names = server.run_script(script, &folders);
        names.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let before = archived();
    run("archive-cleanup", "");
    let after = archived();
    let needed = server.run_script(
        r#"sed -n 's/^START WAL LOCATION: .* (file \(.*\))$/\1.gz/p' "$BACKUPS/base/backup_label""#,
        &folders,
    );
    assert_eq!(after.first().map(String::as_str), Some(needed.trim()));
    assert!(before.len() > after.len(), "{before:?} {after:?}");
    assert!(before.ends_with(&after), "{before:?} {after:?}");
    run("restore", target.trim());
    assert_eq!(sql("SELECT number FROM invoices ORDER BY number"), "1\n2\n");
    run("end-of-recovery", "");
    sql("INSERT INTO invoices VALUES (4)");
    assert_eq!(
        sql("SELECT number FROM invoices ORDER BY number"),
        "1\n2\n4\n"
    );
}

#[test]
fn file_that_is_archived_again_after_a_crash_succeeds_and_another_one_replaces_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let archive = folder.path().join("archive");
    std::fs::create_dir(&archive).expect("a folder is created");
    let command = archive_command(archive.to_str().expect("the path is a text"));
    let command = command
        .replace("%p", "wal")
        .replace("%f", "000000010000000000000001");
    let archived = |content: &str| {
        std::fs::write(folder.path().join("wal"), content).expect("a file is written");
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &command]).current_dir(folder.path());
        let status = shell.status().expect("there is a shell");
        let files = std::fs::read_dir(&archive).expect("the archive is read");
        let contents = files.map(|file| {
            let file = file.expect("a file of the archive").path();
            let mut unpack = Command::new("gzip");
            let unpacked = unpack.arg("-dc").arg(file).output();
            let unpacked = unpacked.expect("there is gzip").stdout;
            String::from_utf8(unpacked).expect("it is a text")
        });
        (status.success(), contents.collect::<Vec<_>>())
    };

    // What a crash in the middle of copying leaves.
    std::fs::write(archive.join(".000000010000000000000001"), "fi").expect("a file is written");
    let first = vec!["first".to_owned()];
    assert_eq!(archived("first"), (true, first.clone()));
    // The server repeats the command when it stopped before it noted the success.
    assert_eq!(archived("first"), (true, first.clone()));
    assert_eq!(archived("second"), (false, first));
}
