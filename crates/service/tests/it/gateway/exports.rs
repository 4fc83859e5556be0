//! Tests of exports: CSV and workbooks of a filtered list.

use crate::fixtures::gateway::{GatewayClient, channel, invoice, violation_fields};
use crate::fixtures::process::Process;
use crate::fixtures::{Service, ServiceFolder};
use invoicing_contract::messages::documents as v2;
use invoicing_contract::messages::documents::document_files_client::DocumentFilesClient;
use reqwest::Method;
use serde_json::{Value, json};

const EXPORT: &str = "/api/v2/documents:export";

async fn export(gateway: &GatewayClient<'_>, body: Value) -> (String, Vec<u8>) {
    let request = gateway.request(Method::POST, EXPORT).json(&body);
    let response = request.send().await.expect("a response");
    assert_eq!(response.status(), 200, "{body}");
    let media_type = response.headers()["content-type"].to_str();
    let media_type = media_type.expect("ASCII").to_owned();
    assert!(response.headers().contains_key("content-disposition"));
    (
        media_type,
        response.bytes().await.expect("all of it").to_vec(),
    )
}

#[tokio::test]
async fn filtered_list_is_exported_in_its_order_as_csv_and_workbook() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    for (buyer, price) in [("=1+1", "20"), ("Palm, \"Date\"", "10"), ("Oak", "30")] {
        let mut content = invoice("service", price);
        content["buyer"] = json!({"name": {"en": buyer}});
        content["currency"] = json!("AED");
        content["taxCurrency"] = json!("SAR");
        content["exchangeRate"] = json!("1.02");
        gateway.create_draft(content).await;
    }
    let query = json!({
        "filter": {"currency": ["AED"]},
        "sort": [{"field": "GROSS"}],
        "columns": ["buyer", "currency", "net", "gross", "status"],
    });
    let (media_type, csv) = export(&gateway, query.clone()).await;
    assert!(media_type.starts_with("text/csv"), "{media_type}");
    let text = String::from_utf8(csv.clone()).expect("UTF-8");
    assert_eq!(
        text,
        "buyer,currency,net,gross,status\r\n\
         \"Palm, \"\"Date\"\"\",AED,10.00,11.50,DRAFT\r\n\
         '=1+1,AED,20.00,23.00,DRAFT\r\n\
         Oak,AED,30.00,34.50,DRAFT\r\n"
    );
    let mut marked = query.clone();
    marked["byteOrderMark"] = json!(true);
    let (_, marked) = export(&gateway, marked).await;
    assert_eq!(marked, ["\u{feff}".as_bytes(), &csv].concat());

    let mut in_arabic = query.clone();
    in_arabic["language"] = json!("ar");
    let (_, in_arabic) = export(&gateway, in_arabic).await;
    let in_arabic = String::from_utf8(in_arabic).expect("UTF-8");
    let expected = "المشتري,العملة,الصافي,الإجمالي شامل الضريبة,الحالة\r\n\
         \"Palm, \"\"Date\"\"\",AED,10.00,11.50,مسودة\r\n";
    assert!(in_arabic.starts_with(expected), "{in_arabic}");

    let mut workbook = query.clone();
    workbook["format"] = json!("XLSX");
    let (media_type, workbook) = export(&gateway, workbook).await;
    assert!(media_type.ends_with("spreadsheetml.sheet"), "{media_type}");
    assert!(workbook.starts_with(b"PK\x03\x04"), "a ZIP archive");

    // Over gRPC the chunks are messages.
    let mut client = DocumentFilesClient::new(channel(&service).await);
    let request = v2::ExportDocumentsRequest {
        filter: Some(v2::Filter {
            currency: vec!["AED".into()],
            ..v2::Filter::default()
        }),
        sort: vec![v2::Sort {
            field: v2::SortField::Gross as i32,
            descending: false,
        }],
        columns: ["buyer", "currency", "net", "gross", "status"]
            .map(str::to_owned)
            .to_vec(),
        ..v2::ExportDocumentsRequest::default()
    };
    let chunks = client.export_documents(gateway.grpc(request)).await;
    let mut chunks = chunks.expect("a stream").into_inner();
    let mut received = Vec::new();
    while let Some(chunk) = chunks.message().await.expect("no error") {
        received.extend(chunk.data);
    }
    assert_eq!(received, csv);

    let wrong = json!({"columns": ["colour"], "filter": {"currency": ["ZZZ"]}, "sort": [{"field": "GROSS"}, {"field": "GROSS"}]});
    let refused = gateway.post(EXPORT, wrong).await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    assert_eq!(
        violation_fields(&refused),
        ["filter.currency[0]", "sort[1].field", "columns[0]"]
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_is_open_of_a_document_is_exported_and_nothing_of_a_draft() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a draft", "10")).await;
    let issued = gateway.create_draft(invoice("an invoice", "10")).await;
    let issued = gateway.perform(&issued, "issue").await;
    let keys = [&draft, &issued].map(|document| document["documentKey"].clone());
    let query = json!({
        "documentKeys": keys, "sort": [{"field": "NUMBER"}],
        "columns": ["kind", "open", "gross"], "language": "en",
    });
    let (_, csv) = export(&gateway, query).await;
    let expected = "Kind,Open,Gross\r\nInvoice,,11.50\r\nInvoice,11.50,11.50\r\n";
    assert_eq!(String::from_utf8(csv).expect("UTF-8"), expected);
    service.running.shutdown().await;
}

