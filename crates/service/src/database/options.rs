//! The address of a database and the options of its connections.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::DatabaseError;
use crate::audit_archive::AuditArchiveFolder;

/// Where a database is: `sqlite:PATH`, or `postgres://USER:PASSWORD@HOST:PORT[,HOST:PORT…]/NAME`. Displayed and logged without
/// user and password.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl<T: Into<String>> From<T> for DatabaseUrl {
    fn from(url: T) -> Self {
        Self(url.into())
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match DatabaseOptions::from(self.clone()).engine() {
            Ok(EngineOptions::Sqlite(url)) => formatter.write_str(path(url)),
            #[cfg(feature = "postgres")]
            Ok(EngineOptions::Postgres(options)) => formatter.write_str(&options.display_name()),
            // It may hold a password, wherever that is.
            Err(_) => formatter.write_str("(no address of a database)"),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DatabaseUrl({self})")
    }
}

/// A database and how it is connected to. The options after the address are for PostgreSQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseOptions {
    /// Where it is.
    pub url: DatabaseUrl,
    /// PEM file with certificate authorities beside those of the system.
    pub ca_file: Option<PathBuf>,
    /// Most connections of this process; `None` for the default of the engine.
    pub connections: Option<usize>,
    /// How long the server works on a statement before it gives up; `None` for the default of the engine.
    pub statement_timeout: Option<Duration>,
}

impl<T: Into<DatabaseUrl>> From<T> for DatabaseOptions {
    fn from(url: T) -> Self {
        Self {
            url: url.into(),
            ca_file: None,
            connections: None,
            statement_timeout: None,
        }
    }
}

/// The engine that an address names, with what it needs to open the database.
pub(super) enum EngineOptions<'a> {
    /// The address.
    Sqlite(&'a str),
    #[cfg(feature = "postgres")]
    Postgres(Box<invoicing_storage_postgres::Options>),
}

impl DatabaseOptions {
    /// The engine of the address.
    pub(super) fn engine(&self) -> Result<EngineOptions<'_>, DatabaseError> {
        let url = self.url.0.as_str();
        if url.starts_with("sqlite:") {
            return Ok(EngineOptions::Sqlite(url));
        }
        #[cfg(feature = "postgres")]
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let mut options = invoicing_storage_postgres::Options::from_url(url)?;
            options.ca_file.clone_from(&self.ca_file);
            options.connections = self.connections.unwrap_or(options.connections);
            options.statement_timeout = self.statement_timeout.unwrap_or(options.statement_timeout);
            return Ok(EngineOptions::Postgres(Box::new(options)));
        }
        Err(DatabaseError::UnsupportedUrl)
    }

    /// The folder of the audit's archives: the one that is named, or that beside a database that is a file; `None` for others.
    #[must_use]
    pub fn audit_archive_folder(&self, named: Option<&Path>) -> Option<AuditArchiveFolder> {
        let folder = named.map(Path::to_path_buf);
        let folder = folder.or_else(|| self.beside("audit"));
        folder.map(AuditArchiveFolder::new)
    }

    /// The file with encryption keys beside a database that is a file; `None` for others.
    #[must_use]
    pub fn key_file(&self) -> Option<PathBuf> {
        self.beside("keys")
    }

    /// What is beside a database that is a file, under the name of that with a suffix.
    fn beside(&self, suffix: &str) -> Option<PathBuf> {
        match self.engine() {
            Ok(EngineOptions::Sqlite(url)) => {
                Some(PathBuf::from(format!("{}-{suffix}", path(url))))
            }
            #[cfg(feature = "postgres")]
            Ok(EngineOptions::Postgres(_)) => None,
            Err(_) => None,
        }
    }
}

/// The path in `sqlite:PATH`.
fn path(url: &str) -> &str {
    let path = url.strip_prefix("sqlite:").unwrap_or(url);
    path.strip_prefix("//").unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_is_displayed_without_user_and_password() {
        for (url, name) in [
            ("sqlite:/var/lib/invoicing.db", "/var/lib/invoicing.db"),
            ("sqlite:///var/lib/a@b.db", "/var/lib/a@b.db"),
            ("invoicing.db", "(no address of a database)"),
            ("mysql://app:geheim@db/x", "(no address of a database)"),
            ("host=db password=geheim", "(no address of a database)"),
        ] {
            assert_eq!(DatabaseUrl::from(url).to_string(), name);
        }
    }

    #[cfg(feature = "postgres")]
    #[test]
    fn password_of_postgresql_is_neither_displayed_nor_in_an_error() {
        for url in [
            "postgres://app:geheim@db.example:5432/invoicing",
            "postgresql://app:geheim@db.example:5432/invoicing",
            "postgres://db.example:5432/invoicing?user=app&password=geheim",
        ] {
            let options = DatabaseOptions::from(url);
            assert_eq!(
                options.url.to_string(),
                "postgres://db.example:5432/invoicing"
            );
            assert!(!format!("{options:?}").contains("geheim"), "{options:?}");
        }
        for url in [
            "postgres://app:geheim@db.example:port/invoicing",
            "postgres://app:geheim@db.example/invoicing?other=geheim",
        ] {
            let options = DatabaseOptions::from(url);
            let Err(error) = options.engine() else {
                panic!("{url} was read")
            };
            assert!(!error.to_string().contains("geheim"), "{error}");
            assert!(!format!("{error:?}").contains("geheim"), "{error:?}");
            assert!(!format!("{options:?}").contains("geheim"), "{options:?}");
        }
    }

    #[cfg(feature = "postgres")]
    #[test]
    fn options_of_the_command_line_replace_the_defaults_of_the_engine() {
        let options = DatabaseOptions {
            connections: Some(3),
            statement_timeout: Some(Duration::from_secs(4)),
            ..DatabaseOptions::from("postgres://db.example/invoicing")
        };
        let Ok(EngineOptions::Postgres(options)) = options.engine() else {
            panic!("an address of PostgreSQL")
        };
        assert_eq!(options.connections, 3);
        assert_eq!(options.statement_timeout, Duration::from_secs(4));
    }
}
