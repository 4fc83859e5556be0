//! What the role of the application may do, and what only the role that owns the tables may (decision 0104).

use std::sync::Arc;

use invoicing_contract::Timestamp;
use invoicing_storage::audit::{AuditEvent, AuditEventKind, Query};
use invoicing_storage::{AuditStore as _, SystemRng};
use invoicing_storage_postgres::{Options, Postgres, UnlimitedRole};
use invoicing_test_postgres::Server;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

/// A connection to `url`.
pub(crate) async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(async move {
        // The client sees the end of the connection.
        let _ = connection.await;
    });
    client
}

/// The tables of the schema, with the partitions.
async fn tables(client: &Client) -> Vec<String> {
    let select = "SELECT relname::text FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname";
    let rows = client.query(select, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// Whether `statement` is refused for want of a privilege.
async fn is_refused(client: &Client, statement: &str) -> bool {
    match client.batch_execute(statement).await {
        Ok(()) => false,
        Err(error) => {
            assert_eq!(
                error.code(),
                Some(&SqlState::INSUFFICIENT_PRIVILEGE),
                "{statement}: {error:?}"
            );
            true
        }
    }
}

#[tokio::test]
async fn application_role_owns_nothing() {
    let (_store, database) = super::open().await;
    let application = connect(database.application_url()).await;
    let select = "SELECT (SELECT count(*) FROM pg_class WHERE relowner = r.oid)
            + (SELECT count(*) FROM pg_proc WHERE proowner = r.oid)
            + (SELECT count(*) FROM pg_namespace WHERE nspowner = r.oid)
            + (SELECT count(*) FROM pg_database WHERE datdba = r.oid) AS owned,
            r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolbypassrls OR r.rolreplication AS powerful
        FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER') ORDER BY r.rolname";
    let roles = application.query(select, &[]).await.unwrap();
    // Its own, and the group that has the grants.
    assert_eq!(roles.len(), 2);
    for role in roles {
        assert_eq!((role.get(0), role.get(1)), (0_i64, false));
    }
}

#[tokio::test]
async fn application_role_changes_no_table() {
    let (store, database) = super::open().await;
    let event = AuditEvent::new(Timestamp::from_millis(0), AuditEventKind::SignedIn);
    store.record(&event).await.unwrap();
    let application = connect(database.application_url()).await;
    let mut statements = vec![
        "CREATE TABLE ours (id bigint)".to_owned(),
        "CREATE SCHEMA ours".to_owned(),
        "CREATE FUNCTION ours() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'".to_owned(),
        "SET ROLE owner".to_owned(),
    ];
    let tables = tables(&application).await;
    assert!(tables.iter().any(|table| table == "audit_events"));
    for table in tables {
        statements.extend([
            format!("TRUNCATE {table}"),
            format!("DROP TABLE {table}"),
            format!("ALTER TABLE {table} ADD COLUMN ours bigint"),
            format!("ALTER TABLE {table} DISABLE ROW LEVEL SECURITY"),
        ]);
    }
    for statement in statements {
        assert!(is_refused(&application, &statement).await, "{statement}");
    }
}

#[tokio::test]
async fn application_role_neither_changes_nor_deletes_what_only_grows() {
    let (store, database) = super::open().await;
    let event = AuditEvent::new(Timestamp::from_millis(0), AuditEventKind::SignedIn);
    store.record(&event).await.unwrap();
    let application = connect(database.application_url()).await;
    let tables = tables(&application).await;
    for (parent, column) in [
        ("audit_events", "at"),
        ("document_history", "at"),
        ("access_tokens", "number"),
    ] {
        // Its partitions too: they are reached through it only.
        let prefix = format!("{parent}_d");
        let with_partitions = tables
            .iter()
            .filter(|table| *table == parent || table.starts_with(&prefix));
        let with_partitions: Vec<_> = with_partitions.collect();
        assert!(with_partitions.len() > 1, "{parent} has a partition");
        for table in with_partitions {
            for statement in [
                format!("UPDATE {table} SET {column} = {column}"),
                format!("DELETE FROM {table}"),
            ] {
                assert!(is_refused(&application, &statement).await, "{statement}");
            }
        }
    }
    // The schema's own tables: only the owner says which migrations there are, and how long partitions are kept.
    for table in ["schema_migrations", "partitioned_tables"] {
        let delete = format!("DELETE FROM {table}");
        assert!(is_refused(&application, &delete).await, "{delete}");
    }
    let query = Query {
        size: 10,
        ..Query::default()
    };
    assert_eq!(store.audit(&query).await.unwrap().len(), 1);
}

#[tokio::test]
async fn role_without_grants_reads_nothing() {
    let (_store, database) = super::open().await;
    let owner = connect(database.owner_url()).await;
    // Roles belong to the server: the name is that of the database, which is unique.
    let role = format!("stranger_of_{}", database.name());
    owner
        .batch_execute(&format!("CREATE ROLE {role} LOGIN"))
        .await
        .unwrap();
    let url = database
        .application_url()
        .replace("application@", &format!("{role}@"));
    let stranger = connect(&url).await;
    for table in tables(&owner).await {
        let select = format!("SELECT 1 FROM {table}");
        assert!(is_refused(&stranger, &select).await, "{select}");
    }
    assert!(is_refused(&stranger, "SELECT create_partitions(0)").await);
    drop(stranger);
    owner
        .batch_execute(&format!("DROP ROLE {role}"))
        .await
        .unwrap();
}

#[tokio::test]
async fn role_that_nothing_limits_is_told_with_the_reason() {
    let (_store, database) = super::open().await;
    let superuser = Server::shared().connect_as_superuser(&database).await;
    // Roles belong to the server: the names begin with that of the database, which is unique.
    let (bypassing, member) = (
        format!("bypassing_of_{}", database.name()),
        format!("member_of_{}", database.name()),
    );
    for statement in [
        format!("CREATE ROLE {bypassing} LOGIN BYPASSRLS IN ROLE invoicing_application"),
        format!("CREATE ROLE {member} LOGIN IN ROLE invoicing_application, owner"),
    ] {
        superuser.batch_execute(&statement).await.unwrap();
    }
    let owns = Some(UnlimitedRole::OwnsTables);
    for (role, expected) in [
        ("application", None),
        ("owner", owns),
        (&*member, owns),
        (&*bypassing, Some(UnlimitedRole::BypassesPolicies)),
        ("superuser", Some(UnlimitedRole::Superuser)),
    ] {
        let url = database
            .application_url()
            .replace("application@", &format!("{role}@"));
        let options = Options::from_url(&url).unwrap();
        let store = Postgres::open(options, Arc::new(SystemRng)).await.unwrap();
        assert_eq!(store.unlimited_role().await.unwrap(), expected, "{role}");
        store.close();
    }
    for role in [bypassing, member] {
        let drop = format!("DROP ROLE {role}");
        superuser.batch_execute(&drop).await.unwrap();
    }
}
