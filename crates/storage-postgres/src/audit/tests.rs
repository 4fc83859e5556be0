//! What the schema of the audit adds to the behavioural suite: rights, partitions and plans.

use std::sync::Arc;

use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::audit::{AuditEvent, AuditEventKind, Query};
use invoicing_storage::audit_archives::{ArchiveOutcome, AuditArchive, ChainHash};
use invoicing_storage::{AuditArchiveStore as _, AuditStore as _, SystemRng};
use invoicing_test_postgres::{Database, Server};
use tokio_postgres::{Client, NoTls};

use super::query;
use crate::engine::Parameter;
use crate::{Options, Postgres, migrate, schema_name};

/// Milliseconds of a partition.
const PARTITION: i64 = 30 * 86_400_000;

async fn database() -> Database {
    let prepare = async |owner_url: &str| {
        let options = Options::from_url(owner_url).unwrap();
        migrate(&options, Timestamp::default()).await.unwrap();
    };
    Server::shared().database(&schema_name(), prepare).await
}

/// What a process has of the database.
async fn open(database: &Database) -> Postgres {
    let mut options = Options::from_url(database.application_url()).unwrap();
    options.connections = 8;
    Postgres::open(options, Arc::new(SystemRng)).await.unwrap()
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

fn event(at: i64) -> AuditEvent {
    let event = AuditEvent::new(Timestamp::from_millis(at), AuditEventKind::SignInThrottled);
    event
        .subject(&"noura".into())
        .address([127, 0, 0, 1].into())
}

fn archive(first: i64, last: i64, latest: i64) -> AuditArchive {
    AuditArchive {
        first,
        last,
        earliest: Timestamp::default(),
        latest: Timestamp::from_millis(latest),
        previous_hash: ChainHash::default(),
        hash: ChainHash([1; 32]),
        file: "file".to_owned(),
        archived_at: Timestamp::from_millis(latest),
    }
}

async fn partitions(client: &Client) -> i64 {
    let count = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'audit_events'::regclass";
    client.query_one(count, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn application_may_neither_change_nor_delete_what_the_audit_holds() {
    let database = database().await;
    let store = open(&database).await;
    store.record(&event(1)).await.unwrap();
    let application = connect(database.application_url()).await;
    for statement in [
        "UPDATE audit_events SET kind = 'signed_in'",
        "DELETE FROM audit_events",
        "TRUNCATE audit_events",
        "UPDATE audit_events_d0 SET kind = 'signed_in'",
        "DELETE FROM audit_events_d0",
        "INSERT INTO audit_positions (position, at, id) VALUES (1, 1, 1)",
        "DELETE FROM audit_positions",
        "UPDATE audit_chain SET last_position = 0",
        "INSERT INTO audit_archives SELECT",
        "UPDATE audit_archives SET file = ''",
        "DELETE FROM audit_archives",
    ] {
        let refused = application.batch_execute(statement).await.unwrap_err();
        assert_eq!(refused.code().unwrap().code(), "42501", "{statement}");
    }
}

#[tokio::test]
async fn functions_of_the_owner_keep_their_plans() {
    let database = database().await;
    let owner = connect(database.owner_url()).await;
    let select =
        "SELECT proname::text FROM pg_proc JOIN pg_language AS known ON known.oid = prolang
         WHERE prosecdef AND pronamespace = 'public'::regnamespace AND lanname <> 'plpgsql'";
    let others = owner.query(select, &[]).await.unwrap();
    let others: Vec<String> = others.iter().map(|row| row.get(0)).collect();
    assert_eq!(others, [""; 0]);
}

/// A statement without its conditions on the organization.
fn without_condition(select: &str) -> &'static str {
    let text = select
        .replace("organization_id = $9::text", "$9::text IS NOT NULL")
        .replace("organization_id = $7", "$7 IS NOT NULL");
    assert!(!text.contains("organization_id ="), "{text}");
    String::leak(text)
}

#[tokio::test]
async fn events_of_another_organization_are_not_seen_without_the_condition_either() {
    let database = database().await;
    let store = open(&database).await;
    let (riyadh, jeddah) = (OrganizationId::new("riyadh"), OrganizationId::new("jeddah"));
    let events = [
        event(1),
        event(2).organization(&riyadh),
        event(3).organization(&jeddah),
    ];
    for event in &events {
        store.record(event).await.unwrap();
    }
    let read = async |organization: Option<&OrganizationId>| -> Vec<Option<String>> {
        let (first, last, size) = (i64::MIN, i64::MAX, 10_i64);
        let (kinds, none) = (None::<Vec<&str>>, None::<&str>);
        let key = "jeddah";
        let parameters: [Parameter<'_>; 12] = [
            &first, &last, &last, &last, &kinds, &none, &none, &size, &key, &none, &none, &none,
        ];
        let select = without_condition(query::BY_ORGANIZATION);
        let rows = store.engine().rows(organization, select, &parameters).await;
        let rows = rows.unwrap();
        rows.iter().map(|row| row.get("organization_id")).collect()
    };
    for own in [&riyadh, &jeddah] {
        let own_name = Some(own.as_str().to_owned());
        assert_eq!(read(Some(own)).await, [own_name]);
        let query = Query {
            organization: Some(own.clone()),
            size: 10,
            ..Query::default()
        };
        assert_eq!(store.audit(&query).await.unwrap().len(), 1);
    }
    // The archive and operators, who name none.
    let all = [Some("jeddah".to_owned()), Some("riyadh".to_owned()), None];
    assert_eq!(read(None).await, all);
}

#[tokio::test]
async fn archive_with_an_event_that_is_missing_is_refused() {
    let database = database().await;
    let store = open(&database).await;
    for at in 1..=4 {
        store.record(&event(at)).await.unwrap();
    }
    let before = Timestamp::from_millis(10);
    assert_eq!(store.archivable_events(before, 10).await.unwrap().len(), 3);
    let owner = connect(database.owner_url()).await;
    let delete = "DELETE FROM audit_events WHERE at = 2";
    owner.batch_execute(delete).await.unwrap();
    let outcome = store.record_archive(&archive(1, 3, 3)).await.unwrap();
    assert_eq!(outcome, ArchiveOutcome::Outdated);
    assert_eq!(store.audit_archives().await.unwrap(), []);
    // The place in the chain stays empty, which a verification finds.
    let events = store.events_from(0, 10).await.unwrap();
    assert!(events.iter().map(|event| event.id).eq([1, 3, 4]));
    assert_eq!(store.last_position().await.unwrap(), 3);
}

#[tokio::test]
async fn partition_is_dropped_when_all_its_events_are_archived() {
    let database = database().await;
    let store = open(&database).await;
    for at in [1, 2, PARTITION, 2 * PARTITION, 3 * PARTITION] {
        store.record(&event(at)).await.unwrap();
    }
    let owner = connect(database.owner_url()).await;
    assert_eq!(partitions(&owner).await, 4);
    let before = Timestamp::from_millis(2 * PARTITION + 1);
    assert_eq!(store.archivable_events(before, 10).await.unwrap().len(), 4);
    let outcome = store.record_archive(&archive(1, 4, 2 * PARTITION)).await;
    assert_eq!(outcome.unwrap(), ArchiveOutcome::Recorded);
    // That of the latest archived event can still get events of its time.
    assert_eq!(partitions(&owner).await, 2);
    store.record(&event(3 * PARTITION + 1)).await.unwrap();
}

#[tokio::test]
async fn queries_over_a_million_events_use_their_indexes() {
    let database = database().await;
    let store = open(&database).await;
    for month in 0..4 {
        store.record(&event(month * PARTITION)).await.unwrap();
    }
    let owner = connect(database.owner_url()).await;
    // Its statements are subject to the policies.
    let application = connect(database.application_url()).await;
    let fill = format!(
        "INSERT INTO audit_events (at, id, kind, subject, actor, organization_id, detail)
             SELECT number * {PARTITION} / 250000, number,
                 CASE WHEN number % 100 = 0 THEN 'signed_in' ELSE 'token_issued' END,
                 'subject ' || number % 10000,
                 CASE WHEN number % 1000 = 0 THEN 'an administrator' END,
                 'organization ' || number % 1000, '{{}}'
             FROM generate_series(0, 999999) AS number;
         ANALYZE audit_events"
    );
    owner.batch_execute(&fill).await.unwrap();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        for (select, key, kinds, condition) in [
            (
                query::BY_SUBJECT,
                "'subject 77'",
                "NULL",
                "Index Cond: ((subject",
            ),
            (
                query::BY_ORGANIZATION,
                "'organization 7'",
                "NULL",
                "Index Cond: ((organization_id",
            ),
            (
                query::BY_ORGANIZATION_AND_KINDS,
                "'organization 700'",
                "'{signed_in,signed_out}'",
                "organization_id_kind_at_id_idx",
            ),
            (
                query::BY_ACTOR,
                "'an administrator'",
                "NULL",
                "Index Cond: ((actor",
            ),
            (
                query::BY_PERSON,
                "'subject 77'",
                "NULL",
                "Bitmap Index Scan",
            ),
            (query::BY_KIND, "'signed_in'", "NULL", "Index Cond: ((kind"),
            (query::BY_TIME, "NULL", "NULL", "Index Cond: ((at"),
        ] {
            let explain = format!(
                "SET plan_cache_mode = {mode};
                 PREPARE page (bigint, bigint, bigint, bigint, text[], text, text, bigint, text, text, text, text) AS {select};
                 EXPLAIN (ANALYZE, TIMING OFF) EXECUTE page
                     ({}, {}, {}, {}, {kinds}, NULL, NULL, 100, {key}, NULL, NULL, NULL);
                 DEALLOCATE page",
                i64::MIN,
                i64::MAX,
                i64::MAX,
                i64::MAX
            );
            let plan = application.simple_query(&explain).await.unwrap();
            let lines = plan.iter().filter_map(|message| {
                if let tokio_postgres::SimpleQueryMessage::Row(row) = message {
                    row.get(0)
                } else {
                    None
                }
            });
            let plan = lines.collect::<Vec<_>>().join("\n");
            assert!(plan.contains(condition), "{mode}\n{plan}");
            assert!(!plan.contains("Seq Scan"), "{mode}\n{plan}");
        }
    }
}
