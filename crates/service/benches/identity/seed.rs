//! The database of the benchmark: users, applications, and a million valid tokens whose values the load generator can derive.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use invoicing_contract::{AudienceId, Names, Timestamp};
use invoicing_service::{Clock as _, EnvironmentKind, SystemClock};
use invoicing_storage::DirectoryStore as _;
use invoicing_storage::secret::{Bucket, TokenHash};
use invoicing_storage_sqlite::Sqlite;
use rusqlite::types::{ToSql, ToSqlOutput, Value};
use rusqlite::{Connection, params, params_from_iter};
use sha2::{Digest as _, Sha256};

use crate::load::Problem;

/// Human users.
pub(crate) const USERS: usize = 20_000;
/// Valid access tokens.
pub(crate) const TOKENS: usize = 1_000_000;
/// Machine users, each with its application.
pub(crate) const MACHINES: usize = 1_000;
/// Organizations; each user has a role in two.
pub(crate) const ORGANIZATIONS: usize = 500;
/// Unused authorization codes per signing algorithm.
pub(crate) const CODES: usize = 500_000;
/// Access tokens per token family.
const TOKENS_PER_FAMILY: usize = 5;

/// The client secret of every application.
pub(crate) const CLIENT_SECRET: &str = "a-client-secret-of-the-bench-0123456789-abcdefg";
/// The client id of the API client, which introspects.
pub(crate) const API: &str = "bench-api";
/// The client id of the web client, which exchanges codes and refreshes; its id_tokens are signed with Ed25519.
pub(crate) const WEB: &str = "bench-web";
/// The same with RS256.
pub(crate) const WEB_RSA: &str = "bench-web-rsa";
/// The redirect URI of every code.
pub(crate) const CALLBACK: &str = "https://bench.example/callback";
/// The PKCE verifier of every code.
pub(crate) const VERIFIER: &str = "a-verifier-of-the-bench-that-is-long-enough-0123456789";

/// Milliseconds between the issue times of two secrets of a kind.
const ISSUE_INTERVAL_MS: usize = 10;

/// The secrets and families of the seed: their numbers are as those that the service makes (decision 0034), so that both engines
/// take them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbering {
    /// The issue time of the first secret of each kind, in milliseconds since 1970.
    first_issued_ms: usize,
}

impl Numbering {
    /// The numbering whose last access token is issued at `now`.
    pub(crate) fn until(now: Timestamp) -> Result<Self, Problem> {
        Ok(Self {
            first_issued_ms: usize::try_from(now.as_millis())? - TOKENS * ISSUE_INTERVAL_MS,
        })
    }

    /// The secret with index `number` of a kind, with an issue time and the bucket of its family.
    pub(crate) fn secret(self, kind: &str, number: usize) -> String {
        let mut bytes: [u8; 32] = Sha256::digest(format!("{kind} {number}")).into();
        let family = match kind {
            "access" => self.family("token", number / TOKENS_PER_FAMILY),
            kind => self.family(kind, number),
        };
        let time = (self.first_issued_ms + number * ISSUE_INTERVAL_MS) << 22;
        let bucket = usize::from(Bucket::of(family).number().unsigned_abs()) << 1;
        let [.., high, low] = (time | bucket).to_be_bytes();
        // 11 random bits, the bucket, and one random bit.
        bytes[..5].copy_from_slice(&time.to_be_bytes()[..5]);
        bytes[5] = time.to_be_bytes()[5] | bytes[5] >> 2;
        bytes[6] = (bytes[6] & !0b111) | high;
        bytes[7] = (bytes[7] & 1) | low;
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The id of a family.
    fn family(self, kind: &str, number: usize) -> i64 {
        let kinds = ["token", "refresh", WEB, WEB_RSA];
        let kind = kinds.iter().position(|known| *known == kind).unwrap_or(0);
        let number = (self.first_issued_ms << 21) + kind * TOKENS + number;
        i64::try_from(number).expect("it has 62 bits")
    }
}

/// The client id and subject id of a machine user.
pub(crate) fn machine(number: usize) -> String {
    format!("bench-machine-{number}")
}

/// The scope of every token.
pub(crate) fn scope() -> String {
    let names = Names::default();
    format!(
        "openid profile email offline_access {} {}",
        names.audience_scope(AudienceId::LOCAL),
        names.home_organization_scope()
    )
}

/// Creates the database, with `refreshes` unused refresh tokens.
pub(crate) async fn create(
    path: &Path,
    numbering: Numbering,
    refreshes: usize,
) -> Result<(), Problem> {
    let url = format!("sqlite:{}", path.display());
    let store = Sqlite::open(&url).await?;
    store
        .setting_or("kind", EnvironmentKind::Local.name())
        .await?;
    store.close().await;

    let mut database = Connection::open(path)?;
    database.pragma_update(None, "foreign_keys", false)?;
    database.pragma_update(None, "synchronous", "off")?;
    database.pragma_update(None, "cache_size", -400_000)?;
    let transaction = database.transaction()?;
    people(&transaction)?;
    applications(&transaction)?;
    let now = SystemClock.timestamp().as_millis();
    let families = TOKENS / TOKENS_PER_FAMILY;
    let expires_at = now + 10 * 60 * 60 * 1000;
    for (kind, client, count) in [
        ("token", WEB, families),
        ("refresh", WEB, refreshes),
        (WEB, WEB, CODES),
        (WEB_RSA, WEB_RSA, CODES),
    ] {
        let id = |number| numbering.family(kind, number);
        family_rows(&transaction, id, client, count, expires_at)?;
    }
    token_rows(&transaction, numbering, now, expires_at)?;
    refresh_rows(&transaction, numbering, refreshes, expires_at)?;
    for client in [WEB, WEB_RSA] {
        code_rows(&transaction, numbering, client, expires_at)?;
    }
    transaction.commit()?;
    database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))?;
    database.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// Lets the codes expire as if they had been issued just now: the service refuses codes with a longer life (decision 0088).
