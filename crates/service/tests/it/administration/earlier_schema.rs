//! Tests of commands on a database that a service of an earlier version may be serving: they do not change its schema.

use crate::fixtures::program::run_program;
use crate::fixtures::{Service, by_engine};

const MIGRATIONS: &str = "SELECT count(*) FROM schema_migrations";

#[tokio::test]
async fn commands_refuse_the_schema_of_an_earlier_version_and_leave_it_to_the_service() {
    let service = Service::start().await;
    let forget = "DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)";
    service.execute_sql(forget).await;
    let before = service.folder.count(MIGRATIONS).await;
    for arguments in [
        &["admin", "users", "list"][..],
        &["admin", "audit"],
        &["keys", "list"],
        &["keys", "rotate"],
    ] {
        let refused = run_program(&service, arguments);
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(65), "{arguments:?}: {message}");
        let remedy = by_engine(
            "start the service of this version first",
            "run `invoicing-service migrate`",
        );
        assert!(message.contains(remedy), "{arguments:?}: {message}");
    }
    assert_eq!(service.folder.count(MIGRATIONS).await, before);
    service.running.shutdown().await;
}
