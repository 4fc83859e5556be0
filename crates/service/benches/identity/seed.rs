//! The database of the benchmark: users, applications, and a million valid tokens whose values the load generator can derive.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use invoicing_contract::Names;
use invoicing_service::{Clock as _, EnvironmentKind, SystemClock};
use invoicing_storage::DirectoryStore as _;
use invoicing_storage::secret::TokenHash;
use invoicing_storage_sqlite::Sqlite;
use sha2::{Digest as _, Sha256};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, QueryBuilder, Sqlite as Database, SqliteConnection};

use crate::Problem;

/// Human users.
pub(crate) const USERS: usize = 20_000;
/// Valid access tokens.
pub(crate) const TOKENS: usize = 1_000_000;
/// Machine users, each with its application.
pub(crate) const MACHINES: usize = 1_000;
/// Organizations; each user has a role in two.
pub(crate) const ORGANIZATIONS: usize = 500;
/// Unused authorization codes per signing algorithm.
pub(crate) const CODES: usize = 150_000;
/// Access tokens per token family.
const TOKENS_PER_FAMILY: usize = 5;
/// Rows per INSERT statement.
const ROWS_PER_STATEMENT: usize = 500;

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

/// Issue time of the first secret of each kind: 2026-11-01, in milliseconds since 1970.
const FIRST_ISSUED_MS: usize = 1_793_491_200_000;
/// Milliseconds between the issue times of two secrets.
const ISSUE_INTERVAL_MS: usize = 10;

/// The secret with index `number` of a kind, with an embedded issue time as the service creates it.
pub(crate) fn secret(kind: &str, number: usize) -> String {
    let mut bytes: [u8; 32] = Sha256::digest(format!("{kind} {number}")).into();
    let time = (FIRST_ISSUED_MS + number * ISSUE_INTERVAL_MS) << 22;
    bytes[..5].copy_from_slice(&time.to_be_bytes()[..5]);
    bytes[5] = time.to_be_bytes()[5] | bytes[5] >> 2;
    URL_SAFE_NO_PAD.encode(bytes)
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
        names.audience_scope(EnvironmentKind::Local.audience_id()),
        names.home_organization_scope()
    )
}

/// Creates the database, with `refreshes` unused refresh tokens.
pub(crate) async fn create(path: &Path, refreshes: usize) -> Result<(), Problem> {
    let url = format!("sqlite:{}", path.display());
    let store = Sqlite::open(&url).await?;
    store
        .setting_or("kind", EnvironmentKind::Local.name())
        .await?;
    store.close().await;

    let options = SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(false)
        .pragma("synchronous", "off")
        .pragma("cache_size", "-400000");
    let mut database = SqliteConnection::connect_with(&options).await?;
    let mut transaction = database.begin().await?;
    people(&mut transaction).await?;
    applications(&mut transaction).await?;
    let now = SystemClock.now_ms();
    let families = TOKENS / TOKENS_PER_FAMILY;
    let expires_at = now + 10 * 60 * 60 * 1000;
    family_rows(&mut transaction, "token", WEB, families, expires_at).await?;
    token_rows(&mut transaction, now, expires_at).await?;
    family_rows(&mut transaction, "refresh", WEB, refreshes, expires_at).await?;
    refresh_rows(&mut transaction, refreshes, expires_at).await?;
    for client in [WEB, WEB_RSA] {
        family_rows(&mut transaction, client, client, CODES, expires_at).await?;
        code_rows(&mut transaction, client, expires_at).await?;
    }
    transaction.commit().await?;
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
        .execute(&mut database)
        .await?;
    Ok(database.close().await?)
}

