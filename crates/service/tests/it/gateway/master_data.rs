//! Tests of parties and items over REST and gRPC.

use invoicing_contract::messages::documents as wire;
use invoicing_contract::messages::items::items_client::ItemsClient;
use invoicing_contract::messages::items::{GetItemRequest, GetLastPriceRequest};
use invoicing_contract::messages::parties::parties_client::PartiesClient;
use invoicing_contract::messages::parties::{
    CreatePartyRequest, GetPartyRequest, ListPartiesRequest, Party, PartyFilter,
};
use invoicing_storage::audit::{AuditEventKind, Query};
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixtures::gateway::{GatewayClient, channel, invoice, reason, violation_fields};
use crate::fixtures::{Response, Service};

const PARTIES: &str = "/api/v2/parties";
const ITEMS: &str = "/api/v2/items";
const KEY: &str = "01935e2a-7c00-7000-8000-0000000000a1";

async fn patch(gateway: &GatewayClient<'_>, path: &str, body: Value) -> Response {
    let request = gateway.request(Method::PATCH, path).json(&body);
    Response::read(request.send().await.expect("a response")).await
}

/// Has the buyer of a document remembered.
async fn remember_buyer(gateway: &GatewayClient<'_>, document: &Value) -> Response {
    let body = json!({"documentKey": document["documentKey"]});
    gateway.post(&format!("{PARTIES}:remember"), body).await
}

/// Has the item of a line remembered.
async fn remember_item(gateway: &GatewayClient<'_>, document: &Value, line: &str) -> Response {
    let body = json!({"documentKey": document["documentKey"], "lineId": line});
    gateway.post(&format!("{ITEMS}:remember"), body).await
}

/// The path of the last price of an item for a party, both as they were remembered.
fn last_price(item: &Response, party: &Response) -> String {
    let [item, party] =
        [&item.json["itemKey"], &party.json["partyKey"]].map(|key| key.as_str().expect("a key"));
    format!("{ITEMS}/{item}/lastPrice?partyKey={party}")
}

/// Names of the parties that a search finds, or of the items.
async fn search(gateway: &GatewayClient<'_>, collection: &str, text: &str) -> Vec<String> {
    let body = json!({"filter": {"text": text}});
    let page = gateway.post(&format!("{collection}/list"), body).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let items = page.json["items"].as_array().cloned().unwrap_or_default();
    let names = items.iter().map(|item| {
        let name = if collection == PARTIES {
            &item["details"]["name"]
        } else {
            &item["name"]
        };
        name["en"].as_str().unwrap_or_default().to_owned()
    });
    names.collect()
}

