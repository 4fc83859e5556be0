//! Reads together what is asked for at the same time: one statement for several tokens, and the number of changes once.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use sqlx::FromRow;
use sqlx::sqlite::{SqlitePool, SqliteRow};
use tokio::sync::{mpsc, oneshot};

use super::kept::Bearers;
use super::many::{self, Many};
use crate::identity::secret::TokenHash;
use crate::storage::StorageError;
use crate::storage::tokens::{Bearer, FoundCode, FoundRefresh};

/// Requests that may wait at once.
pub(super) const ASKING: usize = 4_096;

/// Where an answer goes.
pub(super) type Answer<Told> = oneshot::Sender<Result<Told, StorageError>>;

/// What a request asks for.
pub(super) enum Ask {
    /// The number of changes (migration 0010).
    Generation(Answer<i64>),
    /// What a token stands for, and the number before it was read.
    Bearer(Asked),
    /// A code.
    Code(TokenHash, Answer<Option<FoundCode>>),
    /// A refresh token.
    Refresh(TokenHash, Answer<Option<FoundRefresh>>),
}

/// Who asks for a token.
pub(super) struct Asked {
    pub(super) hash: TokenHash,
    /// When it has to be valid.
    pub(super) now: i64,
    pub(super) answer: Answer<(i64, Option<Arc<Bearer>>)>,
}

/// Answers until nobody asks any more or the pool is closed.
pub(super) async fn answer(
    pool: SqlitePool,
    mut asked: mpsc::Receiver<Ask>,
    bearers: Arc<Bearers>,
) {
    let mut waiting = Vec::new();
    while asked.recv_many(&mut waiting, ASKING).await > 0 {
        let (mut numbers, mut tokens) = (Vec::new(), Vec::new());
        let (mut codes, mut refreshes) = (Vec::new(), Vec::new());
        for ask in waiting.drain(..) {
            match ask {
                Ask::Generation(answer) => numbers.push(answer),
                Ask::Bearer(asked) => tokens.push(asked),
                Ask::Code(hash, answer) => codes.push((hash, answer)),
                Ask::Refresh(hash, answer) => refreshes.push((hash, answer)),
            }
        }
        if !numbers.is_empty() || !tokens.is_empty() {
            let number = generation(&pool).await;
            for answer in numbers {
                let _ = answer.send(number.clone());
            }
            answer_bearers(&pool, tokens, number, &bearers).await;
        }
        answer_each(&pool, codes, &CODES, |code: &FoundCode| &code.code.hash).await;
        answer_each(&pool, refreshes, &REFRESHES, |found: &FoundRefresh| {
            &found.token.hash
        })
        .await;
    }
}

async fn generation(pool: &SqlitePool) -> Result<i64, StorageError> {
    let number = sqlx::query_scalar("SELECT number FROM generation");
    Ok(number.fetch_one(pool).await?)
}

static BEARERS: LazyLock<Many> = LazyLock::new(|| {
    Many::places(
        "SELECT a.*, s.id, s.username, s.name, s.email, s.home_organization, s.password_hash,
            s.must_change_password, s.valid_from
         FROM access_tokens a JOIN subjects s ON s.id = a.subject LEFT JOIN families f ON f.id = a.family
         WHERE a.hash IN (",
        2,
        ") AND a.expires_at > $1 AND a.revoked_at IS NULL AND f.revoked_at IS NULL
            AND s.disabled_at IS NULL AND a.issued_at >= s.valid_from
            AND (a.actor IS NULL OR EXISTS (SELECT 1 FROM subjects d WHERE d.id = a.actor AND d.disabled_at IS NULL
                AND a.issued_at >= d.valid_from))",
    )
});

static CODES: LazyLock<Many> = LazyLock::new(|| {
    Many::places(
        "SELECT c.hash, c.redirect_uri, c.code_challenge, c.nonce, c.expires_at AS token_expires_at, c.used_at, f.*
         FROM authorization_codes c JOIN families f ON f.id = c.family WHERE c.hash IN (",
        1,
        ")",
    )
});

static REFRESHES: LazyLock<Many> = LazyLock::new(|| {
    Many::places(
        "SELECT r.hash, r.expires_at AS token_expires_at, r.used_at, f.*
         FROM refresh_tokens r JOIN families f ON f.id = r.family WHERE r.hash IN (",
        1,
        ")",
    )
});

async fn answer_bearers(
    pool: &SqlitePool,
    asked: Vec<Asked>,
    number: Result<i64, StorageError>,
    bearers: &Bearers,
) {
    let mut missing = Vec::new();
    let number = match number {
        Ok(number) => number,
        Err(error) => {
            for asked in asked {
                let _ = asked.answer.send(Err(error.clone()));
            }
            return;
        }
    };
    for asked in asked {
        match bearers.get(&asked.hash, number) {
            Some(kept) => drop(asked.answer.send(Ok((number, Some(kept))))),
            None => missing.push(asked),
        }
    }
    let hashes: Vec<_> = missing.iter().map(|asked| asked.hash.clone()).collect();
    // Whoever is answered looks at the time again.
    let now = missing.iter().map(|asked| asked.now).min().unwrap_or(0);
    let found = read(pool, &hashes, &BEARERS, Some(now), |bearer: &Bearer| {
        &bearer.token.hash
    });
    let found = found.await.map(|found| {
        let each = found.into_iter();
        each.map(|(hash, bearer)| (hash, Arc::new(bearer)))
            .collect::<HashMap<_, _>>()
    });
    for Asked { hash, answer, .. } in missing {
        let told = match &found {
            Ok(found) => Ok((number, found.get(&hash).cloned())),
            Err(error) => Err(error.clone()),
        };
        if let Ok((_, Some(bearer))) = &told {
            bearers.keep(hash, number, bearer.clone());
        }
        let _ = answer.send(told);
    }
}

async fn answer_each<Found>(
    pool: &SqlitePool,
    asked: Vec<(TokenHash, Answer<Option<Found>>)>,
    statements: &'static Many,
    hash_of: fn(&Found) -> &TokenHash,
) where
    Found: for<'row> FromRow<'row, SqliteRow> + Clone + Send + Unpin,
{
    let hashes: Vec<_> = asked.iter().map(|(hash, _)| hash.clone()).collect();
    let found = read(pool, &hashes, statements, None, hash_of).await;
    for (hash, answer) in asked {
        let told = match &found {
            Ok(found) => Ok(found.get(&hash).cloned()),
            Err(error) => Err(error.clone()),
        };
        let _ = answer.send(told);
    }
}

/// The rows with these hashes.
async fn read<Found>(
    pool: &SqlitePool,
    hashes: &[TokenHash],
    statements: &'static Many,
    now: Option<i64>,
    hash_of: fn(&Found) -> &TokenHash,
) -> Result<HashMap<TokenHash, Found>, StorageError>
where
    Found: for<'row> FromRow<'row, SqliteRow> + Send + Unpin,
{
    let mut all = HashMap::with_capacity(hashes.len());
    for some in many::parts(hashes) {
        let mut select = sqlx::query_as(statements.of(some.len()));
        if let Some(now) = now {
            select = select.bind(now);
        }
        for hash in some {
            select = select.bind(hash.as_bytes());
        }
        let found: Vec<Found> = select.fetch_all(pool).await?;
        all.extend(
            found
                .into_iter()
                .map(|found| (hash_of(&found).clone(), found)),
        );
    }
    Ok(all)
}
