//! Records for the cases.

use std::sync::Arc;
use std::time::Duration;

use invoice::Currency;
use invoicing_contract::messages::documents::{
    Document, DocumentContent, DocumentReference, Event, Invoice, Kind, LocalizedText, Party,
    Status, TaxSubtotal, Totals,
};
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{OrganizationId, SubjectId, Timestamp};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::Store;
use crate::applications::{Application, ClientSecret, GrantType, ScopeKind};
use crate::audit::{AuditEvent, AuditEventKind};
use crate::directory::{Organization, Tenant, TenantAddress};
use crate::documents::{DocumentRow, PlanMonth};
use crate::keys::SigningAlgorithm;
use crate::plans::Limits;
use crate::rng::Rng;
use crate::secret::{Bucket, Secret, TokenHash};
use crate::subjects::Subject;
use crate::tenants::{TenantAction, TenantRevision};
use crate::tokens::{AccessToken, AuthorizationCode, Family, IssuedTokens, TokenAuthorization};

/// The time of the cases.
pub const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
/// An hour later.
pub const LATER: Timestamp = Timestamp::from_millis(1_800_003_600_000);

/// Some milliseconds after [`NOW`].
#[must_use]
pub fn after_now(milliseconds: u64) -> Timestamp {
    NOW.plus(Duration::from_millis(milliseconds))
}

/// Some milliseconds before [`NOW`].
#[must_use]
pub fn before_now(milliseconds: u64) -> Timestamp {
    NOW.minus(Duration::from_millis(milliseconds))
}

/// The organization of the cases.
pub const RIYADH: &str = "riyadh";
/// Another one.
pub const JEDDAH: &str = "jeddah";

/// An audit event.
#[must_use]
pub fn audit_event(kind: AuditEventKind) -> AuditEvent {
    AuditEvent::new(NOW, kind)
}

/// How many events of a kind are recorded.
pub async fn count_events(store: &dyn Store, kind: AuditEventKind) -> usize {
    let query = crate::audit::Query {
        kinds: vec![kind],
        size: 1_000,
        ..crate::audit::Query::default()
    };
    store.audit(&query).await.unwrap().len()
}

#[must_use]
pub fn id(organization: &str) -> OrganizationId {
    OrganizationId::new(organization)
}

#[must_use]
pub fn subject(id: &str) -> SubjectId {
    SubjectId::new(id)
}

#[must_use]
pub fn organization(name: &str) -> Organization {
    Organization {
        id: id(name),
        name: name.to_owned(),
        name_ar: format!("{name} ar"),
        domain: format!("{name}.example"),
    }
}

/// The stored tenant of an organization, read with the current version.
pub(super) async fn stored_tenant(store: &dyn Store, organization: &str) -> Option<Tenant> {
    let basis = store.basis().await.unwrap();
    let tenant = store.tenant(&id(organization), basis).await.unwrap();
    tenant.map(Arc::unwrap_or_clone)
}

#[must_use]
pub fn tenant(organization: Organization) -> Tenant {
    Tenant {
        organization,
        currency: "SAR".to_owned(),
        country: "SA".to_owned(),
        time_zone: "Asia/Riyadh".to_owned(),
        tax_id: "310122393500003".to_owned(),
        address: TenantAddress {
            building: "1".to_owned(),
            street: "street".to_owned(),
            district: "district".to_owned(),
            city: "city".to_owned(),
            postal_code: "12345".to_owned(),
        },
        own_limits: Limits {
            monthly_documents: Some(100),
            ..Limits::default()
        },
        plan: None,
        authority_endpoint: None,
        concurrency_stamp: Tenant::INITIAL_STAMP.to_owned(),
        disabled_at: None,
    }
}

/// A revision of a tenant.
#[must_use]
pub fn revision(action: TenantAction) -> TenantRevision {
    TenantRevision {
        revision: 0,
        at: NOW,
        actor: "noura".to_owned(),
        action,
        changes: "[]".to_owned(),
    }
}

/// A person with a password, at home in [`RIYADH`].
#[must_use]
pub fn person(name: &str) -> Subject {
    Subject {
        id: name.into(),
        username: format!("{name}@riyadh.example"),
        name: name.to_uppercase(),
        email: Some(format!("{name}@riyadh.example")),
        email_verified: true,
        home_organization: RIYADH.into(),
        password_hash: Some("a hash".to_owned()),
        must_change_password: false,
        epoch: 0,
    }
}

