//! Tests of the operations on authorization rules, over REST and gRPC.

use invoicing_contract::Timestamp;
use invoicing_contract::messages::rules::rules_client::RulesClient;
use invoicing_contract::messages::rules::{
    CheckRulesRequest, GetRulesRequest, PublishRulesRequest,
};
use invoicing_storage::audit::{AuditEvent, AuditEventKind, Query};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::identity::signed_in;
use crate::fixtures::gateway::{GatewayClient, channel, reason, violations};
use crate::fixtures::process::Process;
use crate::fixtures::{
    HESSA, HESSA_ID, HOME, NOURA, NOURA_ID, Response, SALEM, SALEM_ID, Service, ServiceFolder,
    by_engine, wait_for,
};

const RULES: &str = "/api/v2/admin/rules";
const CHECK: &str = "/api/v2/admin/rules:check";
const PUBLISH: &str = "/api/v2/admin/rules:publish";
const ROLL_BACK: &str = "/api/v2/admin/rules:rollBack";
const VERSIONS: &str = "/api/v2/admin/rules/versions";

/// The current rules; the response must be 200.
async fn current(operator: &GatewayClient<'_>) -> Value {
    let response = operator.get(RULES).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    response.json
}

fn stamp(rules: &Value) -> Value {
    rules["version"]["concurrencyStamp"].clone()
}

/// The rows of rules, with those of one role replaced.
fn with_role(rules: &Value, role: &str, allowed: &[&str]) -> Value {
    let mut matrix = rules["matrix"].clone();
    let rows = matrix["roles"].as_array_mut().expect("rows");
    rows.retain(|row| row["role"] != role);
    rows.push(json!({"role": role, "allowed": allowed}));
    matrix
}

async fn publish(operator: &GatewayClient<'_>, matrix: Value, stamp: Value) -> Response {
    let body = json!({"matrix": matrix, "concurrencyStamp": stamp, "comment": "a reason"});
    operator.post(PUBLISH, body).await
}

async fn events(service: &Service, kind: AuditEventKind) -> Vec<AuditEvent> {
    let query = Query {
        kinds: vec![kind],
        size: 100,
        ..Query::default()
    };
    let events = service
        .store()
        .await
        .audit(&query)
        .await
        .expect("the audit");
    events.into_iter().map(|recorded| recorded.event).collect()
}

