//! The servers of deploy/compose.yaml, made and started by the files of deploy/ without containers: folders take the place of volumes,
//! and ports of this machine that of addresses.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Server;
use crate::compose::ComposeService;

/// The files that the containers mount, by their paths beside the compose file.
const FILES: [(&str, &str); 4] = [
    (
        "./postgres/postgresql.conf",
        include_str!("../../../deploy/postgres/postgresql.conf"),
    ),
    (
        "./postgres/pg_hba.conf",
        include_str!("../../../deploy/postgres/pg_hba.conf"),
    ),
    (
        "./postgres/start.sh",
        include_str!("../../../deploy/postgres/start.sh"),
    ),
    (
        "./postgres/roles.sh",
        include_str!("../../../deploy/postgres/roles.sh"),
    ),
];
const CREATE_SECRETS: &str = include_str!("../../../deploy/create-trial-secrets.sh");
/// Where the image looks for scripts that a new database is prepared with.
const PREPARATION: &str = "/docker-entrypoint-initdb.d/";

/// What docker-entrypoint.sh of the image does: makes a database that is not there with a server that only the machine reaches, and starts
/// the server of its arguments.
const ENTRYPOINT: &str = r#"#!/bin/sh
set -eu
shift
start() {
    pg_ctl start --pgdata="$PGDATA" --wait --timeout=60 --silent --log="$HOME/log" --options="$*" > /dev/null
}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    printf '%s\n' "$POSTGRES_PASSWORD" > "$HOME/password"
    initdb --no-sync --encoding=UTF8 --locale=C --username=postgres --pwfile="$HOME/password" --pgdata="$PGDATA" > /dev/null
    start "$@" -c listen_addresses=
    createdb --username=postgres "$POSTGRES_DB"
    for script in $PREPARATION; do sh "$script"; done
    pg_ctl stop --pgdata="$PGDATA" --wait --mode=fast --silent
fi
start "$@"
"#;
/// In place of chown: the files belong to the user of the server.
const CHOWN: &str = "#!/bin/sh\n";

/// The primary and the standby of deploy/compose.yaml. Both end with the value.
#[derive(Debug)]
pub struct Deployment {
    // Ends first: promoted, it archives into the folder of the primary.
    standby: Server,
    primary: Server,
}

impl Deployment {
    /// Makes secrets for these names of hosts, and starts both servers.
    #[must_use]
    pub fn start(identity_host: &str, gateway_host: &str) -> Self {
        let primary = Server::in_new_folder();
        let shared = primary.folder().to_owned();
        let script = shared.join("create-trial-secrets.sh");
        write(&primary, &script, CREATE_SECRETS);
        primary.run_script(
            r#"mkdir "$ARCHIVE" && sh "$SCRIPT""#,
            &[
                ("SCRIPT", &text(&script)),
                ("ARCHIVE", &text(&shared.join("wal-archive"))),
                ("HOME", &text(&shared)),
                ("IDENTITY_HOST", identity_host),
                ("GATEWAY_HOST", gateway_host),
            ],
        );
        let source = Source {
            shared: &shared,
            port: primary.port(),
        };
        let compose = ComposeService::new("postgres-primary");
        start_server(&primary, &compose, &compose.environment(), &source);
        let standby = Server::in_new_folder();
        let compose = ComposeService::new("postgres-standby");
        start_server(&standby, &compose, &compose.environment(), &source);
        Self { primary, standby }
    }

    /// The server that is the primary at first.
    #[must_use]
    pub const fn primary(&self) -> &Server {
        &self.primary
    }

    /// Its standby.
    #[must_use]
    pub const fn standby(&self) -> &Server {
        &self.standby
    }

    /// A new server in place of the first primary, which is gone: a standby of the one that was promoted, as docs/operations.md says.
    #[must_use]
    pub fn replace_primary(&self) -> Server {
        let slot = "SELECT pg_create_physical_replication_slot('standby')";
        Self::query(&self.standby, slot);
        let compose = ComposeService::new("postgres-primary");
        let mut environment = compose.environment();
        environment.extend(ComposeService::after_failover("postgres-primary").environment());
        let server = Server::in_new_folder();
        let source = Source {
            shared: self.primary.folder(),
            port: self.standby.port(),
        };
        start_server(&server, &compose, &environment, &source);
        server
    }

    /// What `statement` returns at `server`, as the superuser inside its container: in the database of the service.
    pub fn query(server: &Server, statement: &str) -> String {
        let script = r#"psql --no-psqlrc --tuples-only --no-align --quiet --set=ON_ERROR_STOP=1 \
            --username=postgres --dbname=invoicing --command="$STATEMENT""#;
        let folder = text(server.folder());
        let variables = [
            ("STATEMENT", statement),
            ("PGHOST", &folder),
            ("HOME", &folder),
        ];
        server.run_script(script, &variables).trim().to_owned()
    }

    /// The variables of a service as the compose file has them.
    #[must_use]
    pub fn environment(service: &str) -> BTreeMap<&'static str, &'static str> {
        ComposeService::new(service).environment()
    }

