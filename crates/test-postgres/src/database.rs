//! Databases: copied from a template that is prepared once.

use tokio_postgres::{Client, NoTls, SimpleQueryMessage};
use uuid::Uuid;

use crate::Server;

/// The roles of every server: one that owns the tables, and one that the service connects with.
const CREATE_ROLES: &str = "
    CREATE ROLE owner LOGIN CREATEDB CREATEROLE REPLICATION;
    CREATE ROLE invoicing_application NOLOGIN;
    CREATE ROLE application LOGIN;
    GRANT invoicing_application TO application";

/// A database of its own, which is dropped with this value.
#[derive(Debug)]
pub struct Database {
    name: String,
    port: u16,
    owner_url: String,
    application_url: String,
}

impl Server {
    /// A copy of the template with the name `template`. The first caller has `prepare` fill it, with its address as the owner.
    pub async fn database(&self, template: &str, prepare: impl AsyncFnOnce(&str)) -> Database {
        let administrator = self.administrator().await;
        self.prepare_template(&administrator, template, prepare)
            .await;
        #[expect(
            clippy::disallowed_methods,
            reason = "processes that know nothing of each other choose names"
        )]
        let name = format!("test_{}", Uuid::new_v4().simple());
        let create =
            format!("CREATE DATABASE {name} TEMPLATE {template} OWNER owner STRATEGY wal_log");
        administrator
            .batch_execute(&create)
            .await
            .expect("the template is copied");
        Database {
            port: self.port(),
            owner_url: self.owner_url(&name),
            application_url: self.application_url(&name),
            name,
        }
    }

    /// A connection as superuser to the database of the server itself.
    pub async fn administrator(&self) -> Client {
        connect(&administrator_url(self.port())).await
    }

    /// A connection to `database` as the role that owns its tables.
    pub async fn connect_as_owner(&self, database: &Database) -> Client {
        connect(&database.owner_url).await
    }

    /// A connection to `database` as superuser, whom row-level security does not apply to.
    pub async fn connect_as_superuser(&self, database: &Database) -> Client {
        let name = database.name();
        connect(&format!(
            "postgres://superuser@127.0.0.1:{}/{name}",
            self.port()
        ))
        .await
    }

    async fn prepare_template(
        &self,
        administrator: &Client,
        template: &str,
        prepare: impl AsyncFnOnce(&str),
    ) {
        if is_prepared(administrator, template).await {
            return;
        }
        let transaction_lock = "SELECT pg_advisory_lock(1)";
        administrator
            .batch_execute(transaction_lock)
            .await
            .expect("the server answers");
        if !is_prepared(administrator, template).await {
            let roles = "SELECT 1 FROM pg_roles WHERE rolname = 'owner'";
            let roles = administrator.query_opt(roles, &[]).await;
            if roles.expect("the server answers").is_none() {
                administrator
                    .batch_execute(CREATE_ROLES)
                    .await
                    .expect("roles are created");
            }
            for statement in [
                // Of a caller that ended in between.
                format!("DROP DATABASE IF EXISTS {template}"),
                format!("CREATE DATABASE {template} OWNER owner"),
            ] {
                administrator
                    .batch_execute(&statement)
                    .await
                    .expect("the template is created");
            }
            prepare(&self.owner_url(template)).await;
            let mark = format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{template}';
                 ALTER DATABASE {template} IS_TEMPLATE true ALLOW_CONNECTIONS false"
            );
            administrator
                .batch_execute(&mark)
                .await
                .expect("the template is marked");
        }
        let unlock = "SELECT pg_advisory_unlock(1)";
        administrator
            .batch_execute(unlock)
            .await
            .expect("the server answers");
    }
}

impl Database {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Keeps the database for as long as its server lives. Its name.
    #[must_use]
    pub fn leak(self) -> String {
        let name = self.name.clone();
        std::mem::forget(self);
        name
    }

    /// Its address, as the role that owns the tables.
    #[must_use]
    pub fn owner_url(&self) -> &str {
        &self.owner_url
    }

    /// Its address, as the role of the application.
    #[must_use]
    pub fn application_url(&self) -> &str {
        &self.application_url
    }
}

impl Drop for Database {
    /// On a thread with a runtime of its own: this one may be inside a runtime.
    fn drop(&mut self) {
        let (name, port) = (self.name.clone(), self.port);
        let drop = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.expect("a runtime").block_on(async {
                let administrator = connect(&administrator_url(port)).await;
                let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                // A test may have stopped the server.
                let _ = administrator.batch_execute(&drop).await;
            });
        });
        let _ = drop.join();
    }
}

/// Whether a template is complete. One request: each test asks for it.
async fn is_prepared(administrator: &Client, template: &str) -> bool {
    let select =
        format!("SELECT 1 FROM pg_database WHERE datname = '{template}' AND datistemplate");
    let found = administrator.simple_query(&select).await;
    let found = found.expect("the server answers");
    found
        .iter()
        .any(|message| matches!(message, SimpleQueryMessage::Row(_)))
}

fn administrator_url(port: u16) -> String {
    format!("postgres://superuser@127.0.0.1:{port}/postgres")
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls)
        .await
        .expect("the server answers");
    tokio::spawn(async move {
        // The client sees the end of the connection.
        let _ = connection.await;
    });
    client
}
