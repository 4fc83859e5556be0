//! The writes of parties and items in the table.

use async_trait::async_trait;
use invoicing_storage::Store;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::master_data::{MasterDataKind, MasterRecord, MasterWrite};
use invoicing_storage::suite::fixtures::{LATER, RIYADH, id, key};
use invoicing_storage::suite::master_data::party;

use super::operations::{Operation, event, events, name};

/// The operations on a party and on an item.
pub(crate) fn operations() -> Vec<Box<dyn Operation>> {
    let mut operations: Vec<Box<dyn Operation>> = Vec::new();
    for kind in [MasterDataKind::Party, MasterDataKind::Item] {
        operations.push(Box::new(Add { kind }));
        operations.push(Box::new(Replace { kind }));
        operations.push(Box::new(Use { kind }));
    }
    operations
}

/// The record of a cell, with an identifier of its own.
fn record(kind: MasterDataKind, cell: u64) -> MasterRecord {
    MasterRecord {
        kind,
        ..party(cell.into(), "palm", Some(&name(cell)))
    }
}

/// What is stored of the record of a cell.
async fn stored_record(store: &dyn Store, kind: MasterDataKind, cell: u64) -> String {
    let (organization, key) = (id(RIYADH), key(cell.into()));
    let found = store.master_record(&organization, kind, key).await;
    let found = found.unwrap().map(|found| {
        let stamp = found.concurrency_stamp;
        (stamp, found.search_text, found.last_used_at)
    });
    let identified = store
        .master_record_identified(&organization, kind, &name(cell))
        .await;
    let identified = identified.unwrap().is_some();
    let history = store.master_record_history(&organization, kind, key, None, 10);
    let history = history.await.unwrap();
    let actions: Vec<_> = history.iter().map(|revision| &*revision.action).collect();
    let events = events(store, cell).await;
    format!("{found:?}, identified {identified}, history {actions:?}, events {events}")
}

const fn changed(kind: MasterDataKind) -> AuditEventKind {
    match kind {
        MasterDataKind::Party => AuditEventKind::PartyChanged,
        MasterDataKind::Item => AuditEventKind::ItemChanged,
    }
}

struct Add {
    kind: MasterDataKind,
}

#[async_trait]
impl Operation for Add {
    fn name(&self) -> &'static str {
        match self.kind {
            MasterDataKind::Party => "add_master_record of a party",
            MasterDataKind::Item => "add_master_record of an item",
        }
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let record = record(self.kind, cell);
        let event = event(changed(self.kind), cell).detail("action", "created");
        let write = MasterWrite {
            record: &record,
            event: &event,
        };
        format!("{:?}", store.add_master_record(write).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_record(store, self.kind, cell).await
    }
}

struct Replace {
    kind: MasterDataKind,
}

#[async_trait]
impl Operation for Replace {
    fn name(&self) -> &'static str {
        match self.kind {
            MasterDataKind::Party => "replace_master_record of a party",
            MasterDataKind::Item => "replace_master_record of an item",
        }
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        Add { kind: self.kind }.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let replaced = MasterRecord {
            concurrency_stamp: "second".into(),
            search_text: " date".to_owned(),
            ..record(self.kind, cell)
        };
        let event = event(changed(self.kind), cell).detail("action", "updated");
        let write = MasterWrite {
            record: &replaced,
            event: &event,
        };
        let replaced = store.replace_master_record(write, &"new".into()).await;
        format!("{replaced:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_record(store, self.kind, cell).await
    }
}

struct Use {
    kind: MasterDataKind,
}

#[async_trait]
impl Operation for Use {
    fn name(&self) -> &'static str {
        match self.kind {
            MasterDataKind::Party => "use_master_record of a party",
            MasterDataKind::Item => "use_master_record of an item",
        }
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        Add { kind: self.kind }.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let (organization, key) = (id(RIYADH), key(cell.into()));
        let used = store.use_master_record(&organization, self.kind, key, LATER);
        format!("{:?}", used.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_record(store, self.kind, cell).await
    }
}
