//! Gives out tokens. What is to be given out at the same time is written together: a few statements for all of it.
//!
//! Whoever finds the queue empty takes the writer's next turn, and takes along everybody who came before that turn began.
//! Each is answered on its own: one whose code or token is spent gets nothing, and one that cannot be written does not
//! keep the others from it.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use sqlx::{Row as _, SqliteConnection};
use tokio::sync::oneshot;

use super::many::{self, Many};
use super::{Sqlite, audit};
use crate::identity::secret::TokenHash;
use crate::storage::StorageError;
use crate::storage::audit::Entry;
use crate::storage::tokens::{AccessToken, Family, RefreshToken};

/// What is given out, and for what.
#[derive(Clone)]
pub(super) struct Grant {
    /// What it costs: of all who present it one is given something.
    pub(super) spends: Option<Spends>,
    /// A new authorization, if it is not of one that is kept.
    pub(super) family: Option<Family>,
    pub(super) access: AccessToken,
    pub(super) refresh: Option<RefreshToken>,
    /// What is recorded with it.
    pub(super) entries: Vec<Entry>,
    pub(super) now: i64,
}

/// What can be presented once.
#[derive(Clone)]
pub(super) enum Spends {
    Code(TokenHash),
    Refresh(TokenHash),
}

/// Who waits to be given something.
#[derive(Clone, Default)]
pub(super) struct Queue(Arc<Mutex<Vec<Waiting>>>);

struct Waiting {
    grant: Grant,
    answer: oneshot::Sender<Result<bool, StorageError>>,
}

impl Queue {
    /// Whether nobody waited before.
    fn join(&self, waiting: Waiting) -> bool {
        let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queue.push(waiting);
        queue.len() == 1
    }