async fn applications(transaction: &mut SqliteConnection) -> Result<(), Problem> {
    rows(
        transaction,
        "INSERT INTO subjects (id, username, name, home_organization) ",
        MACHINES,
        |mut row, number| {
            row.push_bind(machine(number))
                .push_bind(machine(number))
                .push_bind(machine(number))
                .push_bind(organization(number % ORGANIZATIONS));
        },
    )
    .await?;
    let insert = "INSERT INTO applications (client_id, name, kind, secret_hash, subject, grant_types, redirect_uris,
        post_logout_uris, id_token_algorithm, revoke_family_on_reuse) ";
    let grants = "authorization_code refresh_token";
    let few = [
        (API, "api", "RS256"),
        (WEB, "confidential", "EdDSA"),
        (WEB_RSA, "confidential", "RS256"),
    ];
    rows(transaction, insert, few.len(), |mut row, number| {
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
    })
    .await?;
    rows(transaction, insert, MACHINES, |mut row, number| {
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
    .await
}

fn client_secret_hash() -> Vec<u8> {
    TokenHash::of(CLIENT_SECRET).as_bytes().to_vec()
}

async fn people(transaction: &mut SqliteConnection) -> Result<(), Problem> {
    rows(
        transaction,
        "INSERT INTO organizations (id, name, name_ar, domain) ",
        ORGANIZATIONS,
        |mut row, number| {
            row.push_bind(organization(number))
                .push_bind(format!("Organization {number}"))
                .push_bind(format!("منظمة {number}"))
                .push_bind(format!("organization-{number}.example"));
        },
    )
    .await?;
    rows(
        transaction,
        "INSERT INTO subjects (id, username, name, email, home_organization) ",
        USERS,
        |mut row, number| {
            row.push_bind(user(number))
                .push_bind(format!("user-{number}@bench.example"))
                .push_bind(format!("User {number}"))
                .push_bind(format!("user-{number}@bench.example"))
                .push_bind(organization(number % ORGANIZATIONS));
        },
    )
    .await?;
    rows(
        transaction,
        "INSERT INTO grants (subject, organization_id, role) ",
        2 * USERS,
        |mut row, number| {
            row.push_bind(user(number / 2))
                .push_bind(organization((number / 2 + number % 2) % ORGANIZATIONS))
                .push_bind("accountant");
        },
    )
    .await
}

async fn family_rows(
    transaction: &mut SqliteConnection,
    kind: &'static str,
    client: &'static str,
    count: usize,
    expires_at: i64,
) -> Result<(), Problem> {
    let scope = scope();
    rows(
        transaction,
        "INSERT INTO families (id, client_id, subject, session_id, scope, authenticated_at, expires_at) ",
        count,
        |mut row, number| {
            row.push_bind(family(kind, number))
                .push_bind(client)
                .push_bind(user(number % USERS))
                .push_bind("a session of the bench")
                .push_bind(scope.clone())
                .push_bind(expires_at)
                .push_bind(expires_at);
        },
    )
    .await
}

async fn token_rows(
    transaction: &mut SqliteConnection,
    now: i64,
    expires_at: i64,
) -> Result<(), Problem> {
    sqlx::query("INSERT INTO token_authorizations (id, client_id, scope, audiences, carries_home) VALUES (1, $1, $2, $3, TRUE)")
        .bind(WEB)
        .bind(scope())
        .bind(EnvironmentKind::Local.audience_id())
        .execute(&mut *transaction)
        .await?;
    rows(
        transaction,
        "INSERT INTO access_tokens (lookup_key, hash, family, token_authorization, subject, issued_at, expires_at) ",
        TOKENS,
        |mut row, number| {
            let family_number = number / TOKENS_PER_FAMILY;
            let hash = TokenHash::of(&secret("access", number));
            row.push_bind(hash.lookup_key())
                .push_bind(hash.as_bytes().to_vec())
                .push_bind(family("token", family_number))
                .push_bind(1)
                .push_bind(user(family_number % USERS))
                .push_bind(now)
                .push_bind(expires_at);
        },
    )
    .await
}

async fn refresh_rows(
    transaction: &mut SqliteConnection,
    count: usize,
    expires_at: i64,
) -> Result<(), Problem> {
    rows(
        transaction,
        "INSERT INTO refresh_tokens (lookup_key, hash, family, expires_at) ",
        count,
        |mut row, number| {
            let hash = TokenHash::of(&secret("refresh", number));
            row.push_bind(hash.lookup_key())
                .push_bind(hash.as_bytes().to_vec())
                .push_bind(family("refresh", number))
                .push_bind(expires_at);
        },
    )
    .await
}

async fn code_rows(
    transaction: &mut SqliteConnection,
    client: &'static str,
    expires_at: i64,
) -> Result<(), Problem> {
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
    rows(
        transaction,
        "INSERT INTO authorization_codes (lookup_key, hash, family, redirect_uri, code_challenge, nonce, expires_at) ",
        CODES,
        |mut row, number| {
            let hash = TokenHash::of(&secret(client, number));
            row.push_bind(hash.lookup_key())
                .push_bind(hash.as_bytes().to_vec())
                .push_bind(family(client, number))
                .push_bind(CALLBACK)
                .push_bind(challenge.clone())
                .push_bind("a nonce of the bench")
                .push_bind(expires_at);
        },
    )
    .await
}

/// Inserts `count` rows, many per statement.
async fn rows(
    transaction: &mut SqliteConnection,
    insert: &'static str,
    count: usize,
    row: impl Fn(sqlx::query_builder::Separated<'_, Database, &'static str>, usize),
) -> Result<(), Problem> {
    let numbers: Vec<_> = (0..count).collect();
    for chunk in numbers.chunks(ROWS_PER_STATEMENT) {
        let mut statement = QueryBuilder::<Database>::new(insert);
        statement.push_values(chunk, |separated, number| row(separated, *number));
        statement.build().execute(&mut *transaction).await?;
    }
    Ok(())
}

fn organization(number: usize) -> String {
    format!("{}", 700_000_000 + number)
}

fn user(number: usize) -> String {
    format!("{}", 800_000_000 + number)
}

/// A family id of the same size as those of the service.
fn family(kind: &str, number: usize) -> i64 {
    let kinds = ["token", "refresh", WEB, WEB_RSA];
    let kind = kinds.iter().position(|known| *known == kind).unwrap_or(0);
    let number = (FIRST_ISSUED_MS << 21) + kind * TOKENS + number;
    i64::try_from(number).expect("it has 62 bits")
}