#[tokio::test]
async fn edited_rules_decide_the_next_request_and_are_rolled_back() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let person = signed_in(&service, SALEM).await;
    service
        .execute_sql("DELETE FROM grants WHERE subject = '310000000000000002'")
        .await;
    service.grant(SALEM_ID, HOME, "viewer").await;
    service.grant(SALEM_ID, HOME, "auditor").await;
    let lists = async || person.service.list_status(&person.token, None).await;
    assert_eq!(lists().await, StatusCode::OK);

    // Nothing changes until somebody edits: the built-in version.
    let first = current(&operator).await;
    assert_eq!(first["version"]["number"], json!(0));
    assert_eq!(first["unheldScopes"], json!([]));

    // What a viewer would lose, and a role that nobody has defined.
    let matrix = with_role(&first, "viewer", &["Service.Documents.v2.Get"]);
    let checked = operator.post(CHECK, json!({"matrix": matrix})).await;
    assert_eq!(checked.status, StatusCode::OK, "{}", checked.body);
    assert_eq!(checked.json["publishable"], json!(true), "{}", checked.body);
    let cells = checked.json["changedCells"].as_array().expect("cells");
    assert!(
        cells.contains(&json!({
            "role": "viewer", "scope": "Service.Simple.Invoices.v1.List", "allowed": false,
        })),
        "{cells:?}"
    );
    assert_eq!(checked.json["changedCellCount"], json!(cells.len()));
    let losing = checked.json["losingUsers"].as_array().expect("users");
    let salem = losing.iter().find(|user| user["userId"] == SALEM_ID);
    let salem = salem.unwrap_or_else(|| panic!("{losing:?}"));
    assert_eq!(salem["roles"], json!(["auditor", "viewer"]));
    assert_eq!(checked.json["losingUserCount"], json!(losing.len()));
    assert_eq!(
        checked.json["unnamedRoles"],
        json!([{"role": "auditor", "userCount": 1}])
    );

    // A dry run writes nothing; the publication decides the next request.
    let dry = json!({"matrix": matrix, "concurrencyStamp": stamp(&first), "validateOnly": true});
    let dry = operator.post(PUBLISH, dry).await;
    assert_eq!(dry.status, StatusCode::OK, "{}", dry.body);
    assert_eq!(current(&operator).await["version"], first["version"]);
    let published = publish(&operator, matrix.clone(), stamp(&first)).await;
    assert_eq!(published.status, StatusCode::OK, "{}", published.body);
    assert_eq!(published.json["version"]["number"], json!(1));
    assert_eq!(published.json["version"]["publishedBy"], json!(HESSA_ID));
    assert_eq!(lists().await, StatusCode::FORBIDDEN);
    let stale = publish(&operator, matrix, stamp(&first)).await;
    assert_eq!(stale.status, StatusCode::CONFLICT, "{}", stale.body);
    assert_eq!(reason(&stale.json), "STAMP_MISMATCH");

    let [event] = &events(&service, AuditEventKind::RulesPublished).await[..] else {
        panic!("one event");
    };
    assert_eq!(event.detail["version"], "1");
    assert_eq!(event.detail["added_cells"], "0");
    assert!(
        event.detail["removed"].contains("viewer Service.Simple.Invoices.v1.List"),
        "{event:?}"
    );
    assert!(event.at > Timestamp::default());

    let body = json!({"version": 0, "concurrencyStamp": stamp(&published.json)});
    let restored = operator.post(ROLL_BACK, body).await;
    assert_eq!(restored.status, StatusCode::OK, "{}", restored.body);
    assert_eq!(restored.json["version"]["restores"], json!(0));
    assert_eq!(restored.json["text"], first["text"]);
    assert_eq!(lists().await, StatusCode::OK);

    let page = operator.get(&format!("{VERSIONS}?pageSize=1")).await;
    assert_eq!(
        page.json["versions"][0]["number"],
        json!(2),
        "{}",
        page.body
    );
    let token = page.json["nextPageToken"].as_str().expect("a next page");
    let page = operator
        .get(&format!("{VERSIONS}?pageSize=1&pageToken={token}"))
        .await;
    assert_eq!(
        page.json["versions"][0]["number"],
        json!(1),
        "{}",
        page.body
    );
    assert_eq!(page.json["nextPageToken"], json!(""));
    let earlier = operator.get(&format!("{RULES}?version=1")).await;
    assert_eq!(earlier.json["text"], published.json["text"]);
    let missing = operator.get(&format!("{RULES}?version=9")).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND, "{}", missing.body);
    assert_eq!(reason(&missing.json), "RULES_VERSION_NOT_FOUND");
    service.running.shutdown().await;
}