    fn take(&self) -> Vec<Waiting> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Sqlite {
    /// Writes what is given out. False, and nothing is written, if what it spends is spent or its family revoked.
    pub(super) async fn give(&self, grant: Grant) -> Result<bool, StorageError> {
        let (answer, given) = oneshot::channel();
        if self.issuing.join(Waiting { grant, answer }) {
            let store = self.clone();
            // On its own: the others rely on it, even if this caller goes away.
            tokio::spawn(async move { store.give_all().await });
        }
        given
            .await
            .unwrap_or_else(|_| Err(StorageError::Unexpected("the writer is gone".to_owned())))
    }

    async fn give_all(self) {
        let begun = self.write().await;
        let waiting = self.issuing.take();
        let mut write = match begun {
            Ok(write) => write,
            Err(error) => return refuse(waiting, &error),
        };
        write.counts(waiting.len());
        let (grants, answers): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .map(|waiting| (waiting.grant, waiting.answer))
            .unzip();
        let given = match give(&mut write, &grants).await {
            Ok(given) => write.commit().await.map(|()| given).map_err(Into::into),
            // Whose fault it is shows when each is on its own.
            Err(_) if grants.len() > 1 => {
                drop(write);
                return self.give_each(grants, answers).await;
            }
            Err(error) => Err(error),
        };
        for (number, answer) in answers.into_iter().enumerate() {
            let outcome = given.as_ref().map(|given| given[number]);
            // Whoever is gone does not need to hear it.
            let _ = answer.send(outcome.map_err(Clone::clone));
        }
    }

    async fn give_each(
        &self,
        grants: Vec<Grant>,
        answers: Vec<oneshot::Sender<Result<bool, StorageError>>>,
    ) {
        for (grant, answer) in grants.into_iter().zip(answers) {
            let _ = answer.send(self.give_one(&grant).await);
        }
    }

    async fn give_one(&self, grant: &Grant) -> Result<bool, StorageError> {
        let mut write = self.write().await?;
        let given = give(&mut write, std::slice::from_ref(grant)).await?;
        write.commit().await?;
        Ok(given.first().copied().unwrap_or_default())
    }
}

fn refuse(waiting: Vec<Waiting>, error: &StorageError) {
    for waiting in waiting {
        let _ = waiting.answer.send(Err(error.clone()));
    }
}

/// Which of `grants` are given.
async fn give(write: &mut SqliteConnection, grants: &[Grant]) -> Result<Vec<bool>, StorageError> {
    let given = spend(write, grants).await?;
    let all = || {
        let pairs = grants.iter().zip(&given);
        pairs.filter(|(_, given)| **given).map(|(grant, _)| grant)
    };
    keep_families(write, all().filter_map(|grant| grant.family.as_ref())).await?;
    keep_access(write, all().map(|grant| &grant.access)).await?;
    let refreshed = all().filter_map(|grant| Some((&grant.access, grant.refresh.as_ref()?)));
    keep_refresh(write, refreshed).await?;
    audit::record_all(write, all().flat_map(|grant| &grant.entries)).await?;
    Ok(given)
}

/// Marks what the grants cost as spent, and says which of them could pay. Of several with the same the first can.
async fn spend(write: &mut SqliteConnection, grants: &[Grant]) -> Result<Vec<bool>, StorageError> {
    static CODES: LazyLock<Many> = LazyLock::new(|| spending("authorization_codes"));
    static REFRESHES: LazyLock<Many> = LazyLock::new(|| spending("refresh_tokens"));
    let mut codes = Vec::new();
    let mut refreshes = Vec::new();
    for grant in grants {
        match &grant.spends {
            Some(Spends::Code(hash)) => codes.push(hash),
            Some(Spends::Refresh(hash)) => refreshes.push(hash),
            None => {}
        }
    }
    let now = grants.iter().map(|grant| grant.now).max().unwrap_or(0);
    let mut spent_codes = spend_each(write, &CODES, &codes, now).await?;
    let mut spent_refreshes = spend_each(write, &REFRESHES, &refreshes, now).await?;
    let paid = grants.iter().map(|grant| match &grant.spends {
        Some(Spends::Code(hash)) => spent_codes.remove(hash),
        Some(Spends::Refresh(hash)) => spent_refreshes.remove(hash),
        None => true,
    });
    Ok(paid.collect())
}

fn spending(table: &str) -> Many {
    Many::places(
        &format!("UPDATE {table} SET used_at = $1 WHERE used_at IS NULL AND hash IN ("),
        2,
        ") AND EXISTS (SELECT 1 FROM families f WHERE f.id = family AND f.revoked_at IS NULL) RETURNING hash",
    )
}

async fn spend_each(
    write: &mut SqliteConnection,
    statements: &'static Many,
    hashes: &[&TokenHash],
    now: i64,
) -> Result<HashSet<TokenHash>, StorageError> {
    let mut spent = HashSet::new();
    for some in many::parts(hashes) {
        let mut update = sqlx::query(statements.of(some.len())).bind(now);
        for hash in some {
            update = update.bind(hash.as_bytes());
        }
        for row in update.fetch_all(&mut *write).await? {
            let bytes: &[u8] = row.try_get(0)?;
            spent.extend(TokenHash::from_bytes(bytes));
        }
    }
    Ok(spent)
}

/// Keeps new authorizations.
pub(super) async fn keep_families(
    write: &mut SqliteConnection,
    families: impl Iterator<Item = &Family>,
) -> Result<(), StorageError> {
    static INSERT: LazyLock<Many> = LazyLock::new(|| {
        let into = "INSERT INTO families (id, client_id, subject, session_id, scope, authenticated_at, expires_at)";
        Many::rows(into, 7)
    });
    let families: Vec<_> = families.collect();
    for some in many::parts(&families) {
        let mut insert = sqlx::query(INSERT.of(some.len()));
        for family in some {
            insert = insert
                .bind(&family.id)
                .bind(&family.client_id)
                .bind(&family.subject)
                .bind(family.session_id.as_deref().unwrap_or_default())
                .bind(&family.scope)
                .bind(family.authenticated_at)
                .bind(family.expires_at);
        }
        insert.execute(&mut *write).await?;
    }
    Ok(())
}

async fn keep_access(
    write: &mut SqliteConnection,
    tokens: impl Iterator<Item = &AccessToken>,
) -> Result<(), StorageError> {
    static INSERT: LazyLock<Many> = LazyLock::new(|| {
        let into = "INSERT INTO access_tokens (number, hash, family, client_id, subject, scope, audiences, carries_home,
            actor, issued_at, expires_at)";
        Many::rows(into, 11)
    });
    let tokens: Vec<_> = tokens.collect();
    for some in many::parts(&tokens) {
        let mut insert = sqlx::query(INSERT.of(some.len()));
        for token in some {
            insert = insert
                .bind(token.hash.number())
                .bind(token.hash.as_bytes())
                .bind(&token.family)
                .bind(&token.client_id)
                .bind(&token.subject)
                .bind(&token.scope)
                .bind(token.audiences.join(" "))
                .bind(token.carries_home)
                .bind(&token.actor)
                .bind(token.issued_at)
                .bind(token.expires_at);
        }
        insert.execute(&mut *write).await?;
    }
    Ok(())
}

async fn keep_refresh<'grant>(
    write: &mut SqliteConnection,
    tokens: impl Iterator<Item = (&'grant AccessToken, &'grant RefreshToken)>,
) -> Result<(), StorageError> {
    static INSERT: LazyLock<Many> =
        LazyLock::new(|| Many::rows("INSERT INTO refresh_tokens (hash, family, expires_at)", 3));
    let tokens: Vec<_> = tokens.collect();
    for some in many::parts(&tokens) {
        let mut insert = sqlx::query(INSERT.of(some.len()));
        for (access, refresh) in some {
            insert = insert
                .bind(refresh.hash.as_bytes())
                .bind(&access.family)
                .bind(refresh.expires_at);
        }
        insert.execute(&mut *write).await?;
    }
    Ok(())
}
