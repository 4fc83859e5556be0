//! Every field of the form arrives at the service and comes back, in a new document and in a changed one.

use invoicing_client::views::{
    DocumentKey, InvoiceContent, InvoiceKind, InvoiceView, WindowBinding, full_content,
};

use crate::fixtures::{HOME, NOURA, Service, TestApp};

/// A form with a value in every field that one invoice can have: what it corrects is of credit notes, and its tax point is a date or
/// a code.
fn every_field() -> InvoiceContent {
    let mut form = InvoiceContent {
        kind: InvoiceKind::Invoice,
        correction: None,
        ..full_content()
    };
    form.details.tax_point_code.clear();
    // What the rules of the categories and of percentages ask for.
    for item in &mut form.details.allowances_charges {
        "Z".clone_into(&mut item.tax_category);
        "0".clone_into(&mut item.tax_rate);
        "0.25".clone_into(&mut item.amount);
    }
    for item in form
        .lines
        .iter_mut()
        .flat_map(|line| &mut line.details.allowances_charges)
    {
        "0.25".clone_into(&mut item.amount);
    }
    form
}

#[tokio::test]
async fn every_field_of_the_form_is_stored_and_read_back() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = app.new_draft(&binding).await.key;
    let form = every_field();
    app.create_invoice(&binding, key.clone(), form.clone())
        .await
        .expect("created");
    // Another application has nothing of it in memory.
    let (other, there) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let view = read(&other, &there, &key).await;
    assert_eq!(view.content, form);

    let mut changed = InvoiceContent {
        due_date: "2027-01-31".to_owned(),
        ..view.content.clone()
    };
    changed.details.tax_point_date.clear();
    "35".clone_into(&mut changed.details.tax_point_code);
    let updated = other.update_invoice(&there, &view, changed.clone()).await;
    updated.expect("changed");
    assert_eq!(read(&app, &binding, &key).await.content, changed);
}

async fn read(app: &TestApp, binding: &WindowBinding, key: &DocumentKey) -> InvoiceView {
    let read = app
        .desktop
        .get_invoice(&app.window, binding.clone(), key.clone());
    read.await.expect("the document")
}
