//! The sellers of organizations, from documents that were read: no claim and no operation of the contract for clerks has them.
//! From the own tenant too, where an administrator has read or changed it.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ::invoice::content::{Address, Party, Text};
use invoicing_contract::messages::documents;
use invoicing_contract::{OrganizationId, invoice_mapping};
use jiff::Timestamp;

use super::Invoices;
use super::party_details::to_identifier;
use crate::account_key::AccountKey;
use crate::gateway::CallContext;
use crate::views::{AddressFields, TenantView};

/// Whose seller it is. Two environments can have organizations of the same id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct SellerKey {
    account: AccountKey,
    organization: OrganizationId,
}

impl SellerKey {
    pub(super) fn of(context: &CallContext) -> Self {
        Self {
            account: context.session.account_key(),
            organization: context.organization.clone(),
        }
    }
}

/// The sellers that are known since the start.
#[derive(Default)]
pub(super) struct Sellers {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    known: HashMap<SellerKey, KnownSeller>,
    asked: HashSet<SellerKey>,
}

struct KnownSeller {
    party: Party,
    /// The tenant had these details at this time.
    at: Timestamp,
}

impl Sellers {
    pub(super) fn get(&self, key: &SellerKey) -> Option<Party> {
        self.lock().known.get(key).map(|known| known.party.clone())
    }

    /// Remembers the seller of a document, unless a later one is known. One without any field is none.
    pub(super) fn put_of(&self, key: SellerKey, document: &documents::Document) {
        let party = invoice_mapping::to_seller(document);
        let at = seller_time(document);
        let mut state = self.lock();
        let is_outdated = state.known.get(&key).is_some_and(|known| known.at > at);
        if party != Party::default() && !is_outdated {
            state.known.insert(key, KnownSeller { party, at });
        }
    }

    /// Remembers the seller as the tenant is now, also if the clock of this computer is behind that of the service.
    fn put_current(&self, key: SellerKey, party: Party, now: Timestamp) {
        let mut state = self.lock();
        let known = state.known.get(&key);
        let at = known.map_or(now, |known| known.at.max(now));
        state.known.insert(key, KnownSeller { party, at });
    }

