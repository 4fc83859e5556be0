//! Moves of whole databases between SQLite and PostgreSQL (decision 0109).

use std::future::ready;
use std::sync::Arc;

use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::documents::{AddOutcome, DocumentStore as _};
use invoicing_storage::secret::TokenHash;
use invoicing_storage::suite::fixtures::{
    Draft, LATER, NOW, audit_event, code, family, hash, organization, populate, row, tokens,
    unlimited,
};
use invoicing_storage::suite::transfer::{check_use, fill};
use invoicing_storage::tokens::{AuthorizationCode, InsertOutcome, RefreshToken};
use invoicing_storage::transfer::{
    Digest, Moved, Progress, TABLES, TransferError, digest, move_records, moved,
};
use invoicing_storage::{AuditStore as _, DirectoryStore as _, Store, SystemRng, TransferStore};
use invoicing_storage_postgres::{Options, Postgres};
use invoicing_storage_sqlite::Sqlite;
use tempfile::TempDir;

async fn sqlite() -> (Sqlite, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("invoicing.db").display());
    (Sqlite::open(&url).await.unwrap(), folder)
}

/// As the role that owns the tables.
async fn owner(database: &invoicing_test_postgres::Database) -> Postgres {
    let options = Options::from_url(database.owner_url()).unwrap();
    Postgres::open(options, Arc::new(SystemRng)).await.unwrap()
}

/// Whether every row of sums says the class of its amounts (decision 0155), and there are some.
async fn are_sums_classified(database: &invoicing_test_postgres::Database) -> bool {
    let server = invoicing_test_postgres::Server::shared();
    let client = server.connect_as_superuser(database).await;
    let select = "SELECT bool_and(slot >= 16) FROM document_sums";
    let row = client.query_one(select, &[]).await.unwrap();
    row.get::<_, Option<bool>>(0) == Some(true)
}

async fn digests(store: &dyn TransferStore) -> Vec<Digest> {
    let mut digests = Vec::new();
    for table in TABLES {
        let digest = digest(store, table).await.unwrap();
        let counted = store.count(table).await.unwrap();
        assert_eq!(counted, digest.records(), "{}", table.name);
        digests.push(digest);
    }
    digests
}

async fn transfer(
    source: &dyn TransferStore,
    target: &dyn TransferStore,
) -> Result<(), TransferError> {
    move_records(source, target, "target", &SystemRng, ready(()), |_| ()).await
}

#[tokio::test]
async fn database_that_was_moved_there_and_back_is_the_same() {
    let (first, _folder) = sqlite().await;
    fill(&first).await;
    let before = digests(&first).await;
    for (table, digest) in TABLES.iter().zip(&before) {
        assert!(digest.records() > 0, "{} has no record", table.name);
    }

    let (application, database) = crate::open().await;
    let postgres = owner(&database).await;
    transfer(&first, &postgres).await.unwrap();
    assert_eq!(digests(&postgres).await, before);
    assert!(are_sums_classified(&database).await);
    assert_eq!(
        moved(&first).await.unwrap(),
        Some(Moved::To("target".to_owned()))
    );
    assert_eq!(moved(&application).await.unwrap(), None);

    let (second, _folder) = sqlite().await;
    transfer(&postgres, &second).await.unwrap();
    assert_eq!(digests(&second).await, before);
    check_use(&second).await;
    check_use(&application).await;
}

/// A hash of a name with one number for all: the numbers of two tokens of a millisecond and a bucket can be equal (decision 0034).
fn hash_of_one_number(name: &str) -> TokenHash {
    TokenHash::stored(hash("one number").lookup_key(), hash(name).as_bytes()).unwrap()
}

/// Authorizations whose codes, refresh tokens and access tokens have one number each, all of them redeemed.
const OF_ONE_NUMBER: [(i64, &str); 3] = [(1, "first"), (2, "second"), (3, "third")];