#[tokio::test]
async fn party_is_created_found_changed_and_archived() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let details = json!({
        "name": {"ar": "شركة النخيل", "en": "Palm Company"},
        "taxId": "310122393500003",
        "contact": {"email": "info@palm.example"},
    });
    let wrong = gateway
        .post(
            PARTIES,
            json!({"partyKey": "7", "party": {
                "partyKey": KEY,
                "details": {"address": {"country": "XX"}},
                "roles": ["BUYER", "BUYER"],
                "defaults": {"currency": "ABC", "dueDays": -1, "daysAfterMonthEnd": -1, "language": "fr"},
                "tags": [""],
            }}),
        )
        .await;
    assert_eq!(wrong.status, 400, "{}", wrong.body);
    let fields = violation_fields(&wrong);
    for field in [
        "partyKey",
        "party.partyKey",
        "party.details.name",
        "party.details.address.country",
        "party.roles[1]",
        "party.defaults.currency",
        "party.defaults.dueDays",
        "party.defaults.daysAfterMonthEnd",
        "party.defaults.language",
        "party.tags[0]",
    ] {
        assert!(
            fields.iter().any(|found| found == field),
            "{field} in {fields:?}"
        );
    }

    let body = json!({"partyKey": KEY, "party": {"details": details, "tags": ["wholesale"]}});
    let mut only_checked = body.clone();
    only_checked["validateOnly"] = json!(true);
    let checked = gateway.post(PARTIES, only_checked).await;
    assert_eq!(checked.status, 200, "{}", checked.body);
    assert_eq!(gateway.get(&format!("{PARTIES}/{KEY}")).await.status, 404);
    let created = gateway.post(PARTIES, body.clone()).await;
    assert_eq!(created.status, 200, "{}", created.body);
    let party = &created.json["party"];
    assert_eq!(party["roles"], json!(["BUYER"]));
    let again = gateway.post(PARTIES, body).await;
    assert_eq!(
        (again.status.as_u16(), &*reason(&again.json)),
        (409, "PARTY_EXISTS")
    );

    // Another with its tax id is refused, and allowed only if the caller says so. Similar names are listed.
    let branch = json!({"party": {"details": {
        "name": {"en": "The Palm Company, Jeddah"}, "taxId": "310122393500003",
    }}});
    let refused = gateway.post(PARTIES, branch.clone()).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    assert_eq!(reason(&refused.json), "PARTY_TAX_ID_EXISTS");
    assert!(refused.body.contains(KEY), "{}", refused.body);
    let mut allowed = branch.clone();
    allowed["allowSharedTaxId"] = json!(true);
    let allowed = gateway.post(PARTIES, allowed).await;
    assert_eq!(
        allowed.json["party"]["sharesTaxId"],
        json!(true),
        "{}",
        allowed.body
    );
    let similar =
        json!({"party": {"details": {"name": {"en": "palm company"}}}, "validateOnly": true});
    let similar = gateway.post(PARTIES, similar).await;
    let names = similar.json["similar"].as_array().map(Vec::len);
    assert_eq!(names, Some(2), "{}", similar.body);

    // Most recently used first; in both languages, by tax id, e-mail address and tag.
    for (text, found) in [
        ("pal", 2),
        ("نخي", 1),
        ("النخيل", 1),
        ("310122", 2),
        ("info@pa", 1),
        ("whole", 1),
        ("comp jed", 1),
        ("alm", 0),
        ("%", 2),
    ] {
        assert_eq!(search(&gateway, PARTIES, text).await.len(), found, "{text}");
    }
    let first = gateway
        .post(&format!("{PARTIES}/list"), json!({"pageSize": 1}))
        .await;
    let token = first.json["nextPageToken"].as_str().expect("a token");
    let second = json!({"pageSize": 1, "pageToken": token});
    let second = gateway.post(&format!("{PARTIES}/list"), second).await;
    assert_eq!(
        second.json["items"][0]["partyKey"],
        json!(KEY),
        "{}",
        second.body
    );
    assert_eq!(second.json["nextPageToken"], json!(""));
    let other = json!({"filter": {"text": "palm"}, "pageToken": token});
    let other = gateway.post(&format!("{PARTIES}/list"), other).await;
    assert_eq!(violation_fields(&other), ["pageToken"]);

    let path = format!("{PARTIES}/{KEY}");
    let mut details = details;
    details["name"]["en"] = json!("Date Palm Company");
    let missing = patch(&gateway, &path, json!({"party": {"details": details}})).await;
    assert_eq!(violation_fields(&missing), ["concurrencyStamp"]);
    let update =
        json!({"concurrencyStamp": party["concurrencyStamp"], "party": {"details": details}});
    let updated = patch(&gateway, &path, update.clone()).await;
    assert_eq!(updated.status, 200, "{}", updated.body);
    assert_eq!(updated.json["created"], party["created"]);
    assert_eq!(updated.json["details"]["taxId"], party["details"]["taxId"]);
    let stale = patch(&gateway, &path, update).await;
    assert_eq!(
        (stale.status.as_u16(), &*reason(&stale.json)),
        (409, "STAMP_MISMATCH")
    );
    let stamp = json!({"concurrencyStamp": updated.json["concurrencyStamp"]});
    let archived = gateway.post(&format!("{path}:archive"), stamp).await;
    assert_eq!(archived.json["archived"], json!(true), "{}", archived.body);
    assert!(search(&gateway, PARTIES, "date").await.is_empty());
    let stamp = json!({"concurrencyStamp": archived.json["concurrencyStamp"]});
    let restored = gateway.post(&format!("{path}:restore"), stamp).await;
    assert_eq!(restored.status, 200, "{}", restored.body);
    assert_eq!(
        search(&gateway, PARTIES, "date").await,
        ["Date Palm Company"]
    );
    let history = gateway.get(&format!("{path}/history")).await;
    let actions: Vec<_> = history.json["revisions"]
        .as_array()
        .expect("revisions")
        .iter()
        .map(|revision| revision["action"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(actions, ["restored", "archived", "updated", "created"]);
    let query = Query {
        kinds: vec![AuditEventKind::PartyChanged],
        size: 100,
        ..Query::default()
    };
    let events = service.store().await.audit(&query).await.expect("events");
    assert_eq!(events.len(), 5, "one for each write");
    parties_over_grpc(&service, &gateway).await;
    service.running.shutdown().await;
}

async fn parties_over_grpc(service: &Service, gateway: &GatewayClient<'_>) {
    let mut client = PartiesClient::new(channel(service).await);
    let get = GetPartyRequest {
        party_key: KEY.to_owned(),
    };
    let party = client.get_party(gateway.grpc(get)).await.expect("a party");
    let tax_id = party.into_inner().details.expect("details").tax_id;
    let list = ListPartiesRequest {
        filter: Some(PartyFilter {
            text: tax_id.clone(),
            archived: false,
        }),
        ..ListPartiesRequest::default()
    };
    let page = client
        .list_parties(gateway.grpc(list))
        .await
        .expect("a page");
    assert_eq!(page.into_inner().items.len(), 2);
    let create = CreatePartyRequest {
        party: Some(Party {
            details: Some(wire::Party {
                name: Some(wire::LocalizedText {
                    en: "Another".to_owned(),
                    ar: String::new(),
                }),
                tax_id,
                ..wire::Party::default()
            }),
            ..Party::default()
        }),
        ..CreatePartyRequest::default()
    };
    let refused = client.create_party(gateway.grpc(create)).await;
    let refused = refused.expect_err("the tax id is taken");
    assert_eq!(refused.code(), tonic::Code::AlreadyExists);
}

#[tokio::test]
async fn items_and_parties_are_remembered_from_documents_with_the_last_price() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let wrong = json!({"item": {
        "name": {}, "unit": "nothing", "price": "1,5", "currency": "ABC", "tax": {"category": "Q"},
    }});
    let wrong = gateway.post(ITEMS, wrong).await;
    let fields = violation_fields(&wrong);
    for field in ["item.name", "item.unit", "item.price", "item.currency"] {
        assert!(
            fields.iter().any(|found| found == field),
            "{field} in {fields:?}"
        );
    }
    assert!(
        fields.iter().any(|field| field.starts_with("item.tax")),
        "{fields:?}"
    );
    let dates = json!({
        "name": {"en": "Ajwa dates", "ar": "تمر عجوة"}, "code": "D-1", "price": "40", "unit": "KGM",
        "tax": {"category": "S", "rate": "15"},
    });
    let created = gateway.post(ITEMS, json!({"item": dates})).await;
    assert_eq!(created.status, 200, "{}", created.body);
    assert_eq!(created.json["item"]["currency"], json!("SAR"));
    let taken = gateway.post(ITEMS, json!({"item": dates})).await;
    assert_eq!(
        (taken.status.as_u16(), &*reason(&taken.json)),
        (409, "ITEM_CODE_EXISTS")
    );
    assert_eq!(search(&gateway, ITEMS, "عجو").await, ["Ajwa dates"]);
    assert_eq!(search(&gateway, ITEMS, "d 1").await, ["Ajwa dates"]);

    let mut sold = invoice("Ajwa dates", "38.5");
    sold["lines"][0]["itemCode"] = json!("d1");
    let sold = gateway.create_draft(sold).await;
    let sold = gateway.perform(&sold, "issue").await;
    let mut service_line = invoice("Delivery", "10");
    service_line["buyer"]["name"] = json!({"en": "Oasis"});
    let other = gateway.create_draft(service_line).await;
    let party = remember_buyer(&gateway, &sold).await;
    assert_eq!(party.status, 200, "{}", party.body);
    let again = remember_buyer(&gateway, &sold).await;
    assert_eq!(
        again.json["partyKey"], party.json["partyKey"],
        "known by its name"
    );
    let oasis = remember_buyer(&gateway, &other).await;
    assert_eq!(
        search(&gateway, PARTIES, "").await,
        ["Oasis", "Palm Company"]
    );
    let known = remember_item(&gateway, &sold, "1").await;
    assert_eq!(
        known.json["itemKey"], created.json["item"]["itemKey"],
        "by its code"
    );
    let delivery = remember_item(&gateway, &other, "1").await;
    assert_eq!(delivery.json["price"], json!("10"), "{}", delivery.body);
    let nothing = remember_item(&gateway, &other, "9").await;
    assert_eq!(reason(&nothing.json), "LINE_NOT_FOUND");
    let mut unnamed = invoice("Delivery", "10");
    unnamed["subtype"] = json!("SIMPLIFIED");
    unnamed["buyer"] = json!({});
    let unnamed = gateway.create_draft(unnamed).await;
    let nobody = remember_buyer(&gateway, &unnamed).await;
    assert_eq!(reason(&nobody.json), "DOCUMENT_WITHOUT_BUYER");

    let price = gateway.get(&last_price(&known, &party)).await;
    assert_eq!(price.json["price"], json!("38.5"), "{}", price.body);
    assert_eq!(price.json["documentKey"], sold["documentKey"]);
    let none = gateway.get(&last_price(&known, &oasis)).await;
    assert_eq!(reason(&none.json), "PRICE_NOT_FOUND");

    let item_key = known.json["itemKey"].as_str().expect("a key");
    let party_key = party.json["partyKey"].as_str().expect("a key");
    let mut client = ItemsClient::new(channel(&service).await);
    let get = GetItemRequest {
        item_key: item_key.to_owned(),
    };
    let item = client.get_item(gateway.grpc(get)).await.expect("an item");
    assert_eq!(item.into_inner().code, "D-1");
    let last = GetLastPriceRequest {
        item_key: item_key.to_owned(),
        party_key: party_key.to_owned(),
    };
    let last = client
        .get_last_price(gateway.grpc(last))
        .await
        .expect("a price");
    assert_eq!(last.into_inner().price, "38.5");
    service.running.shutdown().await;
}

