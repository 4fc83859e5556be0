//! The writes beside a document in the table: imports, payments and attachments.

use async_trait::async_trait;
use invoicing_storage::Store;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::documents::{AttachmentChange, PART_BYTES};
use invoicing_storage::payments::PaymentEntry;
use invoicing_storage::suite::fixtures::{RIYADH, draft, id, key, unlimited};
use invoicing_storage::suite::payments::{issued, payment};

use super::operations::{Operation, event, events};

/// The operations on payments and attachments.
pub(crate) fn operations() -> Vec<Box<dyn Operation>> {
    vec![
        Box::new(ImportDocuments),
        Box::new(RecordPayment),
        Box::new(VoidPayment),
        Box::new(AddAttachment),
        Box::new(RemoveAttachment),
    ]
}

const PAYMENT: u128 = 1;
const VOID: u128 = 2;
const ATTACHMENT: u128 = 3;

/// What is stored of the receivable of a cell and its payments.
async fn stored_payments(store: &dyn Store, cell: u64) -> String {
    let (organization, document) = (id(RIYADH), key(cell.into()));
    let receivable = store.receivable(&organization, document).await.unwrap();
    let entries = store.payments(&organization, document, None, 10).await;
    let entries = entries.unwrap();
    let entries = entries
        .iter()
        .map(|entry| (entry.amount, entry.voided, entry.voids.is_some()));
    let entries: Vec<_> = entries.collect();
    let events = events(store, cell).await;
    format!("{receivable:?}, {entries:?}, events {events}")
}

struct ImportDocuments;

#[async_trait]
impl Operation for ImportDocuments {
    fn name(&self) -> &'static str {
        "import_documents"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let rows = vec![issued(cell.into(), 115, "")];
        format!("{:?}", store.import_documents(rows, &[]).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let found = store.document(&id(RIYADH), key(cell.into())).await;
        let found = found.unwrap().is_some();
        format!("{found}, {}", stored_payments(store, cell).await)
    }
}

struct RecordPayment;

#[async_trait]
impl Operation for RecordPayment {
    fn name(&self) -> &'static str {
        "record_payment"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        ImportDocuments.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PaymentRecorded, cell);
        // More than half of what is open: a second one would be refused.
        let entry = payment(cell.into(), PAYMENT, 100);
        format!("{:?}", store.record_payment(&entry, &event).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_payments(store, cell).await
    }
}

struct VoidPayment;

#[async_trait]
impl Operation for VoidPayment {
    fn name(&self) -> &'static str {
        "record_payment that voids another"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        ImportDocuments.run(store, cell).await;
        RecordPayment.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PaymentVoided, cell);
        let entry = PaymentEntry {
            voids: Some(key(PAYMENT)),
            ..payment(cell.into(), VOID, -100)
        };
        format!("{:?}", store.record_payment(&entry, &event).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_payments(store, cell).await
    }
}

/// Writes the document of a cell with the stamp `after` and a change of its attachments.
async fn change(
    store: &dyn Store,
    cell: u64,
    (before, after): (&str, &str),
    change: &AttachmentChange,
) -> String {
    let mut row = draft(cell.into(), 115);
    after.clone_into(&mut row.document.concurrency_stamp);
    let changed = store.change_attachments(&row, &before.into(), change).await;
    format!("{changed:?}")
}

/// What is stored of the document of a cell and its attachment.
async fn stored_attachment(store: &dyn Store, cell: u64) -> String {
    let (organization, document) = (id(RIYADH), key(cell.into()));
    let found = store.document(&organization, document).await.unwrap();
    let stamp = found.map(|document| document.concurrency_stamp);
    let content = store.attachment(&organization, document, key(ATTACHMENT));
    let bytes = content.await.unwrap().map(|content| content.len());
    let history = store
        .document_history(&organization, document, None, 10)
        .await;
    let history = history.unwrap();
    let actions: Vec<_> = history.iter().map(|revision| &*revision.action).collect();
    format!("{stamp:?}, bytes {bytes:?}, history {actions:?}")
}

struct AddAttachment;

#[async_trait]
impl Operation for AddAttachment {
    fn name(&self) -> &'static str {
        "change_attachments that adds"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        let added = store
            .add_document(&draft(cell.into(), 115), &unlimited())
            .await;
        added.unwrap();
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let add = AttachmentChange::Add {
            id: key(ATTACHMENT),
            // Two parts.
            content: vec![7; PART_BYTES + 1],
        };
        change(store, cell, ("new", "second"), &add).await
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_attachment(store, cell).await
    }
}

struct RemoveAttachment;

#[async_trait]
impl Operation for RemoveAttachment {
    fn name(&self) -> &'static str {
        "change_attachments that removes"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddAttachment.prepare(store, cell).await;
        AddAttachment.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let remove = AttachmentChange::Remove {
            id: key(ATTACHMENT),
        };
        change(store, cell, ("second", "third"), &remove).await
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_attachment(store, cell).await
    }
}