/// A machine user, at home in [`RIYADH`].
#[must_use]
pub fn machine(name: &str) -> Subject {
    Subject {
        email: None,
        email_verified: false,
        password_hash: None,
        ..person(name)
    }
}

/// A confidential application.
#[must_use]
pub fn application(client_id: &str) -> Application {
    Application {
        client_id: client_id.into(),
        name: client_id.to_uppercase(),
        kind: ApplicationKind::Confidential,
        secret: Some(ClientSecret::new(TokenHash::of("a secret"))),
        subject: None,
        organization: None,
        grant_types: vec![GrantType::AuthorizationCode, GrantType::RefreshToken],
        scopes: ScopeKind::USUAL.to_vec(),
        includes_audience: false,
        redirect_uris: vec!["https://a.example/callback".to_owned()],
        post_logout_uris: Vec::new(),
        id_token_algorithm: SigningAlgorithm::EdDsa,
        revoke_family_on_reuse: false,
        organization_only: false,
        disabled_at: None,
        concurrency_stamp: "1".into(),
    }
}

/// Adds both organizations, the person `noura`, the machine user `robot` and the application `app`.
pub async fn populate(store: &dyn Store) {
    for name in [RIYADH, JEDDAH] {
        store.add_organization(&organization(name)).await.unwrap();
    }
    for subject in [person("noura"), machine("robot")] {
        let added = store
            .add_subject(&subject, &audit_event(AuditEventKind::UserCreated))
            .await;
        assert!(added.unwrap());
    }
    let event = audit_event(AuditEventKind::ApplicationRegistered);
    store
        .put_application(&application("app"), &event)
        .await
        .unwrap();
}

/// The hash of an access token without a family, in any bucket.
#[must_use]
pub fn hash_without_family(name: &str) -> TokenHash {
    Secret::time_ordered(NOW, &NameBytes(name)).hash()
}

/// The bucket of all families of the cases.
const BUCKET: i64 = 77;

/// An authorization of `noura` for `app`. There are fewer than 2,048.
#[must_use]
pub fn family(number: i64) -> Family {
    Family {
        id: (NOW.as_millis() << 21) + (number << 10) + BUCKET,
        client_id: "app".into(),
        subject: "noura".into(),
        session_id: None,
        scope: "openid offline_access".to_owned(),
        epoch: 0,
        authenticated_at: NOW,
        expires_at: LATER,
    }
}

/// Bytes that follow from a name.
struct NameBytes<'a>(&'a str);

impl Rng for NameBytes<'_> {
    fn fill(&self, bytes: &mut [u8]) {
        let digest = Sha256::digest(self.0);
        for (byte, from) in bytes.iter_mut().zip(digest.iter().cycle()) {
            *byte = *from;
        }
    }
}

/// The hash of a code, token or cookie that was issued at [`NOW`], the same for the same name.
#[must_use]
pub fn hash(name: &str) -> TokenHash {
    hash_at(name, NOW)
}

/// The hash of a code, token or cookie that was issued at a time, the same for the same name. As those that the service issues,
/// it is of a secret that begins with the time and has the bucket of the family (decision 0034): an engine may partition by them.
#[must_use]
pub fn hash_at(name: &str, issued_at: Timestamp) -> TokenHash {
    Secret::time_ordered_in(issued_at, Bucket::of(BUCKET), &NameBytes(name)).hash()
}

#[must_use]
pub fn code(name: &str) -> AuthorizationCode {
    AuthorizationCode {
        hash: hash(name),
        redirect_uri: "https://a.example/callback".to_owned(),
        code_challenge: Some("challenge".to_owned()),
        nonce: Some("nonce".to_owned()),
        expires_at: LATER,
    }
}

#[must_use]
pub fn access_token(name: &str, family: Option<i64>) -> AccessToken {
    AccessToken {
        hash: hash(name),
        family,
        authorization: Arc::new(TokenAuthorization {
            client_id: "app".into(),
            scope: "openid offline_access".to_owned(),
            audiences: vec!["project".to_owned()],
            carries_home: true,
        }),
        subject: "noura".into(),
        epoch: 0,
        actor: None,
        issued_at: NOW,
        expires_at: LATER,
    }
}

