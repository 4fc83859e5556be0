//! Plans: which partitions statements read.

use std::collections::BTreeSet;

use invoicing_storage::secret::TokenHash;
use invoicing_storage::suite::fixtures::{NOW, code, hash_at, populate};
use invoicing_storage::tokens::{Family, TokenStore as _};
use serde_json::Value;
use tokio_postgres::Client;

use super::{DAY, authorize_at, connect, open, texts};
use crate::tokens::rows::{SELECT_CODE, SELECT_REFRESH_TOKEN, SELECT_VALID_ACCESS_TOKEN};
use crate::tokens::token_statements::ROTATE_REFRESH_TOKEN;

/// The relations that a plan has read, with how often.
fn executed_relations(node: &Value, relations: &mut Vec<String>) {
    if let Some(relation) = node["Relation Name"].as_str()
        && node["Actual Loops"].as_f64().unwrap() > 0.0
    {
        relations.push(relation.to_owned());
    }
    for child in node["Plans"].as_array().into_iter().flatten() {
        executed_relations(child, relations);
    }
}

/// The relations that a prepared statement reads, planned for its parameters (`custom`) or for any (`generic`).
async fn relations(client: &Client, mode: &str, statement: &str, parameters: &str) -> Vec<String> {
    let explain = format!(
        "SET plan_cache_mode = force_{mode}_plan; PREPARE statement AS {statement};
         BEGIN; EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE statement ({parameters}); ROLLBACK; DEALLOCATE statement"
    );
    let plan = texts(client, &explain).await.concat();
    let plan: Value = serde_json::from_str(&plan).unwrap();
    let mut relations = Vec::new();
    executed_relations(&plan[0]["Plan"], &mut relations);
    relations.sort();
    relations
}

fn literal(hash: &TokenHash) -> String {
    use std::fmt::Write as _;
    let mut text = String::from("'\\x");
    for byte in hash.as_bytes() {
        write!(text, "{byte:02x}").unwrap();
    }
    text + "'"
}

#[tokio::test]
async fn lookup_of_a_token_reads_one_partition() {
    let (store, database) = open().await;
    populate(&store).await;
    for days in 0..40 {
        authorize_at(&store, &format!("day {days}"), NOW.plus(DAY * days)).await;
    }
    let at = NOW.plus(DAY * 20);
    let family = authorize_at(&store, "one", at).await;
    let mut authorization = code("code");
    authorization.hash = hash_at("code", at);
    let with_code = Family {
        id: hash_at("with a code", at).lookup_key(),
        ..family.clone()
    };
    store
        .insert_authorization(&with_code, &authorization)
        .await
        .unwrap();
    let client = connect(database.application_url()).await;
    let of = |relations: &[String], table: &str| {
        let prefix = format!("{table}_d");
        let relations: BTreeSet<_> = relations
            .iter()
            .filter(|relation| relation.starts_with(&prefix))
            .cloned()
            .collect();
        relations.len()
    };
    for mode in ["custom", "generic"] {
        let (access, refresh) = (hash_at("one access", at), hash_at("one refresh", at));
        let parameters = format!(
            "{}, {}, {}",
            access.lookup_key(),
            literal(&access),
            at.as_millis()
        );
        let read = relations(&client, mode, SELECT_VALID_ACCESS_TOKEN, &parameters).await;
        assert_eq!(of(&read, "access_tokens"), 1, "{mode}: {read:?}");

        let parameters = format!("{}, {}", refresh.lookup_key(), literal(&refresh));
        let read = relations(&client, mode, SELECT_REFRESH_TOKEN, &parameters).await;
        assert_eq!(of(&read, "refresh_tokens"), 1, "{mode}: {read:?}");
        assert_eq!(of(&read, "families"), 1, "{mode}: {read:?}");

        let hash = &authorization.hash;
        let parameters = format!("{}, {}", hash.lookup_key(), literal(hash));
        let read = relations(&client, mode, SELECT_CODE, &parameters).await;
        assert!(matches!(of(&read, "families"), 1 | 2), "{mode}: {read:?}");

        let next = hash_at("next", at);
        let parameters = format!(
            "'[]', {next}, {bytes}, 1, 'noura', 0, NULL, NULL, {at}, {at}, {next}, {bytes}, {at}, {}, {}, {at}",
            refresh.lookup_key(),
            literal(&refresh),
            next = next.lookup_key(),
            bytes = literal(&next),
            at = at.as_millis(),
        );
        let read = relations(&client, mode, ROTATE_REFRESH_TOKEN, &parameters).await;
        assert_eq!(of(&read, "refresh_tokens"), 1, "{mode}: {read:?}");
    }
}