/// Stores them, and revokes the access token of the last.
async fn fill_with_one_number(store: &dyn Store) {
    populate(store).await;
    for (number, name) in OF_ONE_NUMBER {
        let code = AuthorizationCode {
            hash: hash_of_one_number(&format!("{name} code")),
            ..code(name)
        };
        let (family, event) = (family(number), audit_event(AuditEventKind::TokenIssued));
        store.insert_authorization(&family, &code).await.unwrap();
        let mut issued = tokens(name, family.id);
        issued.access.hash = hash_of_one_number(&format!("{name} access"));
        issued.refresh = Some(RefreshToken {
            hash: hash_of_one_number(&format!("{name} refresh")),
            expires_at: LATER,
        });
        let redeemed = store.redeem_code(&code.hash, issued, NOW, event).await;
        assert_eq!(redeemed.unwrap(), InsertOutcome::Inserted);
    }
    let event = audit_event(AuditEventKind::TokenRevoked);
    let revoked = hash_of_one_number("third access");
    let revoked = store.revoke_access_token(&revoked, NOW, &event).await;
    revoked.unwrap();
}

async fn check_those_of_one_number(store: &dyn Store) {
    for (number, name) in OF_ONE_NUMBER {
        let code = hash_of_one_number(&format!("{name} code"));
        let code = store.authorization_code(&code).await.unwrap().unwrap();
        assert_eq!((code.family.id, code.used), (family(number).id, true));
        let refresh = hash_of_one_number(&format!("{name} refresh"));
        let refresh = store.refresh_token(&refresh).await.unwrap().unwrap();
        assert_eq!(refresh.family.id, family(number).id);
        let access = hash_of_one_number(&format!("{name} access"));
        let access = store.access_token(&access, NOW).await.unwrap();
        assert_eq!(access.is_some(), name != "third", "{name}");
    }
}

#[tokio::test]
async fn tokens_that_sqlite_has_stored_beside_their_numbers_are_found_after_the_move() {
    let (first, _folder) = sqlite().await;
    fill_with_one_number(&first).await;
    check_those_of_one_number(&first).await;

    let (application, database) = crate::open().await;
    let postgres = owner(&database).await;
    transfer(&first, &postgres).await.unwrap();
    check_those_of_one_number(&application).await;

    let (second, _folder) = sqlite().await;
    transfer(&postgres, &second).await.unwrap();
    assert_eq!(digests(&second).await, digests(&first).await);
    check_those_of_one_number(&second).await;
}

#[tokio::test]
async fn database_of_postgresql_moves_with_events_that_have_no_position() {
    let (application, database) = crate::open().await;
    fill(&application).await;
    let postgres = owner(&database).await;
    let (sqlite, _folder) = sqlite().await;
    transfer(&postgres, &sqlite).await.unwrap();
    assert_eq!(digests(&sqlite).await, digests(&postgres).await);
    check_use(&sqlite).await;
}

#[tokio::test]
async fn records_of_more_organizations_than_are_read_at_once_are_exported() {
    const ORGANIZATIONS: u64 = 70;
    let (store, database) = crate::open().await;
    for at in 0..ORGANIZATIONS {
        let name: &'static str = format!("organization{at}").leak();
        store.add_organization(&organization(name)).await.unwrap();
        // Some have none.
        if at % 3 != 0 {
            let document = row(Draft {
                organization: name,
                ..Draft::default()
            });
            let added = store.add_document(&document, &unlimited()).await;
            assert_eq!(added.unwrap(), AddOutcome::Stored);
        }
    }
    let documents = TABLES.iter().find(|table| table.name == "documents");
    let postgres = owner(&database).await;
    let digest = digest(&postgres, documents.unwrap()).await.unwrap();
    let without = ORGANIZATIONS.div_ceil(3);
    assert_eq!(digest.records(), ORGANIZATIONS - without);
}

