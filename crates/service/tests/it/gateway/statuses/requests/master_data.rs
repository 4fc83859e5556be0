//! Requests of invoicing.parties.v2.Parties and invoicing.items.v2.Items.

use serde_json::{Value, json};

use super::documents::issued;
use super::{Environment, new_key};

const PARTIES: &str = "/api/v2/parties";
const ITEMS: &str = "/api/v2/items";

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let request = match method {
        "CreateParty" => json!({"partyKey": new_key(), "party": party()}),
        "CreateItem" => json!({"itemKey": new_key(), "item": item()}),
        "ListParties" | "ListItems" => json!({"pageSize": 1}),
        "RememberParty" => json!({"documentKey": issued(environment).await["documentKey"]}),
        "RememberItem" => {
            json!({"documentKey": issued(environment).await["documentKey"], "lineId": "1"})
        }
        "GetParty" | "GetPartyHistory" => {
            json!({"partyKey": created_party(environment).await["partyKey"]})
        }
        "GetItem" | "GetItemHistory" => {
            json!({"itemKey": created_item(environment).await["itemKey"]})
        }
        "UpdateParty" => {
            let mut request = key_and_stamp(&created_party(environment).await, "partyKey");
            request["party"] = party();
            request
        }
        "UpdateItem" => {
            let mut request = key_and_stamp(&created_item(environment).await, "itemKey");
            request["item"] = item();
            request
        }
        "ArchiveParty" => key_and_stamp(&created_party(environment).await, "partyKey"),
        "ArchiveItem" => key_and_stamp(&created_item(environment).await, "itemKey"),
        "RestoreParty" => {
            let party = created_party(environment).await;
            let archived = archived(environment, PARTIES, &party, "partyKey").await;
            key_and_stamp(&archived, "partyKey")
        }
        "RestoreItem" => {
            let item = created_item(environment).await;
            let archived = archived(environment, ITEMS, &item, "itemKey").await;
            key_and_stamp(&archived, "itemKey")
        }
        "GetLastPrice" => {
            let key = issued(environment).await["documentKey"].clone();
            let client = &environment.administrator;
            let remember = json!({"documentKey": key});
            let party = client.post(&format!("{PARTIES}:remember"), remember).await;
            let remember = json!({"documentKey": key, "lineId": "1"});
            let item = client.post(&format!("{ITEMS}:remember"), remember).await;
            json!({"itemKey": item.json["itemKey"], "partyKey": party.json["partyKey"]})
        }
        _ => return None,
    };
    Some(request)
}

fn party() -> Value {
    json!({"details": {"name": {"en": "Oasis"}}})
}

fn item() -> Value {
    json!({"name": {"en": "Dates"}, "price": "10"})
}

async fn created_party(environment: &Environment<'_>) -> Value {
    let body = json!({"party": party()});
    let created = environment.administrator.post(PARTIES, body).await;
    created.json["party"].clone()
}

async fn created_item(environment: &Environment<'_>) -> Value {
    let body = json!({"item": item()});
    let created = environment.administrator.post(ITEMS, body).await;
    created.json["item"].clone()
}

/// A party or item that was archived. One that is not stays as it is when it is restored.
async fn archived(environment: &Environment<'_>, path: &str, record: &Value, key: &str) -> Value {
    let path = format!("{path}/{}:archive", record[key].as_str().expect("a key"));
    let body = json!({"concurrencyStamp": record["concurrencyStamp"]});
    let archived = environment.administrator.post(&path, body).await;
    assert_eq!(archived.status, 200, "{}", archived.body);
    archived.json
}

fn key_and_stamp(record: &Value, key: &str) -> Value {
    json!({key: record[key], "concurrencyStamp": record["concurrencyStamp"]})
}