#[tokio::test]
async fn rules_that_lock_somebody_out_or_favour_the_publisher_are_refused() {
    let service = Service::start().await;
    service.grant(NOURA_ID, HOME, "administrator").await;
    let operator = signed_in(&service, HESSA).await;
    let first = current(&operator).await;
    let grpc = channel(&service).await;
    let mut grpc = RulesClient::new(grpc);
    let documents = ["LeastRole.operator", "Service.Documents.*"];
    for (role, allowed, finding) in [
        (
            "operator",
            &["Service.Documents.*"][..],
            "PUBLISHER_LOCKED_OUT",
        ),
        ("operator", &documents[..], "PUBLISHER_GAINS"),
        (
            "administrator",
            &["LeastRole.viewer"][..],
            "ADMINISTRATION_LOCKED_OUT",
        ),
        // What is left does not give anybody access again.
        (
            "administrator",
            &["LeastRole.viewer", "Service.Admin.Audit.*"][..],
            "ADMINISTRATION_LOCKED_OUT",
        ),
    ] {
        let matrix = with_role(&first, role, allowed);
        let checked = operator.post(CHECK, json!({"matrix": matrix})).await;
        assert_eq!(
            checked.json["publishable"],
            json!(false),
            "{}",
            checked.body
        );
        let found = checked.json["findings"].as_array().expect("findings");
        assert!(
            found.iter().any(|found| found["reason"] == finding),
            "{finding}: {found:?}"
        );
        // A dry run is refused for the same reason, and writes nothing.
        let dry =
            json!({"matrix": matrix, "concurrencyStamp": stamp(&first), "validateOnly": true});
        let dry = operator.post(PUBLISH, dry).await;
        assert_eq!(reason(&dry.json), "RULES_REFUSED", "{}", dry.body);
        let refused = publish(&operator, matrix, stamp(&first)).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
        assert_eq!(reason(&refused.json), "RULES_REFUSED");
        // The same text over gRPC.
        let text = checked.json["text"].as_str().expect("a text").to_owned();
        let request = operator.grpc(PublishRulesRequest {
            text,
            concurrency_stamp: stamp(&first).as_str().unwrap_or_default().to_owned(),
            ..PublishRulesRequest::default()
        });
        let refused = grpc.publish_rules(request).await.expect_err("refused");
        assert_eq!(refused.code(), tonic::Code::FailedPrecondition);
    }
    assert_eq!(current(&operator).await["version"], first["version"]);
    let refusals = events(&service, AuditEventKind::RulesRefused).await;
    assert_eq!(refusals.len(), 8, "{refusals:?}");

    // What is wrong with a text, with its place.
    let text = "permit (principal in Role::\"clerk\",\n    action == Action::\"Service.Nothing\", resource);";
    let wrong = operator
        .post(
            PUBLISH,
            json!({"text": text, "concurrencyStamp": stamp(&first)}),
        )
        .await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST, "{}", wrong.body);
    assert_eq!(reason(&wrong.json), "INVALID_RULES");
    let [(field, description)] = &violations(&wrong.json)[..] else {
        panic!("{}", wrong.body);
    };
    assert_eq!(field, "text");
    assert!(
        description.starts_with("line 2, column 15: "),
        "{description}"
    );
    let request = operator.grpc(CheckRulesRequest {
        text: text.to_owned(),
        ..CheckRulesRequest::default()
    });
    let checked = grpc
        .check_rules(request)
        .await
        .expect("a check")
        .into_inner();
    assert!(!checked.publishable);
    assert_eq!(
        (checked.violations[0].line, checked.violations[0].column),
        (2, 15)
    );

    let request = operator.grpc(GetRulesRequest { version: None });
    let rules = grpc
        .get_rules(request)
        .await
        .expect("the rules")
        .into_inner();
    assert_eq!(rules.text, first["text"].as_str().unwrap_or_default());
    service.running.shutdown().await;
}

#[tokio::test]
async fn removed_right_ends_with_the_next_request_at_another_process() {
    let folder = ServiceFolder::new();
    let first = Process::start(&folder, &[]).await;
    let second = Process::start(&folder, &[]).await;
    let token = async |name: &str| {
        let tokens = first.client.sign_in(name).await;
        tokens.text("access_token").to_owned()
    };
    let operator = GatewayClient {
        service: &first.client,
        token: token(HESSA).await,
    };
    let noura = token(NOURA).await;
    let lists = async || second.client.list_status(&noura, None).await;
    for _ in 0..3 {
        assert_eq!(lists().await, StatusCode::OK);
    }
    let rules = current(&operator).await;
    let mut matrix = rules["matrix"].clone();
    matrix["forbidden"] = json!(["Service.Simple.Invoices.v1.List"]);
    let published = publish(&operator, matrix, stamp(&rules)).await;
    assert_eq!(published.status, StatusCode::OK, "{}", published.body);
    assert_eq!(lists().await, StatusCode::FORBIDDEN, "no delay at all");

    // Of two publications at two processes that are based on one version, one is published.
    let there = GatewayClient {
        service: &second.client,
        token: operator.token.clone(),
    };
    let rules = current(&there).await;
    let publish = |client| publish(client, rules["matrix"].clone(), stamp(&rules));
    let (here, there) = tokio::join!(publish(&operator), publish(&there));
    let mut statuses = [here.status, there.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT]);
}

