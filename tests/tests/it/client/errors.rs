//! Each row of the contract's error table as the error of a command.

use invoicing_client::views::{CommandError, InvoiceQuery, InvoiceStatus, Support};

use crate::fixtures::{
    CLERK, Fault, HOME, NOURA, Service, TestApp, UNRESOLVABLE, content, new_key, page,
};

/// Asserts that the support details name the command, organization, code, time and correlation id.
fn assert_support(support: &Support, command: &str, organization: &str, code: Option<u16>) {
    assert_eq!(
        (
            support.operation.as_str(),
            support.organization.as_str(),
            support.code
        ),
        (command, organization, code)
    );
    assert!(
        !support.correlation_id.is_empty() && !support.time.is_empty(),
        "{support:?}"
    );
}

#[tokio::test]
async fn list_returns_the_page_and_the_totals_of_the_whole_filter() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    for _ in 0..3 {
        app.create_invoice(&binding, new_key(), content())
            .await
            .expect("created");
    }
    let query = InvoiceQuery {
        buyer: "Noor Comp".to_owned(),
        currency: vec!["SAR".to_owned()],
        page_size: 2,
        ..InvoiceQuery::default()
    };
    let page = app
        .desktop
        .list_invoices(&app.window, binding.clone(), query)
        .await
        .expect("a page");
    assert_eq!((page.rows.len(), page.total), (2, 3));
    let sums: Vec<_> = page
        .sums
        .iter()
        .map(|sum| (sum.currency.as_str(), sum.count, sum.gross.as_str()))
        .collect();
    assert_eq!(sums, [("SAR", 3, "3765.69")]);
    let invoice = app
        .desktop
        .get_invoice(&app.window, binding, page.rows[0].key.clone())
        .await
        .expect("an invoice");
    assert_eq!(invoice.row, page.rows[0]);
    assert_eq!(
        (invoice.content.lines.len(), invoice.lines[0].net.as_str()),
        (1, "1091.50")
    );
}