/// Each attempt is interrupted one step later than the one before.
async fn interrupted_at_every_step<S, T>(source: S, target: T)
where
    S: TransferStore + Clone + 'static,
    T: TransferStore + Clone + 'static,
{
    for last in 0_u32.. {
        let (source, target) = (source.clone(), target.clone());
        let attempt = tokio::spawn(async move {
            let mut steps = 0;
            let step = |_: Progress| {
                assert!(steps < last, "interrupted");
                steps += 1;
            };
            move_records(&source, &target, "target", &SystemRng, ready(()), step).await
        });
        match attempt.await {
            Ok(outcome) => return outcome.unwrap(),
            Err(interrupted) => assert!(interrupted.is_panic()),
        }
    }
}

#[tokio::test]
async fn move_that_is_interrupted_at_any_step_completes_when_it_is_repeated() {
    let (first, _folder) = sqlite().await;
    fill(&first).await;
    let (_, database) = crate::open().await;
    let postgres = owner(&database).await;
    interrupted_at_every_step(first.clone(), postgres.clone()).await;
    assert_eq!(digests(&first).await, digests(&postgres).await);
    let (second, _folder) = sqlite().await;
    interrupted_at_every_step(postgres, second.clone()).await;
    assert_eq!(digests(&first).await, digests(&second).await);
    check_use(&second).await;
}

#[tokio::test]
async fn interrupted_move_lets_neither_database_be_served() {
    let (source, _folder) = sqlite().await;
    fill(&source).await;
    let (target, _folder) = sqlite().await;
    let interrupted = tokio::spawn({
        let (source, target) = (source.clone(), target.clone());
        async move {
            let interrupt = |_: Progress| panic!("interrupted");
            move_records(&source, &target, "target", &SystemRng, ready(()), interrupt).await
        }
    });
    assert!(interrupted.await.unwrap_err().is_panic());
    assert_eq!(moved(&target).await.unwrap(), Some(Moved::Incomplete));
    let to = Some(Moved::To("target".to_owned()));
    assert_eq!(moved(&source).await.unwrap(), to);

    let (other, _folder) = sqlite().await;
    for (source, target) in [(&source, &other), (&other, &target), (&target, &other)] {
        let name = "another target";
        let refused = move_records(source, target, name, &SystemRng, ready(()), |_| ()).await;
        assert!(
            matches!(
                refused,
                Err(TransferError::SourceMoved(_)
                    | TransferError::TargetInUse
                    | TransferError::SourceIncomplete)
            ),
            "{refused:?}"
        );
    }
    assert_eq!(moved(&other).await.unwrap(), None);
}

#[tokio::test]
async fn database_with_records_is_no_target() {
    let (source, _folder) = sqlite().await;
    let (target, _folder) = sqlite().await;
    target.setting_or("name", "value").await.unwrap();
    let refused = transfer(&source, &target).await;
    assert!(
        matches!(refused, Err(TransferError::TargetNotEmpty("settings"))),
        "{refused:?}"
    );
    assert_eq!(moved(&source).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn record_that_is_written_during_the_move_is_noticed() {
    let (source, _folder) = sqlite().await;
    fill(&source).await;
    let (target, _folder) = sqlite().await;
    let (begin, mut begun) = tokio::sync::mpsc::unbounded_channel();
    let (end, ended) = std::sync::mpsc::channel();
    tokio::spawn({
        let source = source.clone();
        async move {
            begun.recv().await.unwrap();
            let at = invoicing_contract::Timestamp::from_millis(1);
            source
                .record(&AuditEvent::new(at, AuditEventKind::SignedIn))
                .await
                .unwrap();
            end.send(()).unwrap();
        }
    });
    let mut is_written = false;
    let progress = |progress| {
        // The audit comes before.
        if matches!(
            progress,
            Progress::Copied {
                table: "documents",
                ..
            }
        ) && !is_written
        {
            is_written = true;
            begin.send(()).unwrap();
            ended.recv().unwrap();
        }
    };
    let moved = move_records(&source, &target, "target", &SystemRng, ready(()), progress).await;
    let Err(TransferError::Differs { table, .. }) = moved else {
        panic!("{moved:?}");
    };
    assert_eq!(table, "audit_events");
}
