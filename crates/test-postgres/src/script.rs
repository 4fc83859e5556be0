//! Shell scripts with the programs of PostgreSQL, as documents show them.

use crate::{Server, programs};

impl Server {
    /// Runs `script` to its end, as the user of the server and with its programs, address and folder in the variables that these
    /// programs read, and further `variables`. Returns what it prints.
    pub fn run_script(&self, script: &str, variables: &[(&str, &str)]) -> String {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = programs::command("/bin/sh");
        command
            .args(["-eu", "-c", script])
            .env("PATH", format!("{}:{path}", programs::folder().display()))
            .env("PGHOST", "127.0.0.1")
            .env("PGPORT", self.port().to_string())
            .env("PGUSER", "superuser")
            .env("PGDATA", self.data())
            .envs(variables.iter().copied());
        let output = command.output().expect("the shell starts");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{script}: {printed}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        printed
    }
}