pub(crate) fn renew_codes(path: &Path) -> Result<(), Problem> {
    let database = Connection::open(path)?;
    database.busy_timeout(std::time::Duration::from_secs(30))?;
    let expires_at = SystemClock.timestamp().as_millis() + 60_000;
    database.execute(
        "UPDATE authorization_codes SET expires_at = ?1",
        [expires_at],
    )?;
    database.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |_| Ok(()))?;
    Ok(())
}

fn applications(transaction: &Connection) -> Result<(), Problem> {
    rows(
        transaction,
        "INSERT INTO subjects (id, username, name, home_organization) ",
        MACHINES,
        |row, number| {
            row.push_bind(machine(number))
                .push_bind(machine(number))
                .push_bind(machine(number))
                .push_bind(organization(number % ORGANIZATIONS));
        },
    )?;
    let insert = "INSERT INTO applications (client_id, name, kind, secret_hash, subject, grant_types, redirect_uris,
        post_logout_uris, id_token_algorithm, revoke_family_on_reuse) ";
    let grants = "authorization_code refresh_token";
    let few = [
        (API, "api", "RS256"),
        (WEB, "confidential", "EdDSA"),
        (WEB_RSA, "confidential", "RS256"),
    ];
    rows(transaction, insert, few.len(), |row, number| {
        let (client_id, kind, algorithm) = few[number];
        row.push_bind(client_id)
            .push_bind(client_id)
            .push_bind(kind)
            .push_bind(client_secret_hash())
            .push_bind(None::<String>)
            .push_bind(grants)
            .push_bind(CALLBACK)
            .push_bind("")
            .push_bind(algorithm)
            .push_bind(false);
    })?;
    rows(transaction, insert, MACHINES, |row, number| {
        row.push_bind(machine(number))
            .push_bind(machine(number))
            .push_bind("machine")
            .push_bind(client_secret_hash())
            .push_bind(machine(number))
            .push_bind("client_credentials")
            .push_bind("")
            .push_bind("")
            .push_bind("RS256")
            .push_bind(false);
    })
}

fn client_secret_hash() -> Vec<u8> {
    TokenHash::of(CLIENT_SECRET).as_bytes().to_vec()
}

fn people(transaction: &Connection) -> Result<(), Problem> {
    rows(
        transaction,
        "INSERT INTO organizations (id, name, name_ar, domain) ",
        ORGANIZATIONS,
        |row, number| {
            row.push_bind(organization(number))
                .push_bind(format!("Organization {number}"))
                .push_bind(format!("منظمة {number}"))
                .push_bind(format!("organization-{number}.example"));
        },
    )?;
    rows(
        transaction,
        "INSERT INTO subjects (id, username, name, email, home_organization) ",
        USERS,
        |row, number| {
            row.push_bind(user(number))
                .push_bind(format!("user-{number}@bench.example"))
                .push_bind(format!("User {number}"))
                .push_bind(format!("user-{number}@bench.example"))
                .push_bind(organization(number % ORGANIZATIONS));
        },
    )?;
    rows(
        transaction,
        "INSERT INTO grants (subject, organization_id, role) ",
        2 * USERS,
        |row, number| {
            row.push_bind(user(number / 2))
                .push_bind(organization((number / 2 + number % 2) % ORGANIZATIONS))
                .push_bind("accountant");
        },
    )
}