    /// The command of a service that runs our program.
    #[must_use]
    pub fn command(service: &str) -> &'static str {
        ComposeService::new(service).word("command")
    }

    /// The variables of a service that runs our program, with files and servers of this machine. `references` are the variables
    /// that the compose file refers to.
    #[must_use]
    pub fn variables(
        &self,
        service: &str,
        references: &[(&str, &str)],
    ) -> BTreeMap<String, String> {
        let compose = ComposeService::new(service);
        let shared = self.primary.folder();
        let file = shared.join(compose.word("env_file"));
        let file = fs::read_to_string(file).expect("the secrets were made");
        let of_file = file.lines().filter_map(|line| line.split_once('='));
        let all = compose.environment().into_iter().chain(of_file);
        all.map(|(name, value)| {
            let value = with_references(value, references);
            let value = with_places(&value, &self.primary, &compose, shared);
            (name.to_owned(), self.with_ports(&value))
        })
        .collect()
    }

    /// `value` with the ports of both servers, and their address beside their names, which only the network of the containers knows.
    fn with_ports(&self, value: &str) -> String {
        let hosts = "postgres-primary,postgres-standby/invoicing";
        let ports = format!(
            "postgres-primary:{},postgres-standby:{}/invoicing?hostaddr=127.0.0.1,127.0.0.1",
            self.primary.port(),
            self.standby.port()
        );
        value.replace(hosts, &ports)
    }
}

/// What a server is made from.
struct Source<'a> {
    /// The folder of the secrets and of the archive.
    shared: &'a Path,
    /// The port of the server that roles are created at, or that is copied.
    port: u16,
}

/// Starts `server` as a service of the compose file, with its `environment`.
fn start_server(
    server: &Server,
    compose: &ComposeService,
    environment: &BTreeMap<&str, &str>,
    source: &Source<'_>,
) {
    let here = |text: &str| with_places(text, server, compose, source.shared);
    let folder = text(server.folder());
    for (path, content) in FILES {
        let mut content = here(content);
        if path.ends_with("postgresql.conf") {
            content = format!(
                "{content}port = {}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{folder}'\nshared_buffers = 128MB\n",
                server.port()
            );
        }
        write(server, &place(server, source.shared, path), &content);
    }
    let programs = server.folder().join("programs");
    write(server, &programs.join("docker-entrypoint.sh"), ENTRYPOINT);
    write(server, &programs.join("chown"), CHOWN);
    let volumes = compose.volumes();
    let preparation = volumes
        .iter()
        .filter(|(_, target)| target.starts_with(PREPARATION));
    let preparation: Vec<_> = preparation.map(|(_, target)| here(target)).collect();
    let (preparation, start) = (preparation.join(" "), here(compose.word("entrypoint")));
    let (secrets, port) = (
        text(&source.shared.join("secrets")),
        source.port.to_string(),
    );
    let programs = text(&programs);
    let mut variables = vec![
        ("HOME", &*folder),
        ("PROGRAMS", &*programs),
        ("SECRETS", &*secrets),
        ("START", &*start),
        ("PREPARATION", &*preparation),
        // Of the socket, for the scripts that prepare the database.
        ("PGHOST", &*folder),
        ("PGPORT", &*port),
    ];
    if environment.contains_key("PRIMARY_HOST") {
        variables.push(("PGHOSTADDR", "127.0.0.1"));
    }
    variables.extend(environment.iter().map(|(name, value)| (*name, *value)));
    let script = r#"set -a; . "$SECRETS/postgres.env"; set +a; PATH="$PROGRAMS:$PATH" sh "$START""#;
    server.run_script(script, &variables);
}

/// Where the volume with this name, or the file with this path beside the compose file, is on this machine.
fn place(server: &Server, shared: &Path, source: &str) -> PathBuf {
    match source.strip_prefix("./") {
        Some(secret) if secret.starts_with("secrets/") => shared.join(secret),
        Some(file) => server.folder().join(file),
        None if source.ends_with("-data") => server.data(),
        None => shared.join(source),
    }
}

/// `content` with paths of this machine in place of those in the container.
fn with_places(content: &str, server: &Server, compose: &ComposeService, shared: &Path) -> String {
    let volumes = compose.volumes();
    volumes
        .iter()
        .fold(content.to_owned(), |content, (source, target)| {
            content.replace(target, &text(&place(server, shared, source)))
        })
}

/// `value` with those of `references` in place of `${NAME:?what it is}`.
fn with_references(value: &str, references: &[(&str, &str)]) -> String {
    let mut value = value.to_owned();
    for (name, referred) in references {
        if let Some((before, rest)) = value.split_once(&format!("${{{name}:?"))
            && let Some((_, after)) = rest.split_once('}')
        {
            value = format!("{before}{referred}{after}");
        }
    }
    value
}

/// Writes a file that the user of the server owns, may execute, and nobody else reads.
fn write(server: &Server, path: &Path, content: &str) {
    let script =
        r#"mkdir -p "$(dirname "$FILE")"; printf %s "$CONTENT" > "$FILE"; chmod 700 "$FILE""#;
    let file = text(path);
    server.run_script(script, &[("FILE", &file), ("CONTENT", content)]);
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
