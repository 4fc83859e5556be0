//! Documents on paper and as files: what is saved, what is printed, and what happens without the service.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoicing_client::views::{
    CommandError, DocumentFormat, Draft, DraftState, InvoiceView, PrintLanguage, PrintedPages,
    Revision, WindowBinding,
};

use crate::fixtures::{Defect, Fault, HOME, NOURA, Service, TestApp, content};

const LANGUAGES: [PrintLanguage; 3] = [
    PrintLanguage::English,
    PrintLanguage::Arabic,
    PrintLanguage::Both,
];

async fn save(
    app: &TestApp,
    binding: &WindowBinding,
    view: &InvoiceView,
    format: DocumentFormat,
) -> Result<Option<String>, CommandError> {
    app.desktop
        .save_document(
            &app.window,
            binding.clone(),
            view.row.key.clone(),
            format,
            PrintLanguage::Both,
        )
        .await
}

async fn print(
    app: &TestApp,
    binding: &WindowBinding,
    view: &InvoiceView,
    language: PrintLanguage,
) -> Result<PrintedPages, CommandError> {
    let row = &view.row;
    app.desktop
        .print_document(
            &app.window,
            binding.clone(),
            row.key.clone(),
            row.stamp.clone(),
            language,
            8,
        )
        .await
}

fn assert_pages(pages: &PrintedPages) {
    assert!(!pages.images.is_empty());
    for image in &pages.images {
        let svg = image
            .strip_prefix("data:image/svg+xml;base64,")
            .expect("a data URL");
        let svg = String::from_utf8(STANDARD.decode(svg).expect("Base64")).expect("UTF-8");
        assert!(svg.starts_with("<svg"), "{}", &svg[..40]);
        assert!(!svg.contains("<script"), "an image runs nothing");
        assert!(!svg.contains("href=\"http"), "an image loads nothing");
    }
}

#[tokio::test]
async fn issued_document_is_saved_as_pdf_and_ubl_where_the_user_chooses() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let cancelled = save(&app, &binding, &issued, DocumentFormat::Pdf).await;
    assert_eq!(cancelled.expect("answered"), None, "no file was chosen");
    for (format, name, starts) in [
        (DocumentFormat::Pdf, "paper.pdf", "%PDF-"),
        (DocumentFormat::Ubl, "data.xml", "<"),
    ] {
        let file = app.folder.path().join(name);
        app.host.choose_next_file(file.clone());
        let saved = save(&app, &binding, &issued, format).await;
        assert_eq!(saved.expect("saved").as_deref(), Some(name));
        let bytes = std::fs::read(file).expect("a file");
        assert!(bytes.starts_with(starts.as_bytes()), "{name}");
    }
    assert_eq!(
        app.host.suggested_name(),
        format!("{}.xml", issued.row.number)
    );
}

#[tokio::test]
async fn draft_is_saved_as_pdf_and_has_no_ubl() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let created = app.send_draft(&binding, draft).await.expect("created");
    let file = app.folder.path().join("draft.pdf");
    app.host.choose_next_file(file.clone());
    save(&app, &binding, &created, DocumentFormat::Pdf)
        .await
        .expect("saved");
    assert!(std::fs::read(file).expect("a file").starts_with(b"%PDF-"));
    let refused = save(&app, &binding, &created, DocumentFormat::Ubl).await;
    assert!(
        matches!(refused, Err(CommandError::FailedPrecondition { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn file_that_does_not_come_whole_is_not_saved() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let file = app.folder.path().join("paper.pdf");
    std::fs::write(&file, "what was there").expect("written");
    app.host.choose_next_file(file.clone());
    service
        .gateway
        .fault("/pdf", Fault::Deliver(Defect::ContentType("text/html")));
    let (answer, _) = app
        .run_through_retries(save(&app, &binding, &issued, DocumentFormat::Pdf))
        .await;
    assert!(
        matches!(answer, Err(CommandError::UnexpectedResponse { .. })),
        "{answer:?}"
    );
    service.gateway.stop().await;
    let (answer, _) = app
        .run_through_retries(save(&app, &binding, &issued, DocumentFormat::Pdf))
        .await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "{answer:?}"
    );
    assert_eq!(
        std::fs::read_to_string(file).expect("a file"),
        "what was there"
    );
}

#[tokio::test]
async fn issued_document_is_printed_from_its_file_and_again_without_a_connection() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let first = print(&app, &binding, &issued, PrintLanguage::English)
        .await
        .expect("printed");
    assert_pages(&first);
    assert_eq!(first.total, 1);
    assert_eq!(service.gateway.requests("/ubl").len(), 1);
    service.gateway.stop().await;
    for language in LANGUAGES {
        let pages = print(&app, &binding, &issued, language).await;
        assert_pages(&pages.expect("it had been read"));
    }
}

#[tokio::test]
async fn draft_is_printed_as_it_is_typed_without_a_connection() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.issued_invoice(&binding).await;
    let draft = app.new_draft(&binding).await;
    let printed = async |draft: Draft| {
        let pages = app.desktop.print_draft(
            &app.window,
            binding.clone(),
            draft,
            PrintLanguage::English,
            1,
        );
        pages.await.expect("printed")
    };
    let before = printed(draft.clone()).await;
    assert_pages(&before);
    service.gateway.stop().await;
    let mut typed = draft.clone();
    typed.content.note = "Delivered to the back door".to_owned();
    assert_ne!(printed(typed).await, before, "the note is not printed");
    let empty = Draft {
        content: Default::default(),
        changes: Some(Revision {
            stamp: "1".into(),
            content: content(),
        }),
        state: DraftState::Editing,
        key: draft.key,
    };
    assert_pages(&printed(empty).await);
}

#[tokio::test]
async fn pages_are_bounded_and_belong_to_the_organization_of_the_window() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    for pages in [0, 201] {
        let refused = app
            .desktop
            .print_draft(
                &app.window,
                binding.clone(),
                draft.clone(),
                PrintLanguage::Both,
                pages,
            )
            .await;
        assert!(
            matches!(refused, Err(CommandError::InvalidCall { .. })),
            "{refused:?}"
        );
    }
    let stale = WindowBinding {
        generation: binding.generation + 1,
        ..binding
    };
    let refused = app
        .desktop
        .print_draft(&app.window, stale, draft, PrintLanguage::Both, 1)
        .await;
    assert!(
        matches!(refused, Err(CommandError::StaleBinding)),
        "{refused:?}"
    );
}