#[tokio::test]
async fn publication_is_refused_while_the_directory_changes_at_every_attempt() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let connection = service.folder.connect().await;
    let change = by_engine(
        "UPDATE generation SET number = number + 1",
        "UPDATE versions SET number = number + 1 WHERE name = 'directory'",
    );
    // A change that waits for the disk would keep the service from writing.
    let fast = by_engine("PRAGMA synchronous = OFF", "");
    connection.execute(fast).await.expect("a setting");
    let changes = async || {
        while connection.execute(change).await.is_ok() {}
    };
    let refused = wait_for("every attempt has met a change", async || {
        let rules = current(&operator).await;
        let published = tokio::select! {
            published = publish(&operator, rules["matrix"].clone(), stamp(&rules)) => published,
            () = changes() => panic!("the directory cannot be changed"),
        };
        // Without a change between check and publication it is published.
        (published.status != StatusCode::OK).then_some(published)
    })
    .await;
    assert_eq!(
        (refused.status, &*reason(&refused.json)),
        (StatusCode::CONFLICT, "DIRECTORY_CHANGED"),
        "{}",
        refused.body
    );
    let rules = current(&operator).await;
    let published = publish(&operator, rules["matrix"].clone(), stamp(&rules)).await;
    assert_eq!(published.status, StatusCode::OK, "{}", published.body);
    service.running.shutdown().await;
}

/// What a failover to a standby that is not synchronous leaves (decision 0172). On SQLite, whose authorizer is the same, other statements
/// bring it about.
#[tokio::test]
async fn rules_whose_publication_a_failover_has_lost_decide_no_request() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let person = signed_in(&service, NOURA).await;
    let lists = async || person.service.list_status(&person.token, None).await;
    let versions = by_engine("generation", "versions");
    let version = async || {
        let select = format!("SELECT number FROM {versions}");
        service.folder.count(&select).await
    };
    let connection = service.folder.connect().await;
    let execute = async |statements: &str| {
        let executed = connection.execute(statements).await;
        executed.unwrap_or_else(|error| panic!("{statements}: {error}"));
    };
    execute(by_engine(
        "DROP TRIGGER rule_versions_are_not_updated; DROP TRIGGER rule_versions_are_not_deleted",
        "",
    ))
    .await;
    let rules = current(&operator).await;
    let built_in = rules["text"].as_str().expect("a text").replace('\'', "''");
    let mut without_lists = rules["matrix"].clone();
    without_lists["forbidden"] = json!(["Service.Simple.Invoices.v1.List"]);
    assert_eq!(lists().await, StatusCode::OK);

    // The standby has none, and the version of the directory from before.
    let before = version().await;
    let published = publish(&operator, without_lists.clone(), stamp(&rules)).await;
    assert_eq!(published.status, StatusCode::OK, "{}", published.body);
    assert_eq!(lists().await, StatusCode::FORBIDDEN);
    execute(&format!(
        "DELETE FROM rule_versions; UPDATE {versions} SET number = {before}"
    ))
    .await;
    assert_eq!(lists().await, StatusCode::OK, "the built-in version");

    // There was another publication since, which has the number of the one that was lost.
    let published = publish(&operator, without_lists, stamp(&rules)).await;
    assert_eq!(published.status, StatusCode::OK, "{}", published.body);
    assert_eq!(lists().await, StatusCode::FORBIDDEN);
    execute(&format!(
        "UPDATE rule_versions SET text = '{built_in}', concurrency_stamp = 'another';
         UPDATE {versions} SET number = {before}"
    ))
    .await;
    assert_eq!(lists().await, StatusCode::OK, "the other publication");
    service.running.shutdown().await;
}
