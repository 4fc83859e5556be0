//! Tests of reports over REST and gRPC.

use invoicing_contract::messages::reports::reports_client::ReportsClient;
use invoicing_contract::messages::reports::{
    GetAgeingRequest, GetBuyerSumsRequest, GetMonthlySumsRequest, GetTaxSumsRequest,
};
use serde_json::{Value, json};

use super::payments::{issued, pay, states};
use crate::fixtures::Service;
use crate::fixtures::gateway::{GatewayClient, channel, invoice, violation_fields};

#[tokio::test]
async fn reports_sum_what_is_open_months_buyers_and_taxes() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let dated = |price: &str, issue_date: &str, due_date: &str| {
        let mut invoice = invoice("a", price);
        invoice["issueDate"] = json!(issue_date);
        invoice["supplyDate"] = json!(issue_date);
        invoice["dueDate"] = json!(due_date);
        invoice
    };
    let before = gateway.get("/api/v2/reports/ageing?asOf=2024-03-10").await;
    assert_eq!(before.status, 200, "{}", before.body);
    let early = issued(&gateway, dated("100", "2024-01-05", "2024-02-01")).await;
    issued(&gateway, dated("200", "2024-01-20", "2024-03-10")).await;
    issued(&gateway, dated("400", "2024-02-10", "2024-03-09")).await;
    gateway
        .create_draft(dated("800", "2024-02-10", "2024-03-09"))
        .await;
    let mut note = dated("40", "2024-02-20", "");
    note["kind"] = json!("CREDIT_NOTE");
    note["reason"] = json!("returned");
    note["preceding"] = json!([{
        "documentKey": early["documentKey"], "number": early["content"]["invoice"]["number"],
    }]);
    issued(&gateway, note).await;
    pay(&gateway, &early, "9").await;

    let ageing = gateway.get("/api/v2/reports/ageing?asOf=2024-03-10").await;
    let row = |body: &Value| {
        let rows = body["rows"].as_array().cloned().unwrap_or_default();
        rows.into_iter().find(|row| row["currency"] == "SAR")
    };
    let found = row(&ageing.json).expect("riyals");
    // 115 - 46 - 9 are due since February, 38 days; 460 for a day; 230 today.
    assert_eq!(
        [
            &found["notDue"],
            &found["days1To30"],
            &found["days31To60"],
            &found["over90Days"]
        ],
        ["230.00", "460.00", "60.00", "0.00"],
        "{}",
        ageing.body
    );
    assert_eq!(
        (&found["open"], &found["count"]),
        (&json!("750.00"), &json!(3))
    );
    assert_eq!(states(&gateway, "OVERDUE").await.len(), 3);

    let months = gateway
        .get("/api/v2/reports/monthlySums?from=2024-01&to=2024-02")
        .await;
    let rows: Vec<_> = months.json["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            (
                text("month"),
                text("kind"),
                row["count"].as_i64(),
                text("gross"),
            )
        })
        .collect();
    let expected = [
        ("2024-01", "INVOICE", 2, "345.00"),
        ("2024-02", "INVOICE", 1, "460.00"),
        ("2024-02", "CREDIT_NOTE", 1, "-46.00"),
    ];
    let expected = expected.map(|(month, kind, count, gross)| {
        (
            month.to_owned(),
            kind.to_owned(),
            Some(count),
            gross.to_owned(),
        )
    });
    assert_eq!(rows, expected, "{}", months.body);

    let taxes = gateway
        .get("/api/v2/reports/taxSums?from=2024-01-01&to=2024-03-31")
        .await;
    assert_eq!(
        taxes.json["rows"],
        json!([{
            "currency": "SAR", "category": "S", "rate": "15", "count": 4, "taxable": "660.00", "tax": "99.00",
        }]),
        "{}",
        taxes.body
    );
    // 115 + 230 + 460 - 46
    let buyers = gateway
        .get("/api/v2/reports/buyerSums?from=2024-01-01&to=2024-03-31")
        .await;
    let rows = buyers.json["rows"].as_array().expect("rows");
    let [buyer] = rows.as_slice() else {
        panic!("one buyer: {}", buyers.body);
    };
    assert_eq!(buyer["name"], early["content"]["invoice"]["buyer"]["name"]);
    assert_eq!(
        (
            &buyer["currency"],
            &buyer["count"],
            &buyer["net"],
            &buyer["gross"]
        ),
        (&json!("SAR"), &json!(4), &json!("660.00"), &json!("759.00")),
        "{}",
        buyers.body
    );
    for (path, fields) in [
        ("ageing?asOf=today", vec!["asOf"]),
        ("monthlySums?from=2024", vec!["from", "to"]),
        ("monthlySums?from=2024-02&to=2024-01", vec!["to"]),
        ("taxSums", vec!["from", "to"]),
        ("buyerSums", vec!["from", "to"]),
        (
            "buyerSums?from=2024-01-01&to=2024-01-31&maxBuyers=101",
            vec!["maxBuyers"],
        ),
    ] {
        let wrong = gateway.get(&format!("/api/v2/reports/{path}")).await;
        assert_eq!(violation_fields(&wrong), fields, "{path}");
    }
    let mut client = ReportsClient::new(channel(&service).await);
    let request = GetAgeingRequest {
        as_of: "2024-03-10".to_owned(),
    };
    let ageing = client.get_ageing(gateway.grpc(request)).await;
    assert_eq!(
        ageing.expect("a report").into_inner().rows[0].open,
        "750.00"
    );
    let request = GetMonthlySumsRequest {
        from: "2024-01".to_owned(),
        to: String::new(),
    };
    let months = client.get_monthly_sums(gateway.grpc(request)).await;
    assert_eq!(months.expect("a report").into_inner().rows.len(), 1);
    let request = GetTaxSumsRequest {
        from: "2024-01-01".to_owned(),
        to: "2024-01-31".to_owned(),
    };
    let taxes = client.get_tax_sums(gateway.grpc(request)).await;
    assert_eq!(taxes.expect("a report").into_inner().rows[0].tax, "45.00");
    let request = GetBuyerSumsRequest {
        from: "2024-01-01".to_owned(),
        to: "2024-01-31".to_owned(),
        max_buyers: 1,
    };
    let buyers = client.get_buyer_sums(gateway.grpc(request)).await;
    assert_eq!(
        buyers.expect("a report").into_inner().rows[0].gross,
        "345.00"
    );
    service.running.shutdown().await;
}