fn family_rows(
    transaction: &Connection,
    id: impl Fn(usize) -> i64,
    client: &'static str,
    count: usize,
    expires_at: i64,
) -> Result<(), Problem> {
    let scope = scope();
    rows(
        transaction,
        "INSERT INTO families (id, client_id, subject, session_id, scope, epoch, authenticated_at, expires_at) ",
        count,
        |row, number| {
            row.push_bind(id(number))
                .push_bind(client)
                .push_bind(user(number % USERS))
                .push_bind("a session of the bench")
                .push_bind(scope.clone())
                .push_bind(0)
                .push_bind(expires_at)
                .push_bind(expires_at);
        },
    )
}

fn token_rows(
    transaction: &Connection,
    numbering: Numbering,
    now: i64,
    expires_at: i64,
) -> Result<(), Problem> {
    transaction.execute(
        "INSERT INTO token_authorizations (id, client_id, scope, audiences, carries_home) VALUES (1, ?1, ?2, ?3, TRUE)",
        params![WEB, scope(), AudienceId::LOCAL],
    )?;
    rows(
        transaction,
        "INSERT INTO access_tokens (lookup_key, hash, family, token_authorization, subject, epoch, issued_at, expires_at) ",
        TOKENS,
        |row, number| {
            let family_number = number / TOKENS_PER_FAMILY;
            let hash = TokenHash::of(&numbering.secret("access", number));
            row.push_bind(hash.lookup_key())
                .push_bind(hash.as_bytes().to_vec())
                .push_bind(numbering.family("token", family_number))
                .push_bind(1)
                .push_bind(user(family_number % USERS))
                .push_bind(0)
                .push_bind(now)
                .push_bind(expires_at);
        },
    )
}

fn refresh_rows(
    transaction: &Connection,
    numbering: Numbering,
    count: usize,
    expires_at: i64,
) -> Result<(), Problem> {
    rows(
        transaction,
        "INSERT INTO refresh_tokens (lookup_key, hash, family, expires_at) ",
        count,
        |row, number| {
            let hash = TokenHash::of(&numbering.secret("refresh", number));
            row.push_bind(hash.lookup_key())
                .push_bind(hash.as_bytes().to_vec())
                .push_bind(numbering.family("refresh", number))
                .push_bind(expires_at);
        },
    )
}

fn code_rows(
    transaction: &Connection,
    numbering: Numbering,
    client: &'static str,
    expires_at: i64,
) -> Result<(), Problem> {
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
    rows(
        transaction,
        "INSERT INTO authorization_codes (lookup_key, hash, family, redirect_uri, code_challenge, nonce, expires_at) ",
        CODES,
        |row, number| {
            let hash = TokenHash::of(&numbering.secret(client, number));
            row.push_bind(hash.lookup_key())
                .push_bind(hash.as_bytes().to_vec())
                .push_bind(numbering.family(client, number))
                .push_bind(CALLBACK)
                .push_bind(challenge.clone())
                .push_bind("a nonce of the bench")
                .push_bind(expires_at);
        },
    )
}

/// The values of one row.
#[derive(Default)]
struct RowValues(Vec<Value>);

impl RowValues {
    fn push_bind(&mut self, value: impl ToSql) -> &mut Self {
        let value = value
            .to_sql()
            .expect("a value of the seed has a form in SQL");
        self.0.push(match value {
            ToSqlOutput::Owned(value) => value,
            ToSqlOutput::Borrowed(value) => value.try_into().expect("texts are UTF-8"),
            other => unreachable!("no value of the seed is {other:?}"),
        });
        self
    }
}

/// Inserts `count` rows.
fn rows(
    transaction: &Connection,
    insert: &'static str,
    count: usize,
    row: impl Fn(&mut RowValues, usize),
) -> Result<(), Problem> {
    let columns = insert.matches(',').count() + 1;
    let places = vec!["?"; columns].join(", ");
    let mut statement = transaction.prepare(&format!("{insert}VALUES ({places})"))?;
    for number in 0..count {
        let mut values = RowValues::default();
        row(&mut values, number);
        statement.execute(params_from_iter(values.0))?;
    }
    Ok(())
}

fn organization(number: usize) -> String {
    format!("{}", 700_000_000 + number)
}

fn user(number: usize) -> String {
    format!("{}", 800_000_000 + number)
}