#[tokio::test]
async fn export_of_many_pages_has_every_document_once() {
    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &["--invoices", "2100"]).await;
    let gateway = GatewayClient::new(&process.client).await;
    let list = gateway
        .post("/api/v2/documents/list", json!({"pageSize": 1}))
        .await;
    let total = list.json["totalSize"].as_u64().expect("a number");
    let (_, csv) = export(&gateway, json!({"columns": ["documentKey"]})).await;
    let text = String::from_utf8(csv).expect("UTF-8");
    let keys: std::collections::HashSet<_> = text.lines().skip(1).collect();
    assert_eq!(keys.len() as u64, total, "once each");
    assert_eq!(text.lines().count() as u64, total + 1);
    process.kill();
}

#[tokio::test]
async fn documents_of_a_filter_are_exported_by_key_or_without_some() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut keys = Vec::new();
    for price in ["10", "20", "30"] {
        let mut content = invoice("service", price);
        content["buyer"] = json!({"name": {"en": "Chosen"}});
        let created = gateway.create_draft(content).await;
        keys.push(created["documentKey"].clone());
    }
    let query = json!({
        "filter": {"buyer": "Chosen"},
        "sort": [{"field": "GROSS"}],
        "columns": ["documentKey"],
    });
    let exported = async |field: &str, keys: &[Value]| {
        let mut body = query.clone();
        body[field] = json!(keys);
        let (_, csv) = export(&gateway, body).await;
        let text = String::from_utf8(csv).expect("UTF-8");
        text.lines().skip(1).map(Value::from).collect::<Vec<_>>()
    };
    assert_eq!(exported("documentKeys", &keys[1..2]).await, keys[1..2]);
    let mixed = [keys[2].clone(), json!("unknown"), keys[0].clone()];
    assert_eq!(
        exported("documentKeys", &mixed).await,
        [keys[0].clone(), keys[2].clone()]
    );
    assert_eq!(
        exported("excludedKeys", &keys[1..2]).await,
        [keys[0].clone(), keys[2].clone()]
    );
    assert_eq!(
        exported("documentKeys", &[json!("unknown")]).await,
        Vec::<Value>::new()
    );
    // Of those that are named one is gone: the header says how many rows there are.
    let named = [keys[0].clone(), json!(uuid::Uuid::nil()), keys[2].clone()];
    for (format, rows) in [("XLSX", Some("2")), ("CSV", None)] {
        let body = json!({"format": format, "documentKeys": named});
        let request = gateway.request(Method::POST, EXPORT).json(&body);
        let response = request.send().await.expect("a response");
        assert_eq!(response.status(), 200, "{format}");
        let header = response.headers().get("x-row-count");
        let header = header.map(|value| value.to_str().expect("ASCII"));
        assert_eq!(header, rows, "{format}");
        // An organization has one export at a time.
        response.bytes().await.expect("all of it");
    }
}
