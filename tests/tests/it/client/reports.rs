//! Reports of an organization: ageing, sums of months, taxes of a period, and the file of a table.

use invoicing_client::views::{CommandError, InvoiceView, WindowBinding};

use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp};

/// The month of a document.
fn month(view: &InvoiceView) -> String {
    view.row.issue_date[..7].to_owned()
}

async fn months(
    app: &TestApp,
    binding: &WindowBinding,
    month: &str,
) -> Result<invoicing_client::views::MonthlySums, CommandError> {
    let (from, to) = (month.to_owned(), month.to_owned());
    app.desktop
        .monthly_sums(&app.window, binding.clone(), from, to)
        .await
}

#[tokio::test]
async fn an_issued_invoice_is_in_its_month_its_tax_and_the_ageing() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let first = app.issued_invoice(&binding).await;
    let month = month(&first);
    let count = |sums: invoicing_client::views::MonthlySums| {
        let of_currency = sums
            .currencies
            .into_iter()
            .find(|of| of.currency == first.row.currency)
            .expect("its currency");
        assert_eq!(of_currency.months.len(), 1);
        (of_currency.total.invoices, of_currency.total.net)
    };
    let before = count(months(&app, &binding, &month).await.expect("a report"));
    app.issued_invoice(&binding).await;
    let after = count(months(&app, &binding, &month).await.expect("a report"));
    assert_eq!(after.0, before.0 + 1);
    assert_ne!(after.1, before.1);

    let ageing = app
        .desktop
        .ageing(&app.window, binding.clone())
        .await
        .expect("a report");
    let row = ageing
        .rows
        .iter()
        .find(|row| row.currency == first.row.currency)
        .expect("its currency");
    assert!(row.count >= 2 && row.buckets.len() == 5);
    let longest = row.buckets.iter().map(|bar| bar.length.abs()).max();
    assert_eq!(longest, Some(1000));

    let issued: jiff::civil::Date = first.row.issue_date.parse().expect("a date");
    let from = issued.first_of_month().to_string();
    let to = issued.last_of_month().to_string();
    let taxes = app
        .desktop
        .tax_sums(&app.window, binding.clone(), from.clone(), to.clone())
        .await
        .expect("a report");
    let mut taxes = taxes.currencies.iter();
    let of_currency = taxes.find(|of| of.currency == first.row.currency);
    assert!(of_currency.is_some_and(|of| !of.rows.is_empty()));
    let buyers = app
        .desktop
        .buyer_sums(&app.window, binding.clone(), from, to)
        .await
        .expect("a report");
    let of_currency = buyers.currencies.iter();
    let of_currency = of_currency.filter(|of| of.currency == first.row.currency);
    let rows: Vec<_> = of_currency.flat_map(|of| &of.rows).collect();
    assert!(
        matches!(rows.first(), Some(row) if row.length == Some(1000)),
        "{rows:?}"
    );
}

#[tokio::test]
async fn a_report_is_readable_offline_with_its_time_and_another_period_is_not() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let current = months(&app, &binding, "2026-01").await.expect("a report");
    assert!(!current.offline);
    service.identity.stop().await;
    service.gateway.stop().await;
    let kept = months(&app, &binding, "2026-01").await.expect("kept");
    assert_eq!(
        (kept.offline, kept.answered, kept.currencies),
        (true, current.answered, current.currencies)
    );
    let other = months(&app, &binding, "2026-02").await;
    assert!(
        matches!(other, Err(CommandError::Offline { .. })),
        "{other:?}"
    );
}

#[tokio::test]
async fn a_period_that_is_none_is_refused_before_any_request() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    service.gateway.fault("/reports", Fault::page(500));
    let answer = months(&app, &binding, "2026-13").await;
    assert!(
        matches!(answer, Err(CommandError::InvalidCall { .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn a_report_with_an_outdated_binding_is_refused() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.switch_organization(HOME).await;
    let answer = app.desktop.ageing(&app.window, binding).await;
    assert_eq!(answer, Err(CommandError::StaleBinding));
}

#[tokio::test]
async fn a_table_is_saved_to_the_chosen_file_only() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let rows = vec![
        vec!["Currency".to_owned(), "Open".to_owned()],
        vec!["SAR".to_owned(), "-12.50".to_owned()],
    ];
    let save = || {
        app.desktop
            .save_table(&app.window, "Ageing".to_owned(), rows.clone())
    };
    assert_eq!(save().await, Ok(false), "no file was chosen");
    let file = app.folder.path().join("chosen.csv");
    app.host.choose_next_file(file.clone());
    assert_eq!(save().await, Ok(true));
    assert_eq!(
        std::fs::read_to_string(file).expect("a file"),
        "\u{feff}Currency,Open\r\nSAR,-12.50\r\n"
    );
}
