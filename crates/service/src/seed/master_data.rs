//! Demo buyers and items of the home organization, so that the suggestions of a new document have something to find.

use invoicing_contract::Timestamp;
use invoicing_contract::messages::documents::{self as wire, LocalizedText};
use invoicing_contract::messages::items::Item;
use invoicing_contract::messages::parties::{Party, PartyDefaults, PartyRole};
use invoicing_gateway::documents::history_event;
use invoicing_gateway::master_data::{item_record, party_record};
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::master_data::{MasterDataKind, MasterRecord, MasterWrite};
use invoicing_storage::{Clock, StorageError, Store};
use uuid::Uuid;

use super::demo::{HOME, SEED};

/// The keys are version 7 UUIDs of one moment, in the order of the lists.
const FIRST_KEY: u128 = 0x0199_0000_0000_7000_8000_0000_0000_0001;
/// Who has entered them.
const AUTHOR: (&str, &str) = ("310000000000000001", "Noura Al-Harbi");

/// Name in Arabic and English, VAT number, city and days until a document is due.
const BUYERS: [(&str, &str, &str, &str, i32); 6] = [
    (
        "طويق لمواد البناء",
        "Tuwaiq Building Supplies",
        "310944100200003",
        "Riyadh",
        30,
    ),
    (
        "ينبع للخدمات البحرية",
        "Yanbu Marine Services",
        "310944100300003",
        "Yanbu",
        45,
    ),
    (
        "عيادات الروضة",
        "Rawdah Clinics",
        "310944100400003",
        "Jeddah",
        15,
    ),
    (
        "تمور القصيم",
        "Qasim Dates",
        "310944100500003",
        "Buraidah",
        30,
    ),
    (
        "وادي حنيفة للنقل",
        "Wadi Hanifah Transport",
        "310944100600003",
        "Riyadh",
        0,
    ),
    (
        "فنادق فرسان",
        "Farasan Hotels",
        "310944100700003",
        "Jazan",
        60,
    ),
];

/// Name in Arabic and English, code, unit (UN/ECE Recommendation 20) and price in SAR.
const ITEMS: [(&str, &str, &str, &str, &str); 6] = [
    (
        "مسك الدفاتر الشهري",
        "Monthly bookkeeping",
        "BK-01",
        "MON",
        "2400.00",
    ),
    ("معاينة موقع", "Site survey", "SV-10", "C62", "850.00"),
    ("تأجير مولد", "Generator hire", "GN-20", "DAY", "320.00"),
    ("طفاية حريق", "Fire extinguisher", "FE-06", "C62", "145.00"),
    ("تنظيف مكاتب", "Office cleaning", "CL-02", "MTK", "6.50"),
    (
        "ترجمة مستند",
        "Document translation",
        "TR-05",
        "C62",
        "95.00",
    ),
];

/// Writes the records that the organization does not have. What was changed or archived since stays.
pub(super) async fn insert(store: &dyn Store, clock: &dyn Clock) -> Result<(), StorageError> {
    let (organization, at) = (HOME.into(), clock.timestamp());
    let created = history_event(clock.now(), &AUTHOR.0.into(), AUTHOR.1);
    let text = |(ar, en): (&str, &str)| {
        Some(LocalizedText {
            ar: ar.to_owned(),
            en: en.to_owned(),
        })
    };
    for (index, (ar, en, tax_id, city, due_days)) in BUYERS.into_iter().enumerate() {
        let key = key(index);
        let party = Party {
            party_key: key.to_string(),
            concurrency_stamp: key.simple().to_string(),
            details: Some(wire::Party {
                name: text((ar, en)),
                tax_id: tax_id.to_owned(),
                address: Some(wire::Address {
                    city: city.to_owned(),
                    country: "SA".to_owned(),
                    ..super::saudi_address()
                }),
                ..wire::Party::default()
            }),
            roles: vec![PartyRole::Buyer as i32],
            defaults: Some(PartyDefaults {
                currency: "SAR".to_owned(),
                due_days,
                ..PartyDefaults::default()
            }),
            created: Some(created.clone()),
            updated: Some(created.clone()),
            ..Party::default()
        };
        add(store, party_record(&organization, key, &party, at), at).await?;
    }
    for (index, (ar, en, code, unit, price)) in ITEMS.into_iter().enumerate() {
        let key = key(BUYERS.len() + index);
        let item = Item {
            item_key: key.to_string(),
            concurrency_stamp: key.simple().to_string(),
            name: text((ar, en)),
            code: code.to_owned(),
            unit: unit.to_owned(),
            price: price.to_owned(),
            currency: "SAR".to_owned(),
            tax: Some(wire::Tax {
                category: "S".to_owned(),
                rate: "15".to_owned(),
                ..wire::Tax::default()
            }),
            created: Some(created.clone()),
            updated: Some(created.clone()),
            ..Item::default()
        };
        add(store, item_record(&organization, key, &item, at), at).await?;
    }
    Ok(())
}

fn key(index: usize) -> Uuid {
    Uuid::from_u128(FIRST_KEY + index as u128)
}

/// A key or an identifier that is taken: the record is there, or a user has entered another one.
async fn add(store: &dyn Store, record: MasterRecord, at: Timestamp) -> Result<(), StorageError> {
    let known = store.master_record(&record.organization, record.kind, record.key);
    if known.await?.is_some() {
        return Ok(());
    }
    let kind = match record.kind {
        MasterDataKind::Party => AuditEventKind::PartyChanged,
        MasterDataKind::Item => AuditEventKind::ItemChanged,
    };
    let event = AuditEvent::new(at, kind)
        .actor(SEED)
        .organization(&record.organization)
        .detail("action", "created")
        .detail("key", record.key.to_string());
    let write = MasterWrite {
        record: &record,
        event: &event,
    };
    store.add_master_record(write).await.map(drop)
}
