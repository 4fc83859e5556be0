//! The support packet and the diagnosis against the real service.

use invoicing_client::views::{CommandError, DiagnosisFinding};

use crate::fixtures::{Service, TestApp};

#[tokio::test]
async fn diagnosis_of_a_reachable_environment_passes_every_step() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let diagnosis = app
        .desktop
        .diagnose(&app.window, "local".to_owned())
        .await
        .expect("it answers");
    let failed: Vec<_> = diagnosis.steps.iter().filter(|step| !step.passed).collect();
    assert!(failed.is_empty(), "{failed:?}");
    let findings: Vec<_> = diagnosis.steps.iter().map(|step| &step.finding).collect();
    assert!(
        findings.contains(&&DiagnosisFinding::Discovered),
        "{findings:?}"
    );
    service.gateway.stop().await;
    let diagnosis = app
        .desktop
        .diagnose(&app.window, "local".to_owned())
        .await
        .expect("it answers");
    let last = diagnosis.steps.last().expect("a step");
    assert!(
        matches!(last.finding, DiagnosisFinding::NotConnected { .. }) && !last.passed,
        "{last:?}"
    );
}

#[tokio::test]
async fn support_packet_is_saved_as_it_was_shown_to_the_chosen_file_only() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let unseen = app.desktop.save_support_packet(&app.window).await;
    assert!(
        matches!(unseen, Err(CommandError::InvalidCall { .. })),
        "{unseen:?}"
    );
    let shown = app
        .desktop
        .support_packet(&app.window)
        .await
        .expect("a text");
    let cancelled = app.desktop.save_support_packet(&app.window).await;
    assert!(!cancelled.expect("answered"), "no file was chosen");
    let file = app.folder.path().join("chosen.txt");
    app.host.choose_next_file(file.clone());
    let saved = app.desktop.save_support_packet(&app.window).await;
    assert!(saved.expect("answered"));
    assert_eq!(std::fs::read_to_string(file).expect("a file"), shown);
}
