//! Invoice files of other programs: what is read of them, whose they are, and what is refused. Nothing of them is kept.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoicing_client::views::{
    CommandError, DocumentFormat, FileProblem, FileReading, FileRelation, FileSyntax,
    PrintLanguage, UnreadReason, WindowBinding,
};

use crate::fixtures::{HOME, NOURA, Service, TestApp};

/// Of a seller in Germany. Its total is wrong.
const CII: &str = include_str!("foreign_invoice.xml");

async fn read(
    app: &TestApp,
    binding: &WindowBinding,
    bytes: &[u8],
) -> Result<FileReading, CommandError> {
    app.desktop
        .read_invoice_file(&app.window, binding.clone(), STANDARD.encode(bytes))
        .await
}

/// The own invoice as a file.
async fn saved(app: &TestApp, binding: &WindowBinding, format: DocumentFormat) -> Vec<u8> {
    let issued = app.issued_invoice(binding).await;
    let file = app.folder.path().join("file");
    app.host.choose_next_file(file.clone());
    app.desktop
        .save_document(
            &app.window,
            binding.clone(),
            issued.row.key,
            format,
            PrintLanguage::English,
        )
        .await
        .expect("saved");
    std::fs::read(file).expect("a file")
}

#[tokio::test]
async fn own_file_becomes_a_draft_that_says_what_it_has_not() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    for (format, in_pdf) in [(DocumentFormat::Ubl, false), (DocumentFormat::Pdf, true)] {
        let file = saved(&app, &binding, format).await;
        let reading = read(&app, &binding, &file).await.expect("read");
        assert_eq!(
            (reading.syntax, reading.in_pdf, reading.relation),
            (FileSyntax::Ubl, in_pdf, FileRelation::Seller)
        );
        assert!(
            reading
                .unread
                .iter()
                .any(|element| element.reason == UnreadReason::Number)
        );
        assert!(
            !reading
                .unread
                .iter()
                .any(|element| element.reason == UnreadReason::OtherTotal),
            "{:?}",
            reading.unread
        );
        let draft = app
            .desktop
            .new_draft(&app.window, binding.clone(), Some(reading.content.clone()))
            .await
            .expect("kept");
        let created = app.send_draft(&binding, draft).await.expect("created");
        assert_eq!(created.row.gross, reading.gross);
    }
}

#[tokio::test]
async fn file_of_somebody_else_is_read_and_named_as_theirs_and_nothing_is_kept() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let own = saved(&app, &binding, DocumentFormat::Ubl).await;
    let foreign = read(&app, &binding, CII.as_bytes()).await.expect("read");
    assert_eq!(
        (foreign.syntax, foreign.relation),
        (FileSyntax::Cii, FileRelation::Neither)
    );
    assert_eq!(
        (foreign.seller.tax_id.as_str(), foreign.number.as_str()),
        ("DE123456789", "R-2026-17")
    );
    let rules: Vec<_> = foreign
        .violations
        .iter()
        .map(|violation| violation.rule.as_str())
        .collect();
    assert!(rules.contains(&"BR-CO-15"), "{rules:?}");
    let lost = |path: &str, reason| {
        foreign
            .unread
            .iter()
            .any(|element| element.path.contains(path) && element.reason == reason)
    };
    assert!(
        lost("571.00", UnreadReason::OtherTotal),
        "{:?}",
        foreign.unread
    );

    // The same invoice, as its buyer sees it: the parties exchanged.
    let text = String::from_utf8(own).expect("UTF-8");
    let received = text
        .replace("AccountingSupplierParty", "@")
        .replace("AccountingCustomerParty", "AccountingSupplierParty")
        .replace('@', "AccountingCustomerParty");
    let received = read(&app, &binding, received.as_bytes())
        .await
        .expect("read");
    assert_eq!(received.relation, FileRelation::Buyer);
    assert!(app.draft_states(&binding).await.is_empty());
}

#[tokio::test]
async fn file_is_read_without_a_connection_and_before_any_document_is_known() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    service.gateway.stop().await;
    let reading = read(&app, &binding, CII.as_bytes()).await.expect("read");
    assert_eq!(reading.relation, FileRelation::Unknown);
}

#[tokio::test]
async fn damaged_and_hostile_files_are_refused_with_what_is_wrong() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let deep = format!(
        "<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\">{}",
        "<a>".repeat(100)
    );
    let entities = "<!DOCTYPE a [<!ENTITY b \"c\">]><Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\">&b;</Invoice>";
    let cut = "<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\">";
    for (bytes, expected) in [
        (b"".to_vec(), FileProblem::Empty),
        (b"hello".to_vec(), FileProblem::NotAnInvoice),
        (b"PK\x03\x04 a workbook".to_vec(), FileProblem::NotAnInvoice),
        (b"<html></html>".to_vec(), FileProblem::NotAnInvoice),
        (b"%PDF-1.7 a scan".to_vec(), FileProblem::PdfWithoutInvoice),
        (cut.into(), FileProblem::Malformed),
        (entities.into(), FileProblem::DocumentType),
        (deep.into(), FileProblem::BeyondLimits),
        (vec![b' '; (4 << 20) + 1], FileProblem::TooLarge),
    ] {
        let refused = read(&app, &binding, &bytes).await;
        assert!(
            matches!(&refused, Err(CommandError::FileNotRead { problem, .. }) if *problem == expected),
            "{expected:?}: {refused:?}"
        );
    }
}
