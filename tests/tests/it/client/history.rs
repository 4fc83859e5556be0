//! History: each write with its author, its time and the content after it, newest first.

use invoicing_client::views::LineContent;

use crate::fixtures::{HOME, NOURA, Service, TestApp};

#[tokio::test]
async fn history_has_each_write_with_its_author_and_content_newest_first() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let created = app.send_draft(&binding, draft).await.expect("created");
    let mut changed = created.content.clone();
    changed.note = "Second version".to_owned();
    changed.lines.insert(
        0,
        LineContent {
            id: String::new(),
            ..changed.lines[0].clone()
        },
    );
    let changed = app
        .update_invoice(&binding, &created, changed)
        .await
        .expect("updated");
    let issued = app
        .desktop
        .issue_document(
            &app.window,
            binding.clone(),
            changed.row.key,
            changed.row.stamp,
        )
        .await
        .expect("issued");
    let (key, stamp) = (issued.row.key.clone(), issued.row.stamp.clone());
    app.desktop
        .freeze_document(&app.window, binding.clone(), key.clone(), stamp)
        .await
        .expect("frozen");

    let history = app
        .desktop
        .get_history(&app.window, binding, key, String::new())
        .await;
    let page = history.expect("an answer");
    assert_eq!(page.next_page, "", "the only page");
    let history = page.entries;
    let actions: Vec<&str> = history.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(actions, ["frozen", "issued", "updated", "created"]);
    for entry in &history {
        let event = entry.event.as_ref().expect("each has an author");
        assert_eq!(event.by, issued.issued.as_ref().expect("issued").by);
        assert!(!event.time.is_empty(), "{entry:?}");
    }
    let numbers: Vec<&str> = history.iter().map(|entry| entry.number.as_str()).collect();
    let number = issued.row.number.as_str();
    assert_eq!(numbers, [number, number, "", ""]);
    assert_eq!(history[3].content, created.content);
    assert_eq!(history[2].content.note, "Second version");
    let ids = |entry: usize| -> Vec<&str> {
        let lines = &history[entry].content.lines;
        lines.iter().map(|line| line.id.as_str()).collect()
    };
    assert_eq!(
        ids(2)[1..],
        ids(3)[..],
        "the line keeps its id when it moves"
    );
    assert_ne!(ids(2)[0], ids(3)[0]);
}
