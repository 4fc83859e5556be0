//! Items: how they are checked and searched.

use invoice::Currency;
use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents as wire;
use invoicing_contract::messages::documents::LocalizedText;
use invoicing_contract::messages::items::Item;
use invoicing_storage::StorageError;
use invoicing_storage::access::Tenant;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::master_data::MasterDataKind;
use jiff::Timestamp;

use super::probe::{check_name, check_tags, probe, probe_line, violations};
use super::record::{Header, MasterMessage};

impl MasterMessage for Item {
    const KIND: MasterDataKind = MasterDataKind::Item;
    const AUDIT_KIND: AuditEventKind = AuditEventKind::ItemChanged;
    const KEY_FIELD: &'static str = "itemKey";
    const PATH: &'static str = "item.";

    fn header(&mut self) -> Header<'_> {
        Header {
            key: &mut self.item_key,
            stamp: &mut self.concurrency_stamp,
            archived: &mut self.archived,
            created: &mut self.created,
            updated: &mut self.updated,
            last_used: &mut self.last_used,
        }
    }

    fn name(&self) -> LocalizedText {
        self.name.clone().unwrap_or_default()
    }

    fn identifier(&self) -> &str {
        &self.code
    }

    fn shares_identifier(&self) -> bool {
        false
    }

    /// A code is never shared.
    fn set_shares_identifier(&mut self, _shares: bool) {}

    fn search_texts(&self) -> Vec<&str> {
        let mut texts: Vec<&str> = Vec::new();
        for text in [&self.name, &self.description].into_iter().flatten() {
            texts.extend([&*text.en, &*text.ar]);
        }
        // The name first, but a long description must not push the codes out.
        let description = if texts.len() > 2 {
            texts.split_off(2)
        } else {
            Vec::new()
        };
        texts.push(&self.code);
        texts.extend(self.standard_code.iter().map(|code| &*code.value));
        texts.extend(self.tags.iter().map(String::as_str));
        texts.extend(description);
        texts
    }

    fn complete(&mut self, tenant: &Tenant) {
        if self.unit.is_empty() {
            "C62".clone_into(&mut self.unit);
        }
        if self.currency.is_empty() {
            self.currency.clone_from(&tenant.currency);
        }
    }

    fn check(&self, tenant: &Tenant, now: Timestamp) -> Result<Vec<FieldViolation>, StorageError> {
        let mut found = Vec::new();
        found.extend(check_name(&self.name(), "item.name"));
        let mut line = probe_line();
        if found.is_empty() {
            line.description.clone_from(&self.name);
        }
        line.item_description.clone_from(&self.description);
        line.item_code.clone_from(&self.code);
        line.standard_item_code.clone_from(&self.standard_code);
        line.unit.clone_from(&self.unit);
        if !self.price.is_empty() {
            line.unit_price.clone_from(&self.price);
        }
        if self.tax.is_some() {
            line.tax.clone_from(&self.tax);
        }
        let known = Currency::parse(&self.currency).is_some();
        if !known {
            let description = "is not a currency code of ISO 4217";
            found.push(FieldViolation::new("item.currency", description));
        }
        let invoice = wire::Invoice {
            currency: if known {
                self.currency.clone()
            } else {
                String::new()
            },
            lines: vec![line],
            ..probe()
        };
        found.extend(violations(
            invoice,
            tenant,
            now,
            &[
                ("lines[0].description", "item.name"),
                ("lines[0].itemDescription", "item.description"),
                ("lines[0].itemCode", "item.code"),
                ("lines[0].standardItemCode", "item.standardCode"),
                ("lines[0].unit", "item.unit"),
                ("lines[0].unitPrice", "item.price"),
                ("lines[0].tax", "item.tax"),
            ],
        )?);
        found.extend(check_tags(&self.tags, "item.tags"));
        Ok(found)
    }
}