/// An access token `NAME access` and a refresh token `NAME refresh` of a family.
#[must_use]
pub fn tokens(name: &str, family: i64) -> IssuedTokens {
    IssuedTokens {
        access: access_token(&format!("{name} access"), Some(family)),
        refresh: Some(crate::tokens::RefreshToken {
            hash: hash(&format!("{name} refresh")),
            expires_at: LATER,
        }),
    }
}

/// A month without a limit.
#[must_use]
pub fn unlimited() -> PlanMonth {
    PlanMonth {
        name: "2027-01".to_owned(),
        limit: None,
    }
}

/// The key of the document with a number in the cases.
#[must_use]
pub fn key(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// A draft of [`RIYADH`] with the gross amount `gross` in minor units and the stamp `new`.
#[must_use]
pub fn draft(number: u128, gross: i64) -> DocumentRow {
    row(Draft {
        key: key(number),
        gross,
        ..Draft::default()
    })
}

/// What documents of the cases differ in.
#[derive(Debug, Clone)]
pub struct Draft {
    pub organization: &'static str,
    pub key: Uuid,
    pub status: Status,
    pub kind: Kind,
    pub number: String,
    pub issue_date: String,
    pub due_date: String,
    pub currency: &'static str,
    pub gross: i64,
    pub buyer: String,
    pub stamp: String,
    pub preceding: Vec<Uuid>,
    pub updated_at: Timestamp,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            organization: RIYADH,
            key: key(1),
            status: Status::Draft,
            kind: Kind::Invoice,
            number: String::new(),
            issue_date: "2027-01-15".to_owned(),
            due_date: String::new(),
            currency: "SAR",
            gross: 115,
            buyer: "buyer".to_owned(),
            stamp: "new".to_owned(),
            preceding: Vec::new(),
            updated_at: NOW,
        }
    }
}

/// The row of a document.
#[must_use]
pub fn row(draft: Draft) -> DocumentRow {
    let currency = Currency::parse(draft.currency).unwrap();
    let text = |minor| {
        invoice::Money::from_minor(minor, currency)
            .unwrap()
            .to_string()
    };
    let (net, tax) = (draft.gross - 15, 15);
    let written = Event {
        by: "noura".to_owned(),
        by_name: "NOURA".to_owned(),
        ..Event::default()
    };
    let reference = |key: &Uuid| DocumentReference {
        document_key: key.to_string(),
        ..DocumentReference::default()
    };
    let invoice = Invoice {
        kind: draft.kind as i32,
        number: draft.number.clone(),
        issue_date: draft.issue_date.clone(),
        due_date: draft.due_date.clone(),
        supply_date: "2027-01-10".to_owned(),
        currency: draft.currency.to_owned(),
        note: "a note".to_owned(),
        buyer: Some(Party {
            name: Some(LocalizedText {
                ar: String::new(),
                en: draft.buyer.clone(),
            }),
            ..Party::default()
        }),
        preceding: draft.preceding.iter().map(reference).collect(),
        tax_breakdown: vec![TaxSubtotal {
            category: "S".to_owned(),
            rate: "15.00".to_owned(),
            taxable: text(net),
            tax: text(tax),
            ..TaxSubtotal::default()
        }],
        totals: Some(Totals {
            net: text(net),
            tax: text(tax),
            gross: text(draft.gross),
            payable: text(draft.gross),
            ..Totals::default()
        }),
        ..Invoice::default()
    };
    let document = Document {
        document_key: draft.key.to_string(),
        organization_id: draft.organization.to_owned(),
        status: draft.status as i32,
        concurrency_stamp: draft.stamp,
        content: Some(DocumentContent {
            invoice: Some(invoice),
        }),
        created: Some(written.clone()),
        updated: Some(written),
        ..Document::default()
    };
    DocumentRow {
        organization: id(draft.organization),
        key: draft.key,
        document,
        status: draft.status,
        kind: draft.kind,
        number_sort_key: draft.number.clone(),
        number: draft.number,
        issue_date: draft.issue_date,
        due_date: draft.due_date,
        currency,
        net,
        tax,
        gross: draft.gross,
        payable: draft.gross,
        gross_sort_key: draft.gross * 10_i64.pow(4 - currency.minor_units()),
        buyer_sort_key: draft.buyer.clone(),
        buyer_text: draft.buyer,
        updated_at: draft.updated_at,
    }
}
