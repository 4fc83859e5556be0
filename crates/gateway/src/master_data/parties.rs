//! Parties: how they are checked and searched.

use invoice::Currency;
use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents as wire;
use invoicing_contract::messages::documents::LocalizedText;
use invoicing_contract::messages::parties::{Party, PartyRole};
use invoicing_storage::StorageError;
use invoicing_storage::access::Tenant;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::master_data::MasterDataKind;
use jiff::Timestamp;

use super::probe::{check_name, check_tags, probe, violations};
use super::record::{Header, MasterMessage};

/// Most days from issue to due date.
pub(super) const MAX_DUE_DAYS: i32 = 3_650;

impl MasterMessage for Party {
    const KIND: MasterDataKind = MasterDataKind::Party;
    const AUDIT_KIND: AuditEventKind = AuditEventKind::PartyChanged;
    const KEY_FIELD: &'static str = "partyKey";
    const PATH: &'static str = "party.";

    fn header(&mut self) -> Header<'_> {
        Header {
            key: &mut self.party_key,
            stamp: &mut self.concurrency_stamp,
            archived: &mut self.archived,
            created: &mut self.created,
            updated: &mut self.updated,
            last_used: &mut self.last_used,
        }
    }

    fn name(&self) -> LocalizedText {
        let details = self.details.as_ref();
        details
            .and_then(|details| details.name.clone())
            .unwrap_or_default()
    }

    fn identifier(&self) -> &str {
        self.details.as_ref().map_or("", |details| &details.tax_id)
    }

    fn shares_identifier(&self) -> bool {
        self.shares_tax_id
    }

    fn set_shares_identifier(&mut self, shares: bool) {
        self.shares_tax_id = shares;
    }

    fn search_texts(&self) -> Vec<&str> {
        let mut texts: Vec<&str> = Vec::new();
        let Some(details) = &self.details else {
            return texts;
        };
        for name in [&details.name, &details.trading_name].into_iter().flatten() {
            texts.extend([&*name.en, &*name.ar]);
        }
        texts.push(&details.tax_id);
        texts.extend(details.legal_id.iter().map(|id| &*id.value));
        texts.extend(details.other_ids.iter().map(|id| &*id.value));
        if let Some(contact) = &details.contact {
            texts.extend([&*contact.email, &*contact.phone, &*contact.name]);
        }
        texts.extend(details.address.iter().map(|address| &*address.city));
        texts.extend(self.tags.iter().map(String::as_str));
        texts
    }

    fn complete(&mut self, _tenant: &Tenant) {
        if self.roles.is_empty() {
            self.roles.push(PartyRole::Buyer as i32);
        }
    }

    fn check(&self, tenant: &Tenant, now: Timestamp) -> Result<Vec<FieldViolation>, StorageError> {
        let mut found = Vec::new();
        let name = self.name();
        found.extend(check_name(&name, "party.details.name"));
        let defaults = self.defaults.clone().unwrap_or_default();
        let mut invoice = wire::Invoice {
            buyer: self.details.clone(),
            payment_terms: defaults.payment_terms,
            note: defaults.note,
            ..probe()
        };
        // A missing name is reported above, once.
        let named = invoice.buyer.get_or_insert_default();
        if !found.is_empty() {
            named.name = Some(LocalizedText {
                en: "name".to_owned(),
                ar: String::new(),
            });
        }
        found.extend(violations(
            invoice,
            tenant,
            now,
            &[
                ("buyer", "party.details"),
                ("paymentTerms", "party.defaults.paymentTerms"),
                ("note", "party.defaults.note"),
            ],
        )?);
        for (index, role) in self.roles.iter().enumerate() {
            let known = PartyRole::try_from(*role).is_ok_and(|role| role != PartyRole::Unspecified);
            if !known || self.roles.iter().take(index).any(|other| other == role) {
                found.push(FieldViolation::new(
                    format!("party.roles[{index}]"),
                    "must be BUYER or SELLER, each once",
                ));
            }
        }
        let mut add = |field: &str, description: &str| {
            found.push(FieldViolation::new(field, description));
        };
        if !defaults.currency.is_empty() && Currency::parse(&defaults.currency).is_none() {
            let field = "party.defaults.currency";
            add(field, "is not a currency code of ISO 4217");
        }
        if !(0..=MAX_DUE_DAYS).contains(&defaults.due_days) {
            add("party.defaults.dueDays", "must lie between 0 and 3650");
        }
        let after_month_end = defaults.days_after_month_end.unwrap_or_default();
        if !(0..=MAX_DUE_DAYS).contains(&after_month_end) {
            let field = "party.defaults.daysAfterMonthEnd";
            add(field, "must lie between 0 and 3650");
        }
        if !["", "ar", "en"].contains(&&*defaults.language) {
            add("party.defaults.language", "must be ar or en");
        }
        found.extend(check_tags(&self.tags, "party.tags"));
        Ok(found)
    }
}