#[tokio::test]
async fn price_for_a_hundred_is_remembered_as_the_price_of_one() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut sold = invoice("Screws", "115");
    sold["lines"][0]["priceBase"] = json!("100");
    let sold = gateway.create_draft(sold).await;
    let sold = gateway.perform(&sold, "issue").await;
    let party = remember_buyer(&gateway, &sold).await;
    let item = remember_item(&gateway, &sold, "1").await;
    assert_eq!(item.json["price"], json!("1.15"), "{}", item.body);
    let last = gateway.get(&last_price(&item, &party)).await;
    assert_eq!(last.json["price"], json!("1.15"), "{}", last.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn last_price_is_searched_in_a_bounded_number_of_bytes() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut sold = invoice("Screws", "115");
    sold["issueDate"] = json!("2020-01-01");
    let sold = gateway.create_draft(sold).await;
    let sold = gateway.perform(&sold, "issue").await;
    let party = remember_buyer(&gateway, &sold).await;
    let item = remember_item(&gateway, &sold, "1").await;
    let last = last_price(&item, &party);
    let mut later = invoice("Nails", "10");
    later["documents"] = json!([{
        "id": {"value": "Timesheet"},
        "attachment": {"mime": "text/csv", "filename": "hours.csv", "content": "MSwy".repeat(700_000)},
    }]);
    // Three have more than 8 MiB (decision 0165).
    for reason_of in ["", "", "PRICE_NOT_FOUND"] {
        let later = gateway.create_draft(later.clone()).await;
        gateway.perform(&later, "issue").await;
        let found = gateway.get(&last).await;
        if reason_of.is_empty() {
            assert_eq!(found.json["price"], json!("115"), "{}", found.body);
        } else {
            assert_eq!(reason(&found.json), reason_of);
            assert!(found.text("message").contains("8 MiB"), "{}", found.body);
        }
    }
    service.running.shutdown().await;
}