#[tokio::test]
async fn amounts_of_a_filter_are_refused_as_the_list_refuses_them() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    for (from, to, refused) in [
        ("1,234", "many", 2),
        ("10.00004", "999999999999999999", 2),
        ("١٬٠٩١٫٥٠", "", 0),
        // The service can compare with it too.
        ("-5", "99,999,999,999,999.9999", 0),
    ] {
        let (from, to) = (from.to_owned(), to.to_owned());
        let checked = app
            .desktop
            .check_amounts(
                &app.window,
                binding.clone(),
                from.clone(),
                to.clone(),
                vec![],
            )
            .await
            .expect("checked");
        assert_eq!(checked.len(), refused, "{from} to {to}: {checked:?}");
        let query = InvoiceQuery {
            gross_from: from,
            gross_to: to,
            ..page()
        };
        let listed = app
            .desktop
            .list_invoices(&app.window, binding.clone(), query);
        match listed.await {
            Ok(_) => assert_eq!(checked, []),
            Err(CommandError::InvalidArgument { violations, .. }) => {
                assert_eq!(violations, checked);
            }
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[tokio::test]
async fn invalid_argument_has_all_violations_with_form_paths() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut wrong = content();
    wrong.lines[0].quantity = "two".to_owned();
    wrong.lines[0].tax_rate = String::new();
    wrong.due_date = "2020-01-01".to_owned();
    let expected = app
        .desktop
        .calculate(&app.window, binding.clone(), wrong.clone())
        .await
        .expect("calculated");
    let answer = app.create_invoice(&binding, new_key(), wrong).await;
    let Err(CommandError::InvalidArgument {
        violations,
        support,
    }) = answer
    else {
        panic!("{answer:?}")
    };
    assert_support(&support, "create_document", HOME, Some(3));
    let fields: Vec<_> = violations
        .iter()
        .filter_map(|violation| violation.field.as_deref())
        .collect();
    for field in ["lines[0].quantity", "lines[0].taxRate", "dueDate"] {
        assert!(fields.contains(&field), "{field} is not among {fields:?}");
    }
    assert!(
        violations
            .iter()
            .all(|violation| !violation.rule.is_empty()),
        "{violations:?}"
    );
    let fields_and_rules = |violations: &[invoicing_client::views::Violation]| {
        let mut pairs: Vec<_> = violations
            .iter()
            .map(|violation| (violation.field.clone(), violation.rule.clone()))
            .collect();
        pairs.sort();
        pairs
    };
    assert_eq!(
        fields_and_rules(&violations),
        fields_and_rules(&expected.violations),
        "the client and the service report different violations"
    );
}

#[tokio::test]
async fn update_of_a_frozen_document_fails_with_the_current_document() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let created = app
        .create_invoice(&binding, new_key(), content())
        .await
        .expect("created");
    let key = created.row.key;
    let issued = app
        .desktop
        .issue_document(&app.window, binding.clone(), key.clone(), created.row.stamp)
        .await
        .expect("issued");
    assert!(
        issued.row.status == InvoiceStatus::Issued && !issued.row.number.is_empty(),
        "{:?}",
        issued.row
    );
    let frozen = app
        .desktop
        .freeze_document(&app.window, binding.clone(), key.clone(), issued.row.stamp)
        .await
        .expect("frozen");
    assert_eq!(frozen.row.status, InvoiceStatus::Frozen);
    assert!(frozen.frozen.is_some(), "the user who froze it is missing");
    let answer = app.update_invoice(&binding, &frozen, content()).await;
    let Err(CommandError::FailedPrecondition { current, support }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(support.reason, "DOCUMENT_FROZEN");
    assert_support(&support, "update_document", HOME, Some(9));
    assert_eq!(
        current.expect("read again").row.status,
        InvoiceStatus::Frozen
    );
}

#[tokio::test]
async fn document_of_another_organization_is_not_found() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let created = app
        .create_invoice(&binding, new_key(), content())
        .await
        .expect("created");
    let answer = app
        .desktop
        .get_invoice(&app.window, binding, new_key())
        .await;
    assert!(
        matches!(&answer, Err(CommandError::NotFound { support }) if support.code == Some(5)),
        "{answer:?}"
    );
    let other = app.switch_organization("274893002").await;
    let answer = app
        .desktop
        .get_invoice(&app.window, other, created.row.key)
        .await;
    assert!(
        matches!(answer, Err(CommandError::NotFound { .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn permission_denied_has_the_required_scope_and_no_server_message_as_reason() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, "274893003").await;
    let answer = app.create_invoice(&binding, new_key(), content()).await;
    let Err(CommandError::PermissionDenied { scope, support }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(scope, "Service.Simple.Invoices.v1.Modify.Create");
    assert_support(&support, "create_document", "274893003", Some(7));
}

#[tokio::test]
async fn create_with_a_used_key_fails_with_the_existing_document() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = new_key();
    app.create_invoice(&binding, key.clone(), content())
        .await
        .expect("created");
    let mut other = content();
    other.note = "another".to_owned();
    let answer = app.create_invoice(&binding, key.clone(), other).await;
    let Err(CommandError::AlreadyExists { current, support }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(current.expect("it can be read").row.key, key);
    assert_support(&support, "create_document", HOME, Some(6));
}

#[tokio::test]
async fn empty_503_makes_one_organization_unavailable_and_not_the_others() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, UNRESOLVABLE).await;
    let (answer, waits) = app
        .run_through_retries(app.desktop.list_invoices(&app.window, binding, page()))
        .await;
    let Err(CommandError::OrganizationUnavailable {
        others_answer,
        support,
    }) = answer
    else {
        panic!("{answer:?}")
    };
    assert!(others_answer, "the home organization answers");
    assert_eq!(
        (support.status, support.code, support.retry_after),
        (Some(503), None, Some(1))
    );
    assert_support(&support, "list_invoices", UNRESOLVABLE, None);
    assert_eq!(waits.len(), 4, "{waits:?}");
    let home = app.switch_organization(HOME).await;
    app.desktop
        .list_invoices(&app.window, home, page())
        .await
        .expect("home answers");
}

#[tokio::test]
async fn empty_503_of_every_organization_says_that_no_other_one_answers() {
    let service = Service::start().await;
    for organization in [HOME, "274893002"] {
        let (app, binding) = TestApp::start_signed_in(&service, NOURA, organization).await;
        // The call and the question to another organization, at each of five attempts.
        for _ in 0..10 {
            service.gateway.fault(
                "",
                Fault::Respond {
                    status: 503,
                    headers: Vec::new(),
                    body: String::new(),
                },
            );
        }
        let sent = service.gateway.requests("").len();
        let (answer, _) = app
            .run_through_retries(app.desktop.list_invoices(&app.window, binding, page()))
            .await;
        assert!(
            matches!(
                answer,
                Err(CommandError::OrganizationUnavailable {
                    others_answer: false,
                    ..
                })
            ),
            "{answer:?}"
        );
        let asked = service.gateway.requests("").split_off(sent);
        let homes = asked
            .iter()
            .filter(|request| request.headers["x-idp-orgid"] == HOME);
        assert_eq!(homes.count(), 5, "the home organization was not asked");
    }
}

#[tokio::test]
async fn rate_limit_is_a_pending_retry_with_the_delay_of_the_service() {
    let service = Service::with(|config| config.rate_limit = Some(3)).await;
    let (app, binding) = TestApp::start_signed_in(&service, CLERK, HOME).await;
    for _ in 0..3 {
        app.desktop
            .list_invoices(&app.window, binding.clone(), page())
            .await
            .expect("within the rate");
    }
    let call = app.desktop.list_invoices(&app.window, binding, page());
    let stopping = async {
        let snapshot = app
            .wait_until(|snapshot| !snapshot.pending_retries.is_empty())
            .await;
        let wait = snapshot.pending_retries[0].clone();
        assert!(
            matches!(wait.error, CommandError::RateLimited { .. }),
            "{wait:?}"
        );
        assert_eq!(
            (
                wait.command.as_str(),
                wait.organization.as_str(),
                wait.write
            ),
            ("list_invoices", HOME, false)
        );
        app.desktop
            .cancel_retry(&app.window, wait.id)
            .await
            .expect("stopped");
    };
    let (answer, ()) = tokio::join!(call, stopping);
    let Err(CommandError::RateLimited { support }) = answer else {
        panic!("{answer:?}")
    };
    assert_support(&support, "list_invoices", HOME, Some(8));
    assert!(
        support.retry_after.is_some_and(|seconds| seconds > 0),
        "{support:?}"
    );
}

#[tokio::test]
async fn injected_errors_become_their_own_command_errors() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    for (fault, kind) in [
        // First: once a page has been read, it is shown again while there is no connection.
        (Fault::DropResponse, "offline"),
        (Fault::status(429, 8, "PLAN_LIMIT"), "planLimit"),
        (Fault::status(400, 9, "X"), "failedPrecondition"),
        (Fault::status(409, 6, "X"), "alreadyExists"),
        (Fault::status(409, 10, "X"), "aborted"),
        (Fault::status(404, 5, "X"), "notFound"),
        (Fault::status(405, 12, "X"), "internal"),
        (Fault::status(500, 2, "X"), "internal"),
        (Fault::page(200), "unexpectedResponse"),
        (Fault::page(502), "unexpectedResponse"),
        (Fault::page(302), "unexpectedResponse"),
    ] {
        service.gateway.fault("/list", fault.clone());
        let answer = app
            .desktop
            .list_invoices(&app.window, binding.clone(), page())
            .await;
        let error = serde_json::to_value(answer.expect_err("it failed")).expect("JSON");
        assert_eq!(error["kind"], kind, "{fault:?}");
        assert!(
            !error["support"]["correlationId"]
                .as_str()
                .unwrap_or_default()
                .is_empty(),
            "{error}"
        );
        app.desktop
            .list_invoices(&app.window, binding.clone(), page())
            .await
            .expect("the next request is served");
    }
}