    /// Whether a seller has not been asked for before.
    pub(super) fn ask(&self, key: SellerKey) -> bool {
        self.lock().asked.insert(key)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Invoices {
    /// Remembers the tenant of the window's organization as it is now: the next documents name it as their seller.
    pub(crate) fn remember_own_tenant(&self, context: &CallContext, tenant: &TenantView) {
        let (key, seller) = (SellerKey::of(context), seller_of(tenant));
        self.sellers.put_current(key, seller, self.clock.now());
    }
}

/// The seller as the service completes a document of the tenant.
fn seller_of(tenant: &TenantView) -> Party {
    let fields = &tenant.fields;
    let number = Some(to_identifier(&fields.registration_number));
    let number = number.filter(|number| !number.value.is_empty());
    let AddressFields {
        building,
        street,
        district,
        city,
        postal_code,
    } = fields.address.clone();
    Party {
        name: Text {
            ar: fields.name_ar.clone(),
            en: fields.name.clone(),
        },
        tax_id: fields.tax_id.clone(),
        other_ids: number.into_iter().collect(),
        address: Address {
            building,
            street,
            district,
            city,
            postal_code,
            country: tenant.country.clone(),
            ..Address::default()
        }
        .into(),
        ..Party::default()
    }
}

/// When the service took the seller of a document from the tenant: at its issue, before that at its last write.
fn seller_time(document: &documents::Document) -> Timestamp {
    let event = document.issued.as_ref().or(document.updated.as_ref());
    event
        .and_then(documents::Event::moment)
        .unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{IdentifierContent, TenantFields, TenantState};

    fn key(environment: &str) -> SellerKey {
        SellerKey {
            account: AccountKey::new(environment, "u"),
            organization: "270001".into(),
        }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("in range")
    }

    /// A document of a seller in this street, which was written at `updated` and perhaps issued before.
    fn document(street: &str, issued: Option<i64>, updated: i64) -> documents::Document {
        let event = |second| documents::Event {
            time: Some(pbjson_types::Timestamp {
                seconds: second,
                nanos: 0,
            }),
            ..documents::Event::default()
        };
        let seller = documents::Party {
            address: Some(documents::Address {
                street: street.to_owned(),
                ..documents::Address::default()
            }),
            ..documents::Party::default()
        };
        documents::Document {
            content: Some(documents::DocumentContent {
                invoice: Some(documents::Invoice {
                    seller: Some(seller),
                    ..documents::Invoice::default()
                }),
            }),
            issued: issued.map(event),
            updated: Some(event(updated)),
            ..documents::Document::default()
        }
    }

    fn street(sellers: &Sellers) -> Option<String> {
        let seller = sellers.get(&key("production"))?;
        Some(seller.address.street.clone())
    }

    #[test]
    fn seller_of_an_organization_is_not_that_of_the_same_id_in_another_environment() {
        let sellers = Sellers::default();
        sellers.put_of(key("production"), &document("Palm Street", None, 1));
        assert_eq!(street(&sellers).as_deref(), Some("Palm Street"));
        assert_eq!(sellers.get(&key("staging")), None);
        assert!(sellers.ask(key("production")) && sellers.ask(key("staging")));
        assert!(!sellers.ask(key("staging")), "it was asked for");
        sellers.put_of(key("staging"), &documents::Document::default());
        assert_eq!(sellers.get(&key("staging")), None, "it has no field");
    }

    #[test]
    fn changed_tenant_is_the_seller_until_a_document_of_a_later_one_is_read() {
        let sellers = Sellers::default();
        sellers.put_of(key("production"), &document("Old Street", None, 100));
        let changed = Party {
            address: Address {
                street: "New Street".to_owned(),
                ..Address::default()
            }
            .into(),
            ..Party::default()
        };
        // The clock of this computer is behind.
        sellers.put_current(key("production"), changed, at(90));
        assert_eq!(street(&sellers).as_deref(), Some("New Street"));
        sellers.put_of(key("production"), &document("Old Street", None, 99));
        // It was frozen later, with the seller of its issue.
        sellers.put_of(key("production"), &document("Old Street", Some(99), 200));
        assert_eq!(street(&sellers).as_deref(), Some("New Street"));
        sellers.put_of(key("production"), &document("Other Street", None, 201));
        assert_eq!(street(&sellers).as_deref(), Some("Other Street"));
    }

    #[test]
    fn tenant_is_the_seller_that_its_documents_name() {
        let mut tenant = TenantView {
            id: "270001".into(),
            fields: TenantFields {
                name: "Palm Company".to_owned(),
                name_ar: "شركة النخلة".to_owned(),
                time_zone: "Asia/Riyadh".to_owned(),
                tax_id: "310122393500003".to_owned(),
                registration_number: IdentifierContent {
                    scheme: "CRN".to_owned(),
                    value: "1010175397".to_owned(),
                },
                address: AddressFields {
                    building: "7422".to_owned(),
                    street: "Palm Street".to_owned(),
                    district: "Olaya".to_owned(),
                    city: "Riyadh".to_owned(),
                    postal_code: "12214".to_owned(),
                },
            },
            domain: "palm.example".to_owned(),
            currency: "SAR".to_owned(),
            country: "SA".to_owned(),
            state: TenantState::Active,
            stamp: "1".to_owned(),
            disabled: None,
        };
        let seller = seller_of(&tenant);
        assert_eq!(seller.name.ar, "شركة النخلة");
        assert_eq!(seller.tax_id, "310122393500003");
        assert_eq!(seller.other_ids[0].value, "1010175397");
        assert_eq!(seller.address.building, "7422");
        assert_eq!(seller.address.country, "SA");
        tenant.fields.registration_number = IdentifierContent::default();
        assert!(seller_of(&tenant).other_ids.is_empty());
    }
}
