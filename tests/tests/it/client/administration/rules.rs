//! Authorization rules of the platform.

use invoicing_client::views::CommandError;

use super::{OPERATOR, OPERATORS};
use crate::fixtures::{Service, TestApp};

#[tokio::test]
async fn versions_of_the_rules_are_read_in_pages() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, OPERATOR, OPERATORS).await;
    let (desktop, window) = (&app.desktop, &app.window);
    let current = desktop
        .get_rules(window, binding.clone(), None)
        .await
        .expect("rules");
    desktop
        .publish_rules(
            window,
            binding.clone(),
            current.matrix,
            current.version.stamp,
            "the same again".to_owned(),
        )
        .await
        .expect("published");
    let first = desktop
        .list_rule_versions(window, binding.clone(), String::new())
        .await
        .expect("a page");
    let comments: Vec<_> = first
        .versions
        .iter()
        .map(|version| version.comment.as_str())
        .collect();
    assert_eq!(comments, ["the same again"]);
    assert_eq!(first.next_page, "");
    let unknown_page = desktop
        .list_rule_versions(window, binding, "second".to_owned())
        .await;
    assert!(
        matches!(unknown_page, Err(CommandError::InvalidArgument { .. })),
        "{unknown_page:?}"
    );
}
