//! Receivables: what is open of numbered invoices, and the payments that settle them.

use std::collections::BTreeMap;

use async_trait::async_trait;
use invoice::{Currency, Money};
use invoicing_contract::{OrganizationId, Timestamp};
use uuid::Uuid;

use super::StorageError;
use super::audit::AuditEvent;
use super::documents::DocumentRow;
use invoicing_contract::messages::documents::{Kind, Status};

/// What a numbered document asks for, and how much of it is settled. A credit note owes its amount to the buyer, so its amounts
/// are negative (decision 0137).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receivable {
    /// BT-5
    pub currency: Currency,
    /// `YYYY-MM-DD`: BT-9, or the issue date of a document without one.
    pub due_on: String,
    /// BT-115 in minor units; of a credit note BT-112, negative.
    pub payable: i64,
    /// Payments less refunds, without the voided ones, in minor units.
    pub paid: i64,
    /// What credit notes took off, in minor units; of a credit note what it took off others, negative.
    pub credited: i64,
}

impl Receivable {
    /// What is open in minor units; negative: the buyer gets it back.
    #[must_use]
    pub const fn open(&self) -> i64 {
        self.payable - self.paid - self.credited
    }

    /// Whether an entry of this amount is not more than what is open: a payment if the buyer owes something, a refund (negative)
    /// if the buyer gets something back.
    #[must_use]
    pub const fn admits(&self, amount: i64) -> bool {
        if amount > 0 {
            amount <= self.open()
        } else {
            amount >= self.open()
        }
    }

    /// Whether nothing is open because of credit notes alone: nothing was paid towards what the document asks for.
    #[must_use]
    pub const fn is_credited(&self) -> bool {
        let is_paid = self.paid != 0 && (self.paid < 0) == (self.payable < 0);
        self.open() == 0 && self.credited != 0 && !is_paid
    }

    /// What is open as an amount.
    #[must_use]
    pub const fn open_amount(&self) -> Option<Money> {
        Money::from_minor(self.open(), self.currency)
    }

    /// The receivable of a document without payments; `None` for a draft. A rejected document asks for nothing until it is issued
    /// again.
    #[must_use]
    pub fn of_document(row: &DocumentRow) -> Option<Self> {
        let asked = match row.kind {
            Kind::Invoice | Kind::DebitNote => row.payable,
            Kind::CreditNote => -row.gross,
            Kind::Unspecified => return None,
        };
        (!row.number.is_empty()).then(|| Self {
            currency: row.currency,
            due_on: if row.due_date.is_empty() {
                row.issue_date.clone()
            } else {
                row.due_date.clone()
            },
            payable: if row.status == Status::Rejected {
                0
            } else {
                asked
            },
            paid: 0,
            credited: 0,
        })
    }
}

/// An entry of the payments of a document. Entries are never changed or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentEntry {
    /// The organization that the document belongs to.
    pub organization: OrganizationId,
    /// The document.
    pub document: Uuid,
    /// Unique within the document.
    pub key: Uuid,
    /// The payment that this entry voids.
    pub voids: Option<Uuid>,
    /// Whether another entry voids this one. Only read.
    pub voided: bool,
    /// In minor units of the document's currency. A refund is negative, and an entry that voids has the opposite sign.
    pub amount: i64,
    /// When it was recorded. The stored one is later than that of every entry which the document had before, whatever the clocks say:
    /// a page begins after the last entry of the one before. The body has the time of the clock.
    pub recorded_at: Timestamp,
    /// The message `invoicing.payments.v2.Payment`.
    pub body: Vec<u8>,
}

/// The outcome of recording an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentOutcome {
    /// It is stored. The receivable after it.
    Stored(Receivable),
    /// The document has an entry with this key. Nothing was written.
    KeyTaken,
    /// It is more than what is open. Nothing was written. The receivable.
    AboveOpen(Receivable),
    /// The payment that it voids is voided already. Nothing was written.
    AlreadyVoided,
    /// The document has no receivable. Nothing was written.
    NoReceivable,
}

/// A position in the payments of a document: time and key of an entry.
pub type PaymentPosition = (Timestamp, Uuid);

/// Receivables and payments of organizations. Each method is one transaction.
#[async_trait]
pub trait PaymentStore: Send + Sync {
    /// The receivable of a document.
    async fn receivable(
        &self,
        organization: &OrganizationId,
        document: Uuid,
    ) -> Result<Option<Receivable>, StorageError>;

    /// Records an entry, if what is open [admits](Receivable::admits) it; a void is always admitted. Payments together never
    /// exceed what is open, and refunds neither: of several at the same time, in whichever process, those
    /// that fit are stored. A payment is voided once.
    async fn record_payment(
        &self,
        entry: &PaymentEntry,
        event: &AuditEvent,
    ) -> Result<PaymentOutcome, StorageError>;

    /// A payment of a document, or an entry that voids one.
    async fn payment(
        &self,
        organization: &OrganizationId,
        document: Uuid,
        key: Uuid,
    ) -> Result<Option<PaymentEntry>, StorageError>;

    /// Entries of a document in the order in which they were recorded, after a position.
    async fn payments(
        &self,
        organization: &OrganizationId,
        document: Uuid,
        after: Option<PaymentPosition>,
        size: u32,
    ) -> Result<Vec<PaymentEntry>, StorageError>;
}

/// What credit notes took off receivables, in minor units, by original and note.
pub type TakenOff = BTreeMap<(Uuid, Uuid), i64>;

/// Whether a document is a credit note that takes its amount off receivables.
#[must_use]
pub fn takes_off(row: &DocumentRow) -> bool {
    row.kind == Kind::CreditNote && !row.number.is_empty() && row.status != Status::Rejected
}

/// How much of a credit note goes to each of its originals, by what is open of each, in the order given. What is above all of
/// them is owed to the buyer by the note itself.
#[must_use]
pub fn allocate_credit(credit: i64, open: &[i64]) -> Vec<i64> {
    let mut rest = credit;
    open.iter()
        .map(|open| {
            let part = rest.min((*open).max(0));
            rest -= part;
            part
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credit_goes_to_originals_in_their_order_and_the_rest_to_none() {
        assert_eq!(allocate_credit(50, &[100]), [50]);
        assert_eq!(allocate_credit(150, &[100, 100]), [100, 50]);
        assert_eq!(allocate_credit(150, &[-20, 100]), [0, 100]);
        assert_eq!(allocate_credit(5, &[]), [] as [i64; 0]);
    }

    fn receivable(payable: i64, paid: i64, credited: i64) -> Receivable {
        Receivable {
            currency: Currency::SAUDI_RIYAL,
            due_on: "2027-01-15".to_owned(),
            payable,
            paid,
            credited,
        }
    }

    #[test]
    fn refund_is_admitted_up_to_what_the_buyer_gets_back() {
        let note = receivable(-100, 0, -60);
        for (amount, admitted) in [(-40, true), (-41, false), (1, false)] {
            assert_eq!(note.admits(amount), admitted, "{amount}");
        }
        let invoice = receivable(100, 0, 60);
        for (amount, admitted) in [(40, true), (41, false), (-1, false)] {
            assert_eq!(invoice.admits(amount), admitted, "{amount}");
        }
    }

    #[test]
    fn document_is_credited_if_notes_alone_settled_it() {
        for (payable, paid, credited, is_credited) in [
            (100, 0, 100, true),
            (100, 40, 60, false),
            (100, 0, 60, false),
            (100, 100, 0, false),
            // A refund of what was credited beyond it.
            (100, -20, 120, true),
            (-100, 0, -100, true),
            (-100, -40, -60, false),
            (-100, -100, 0, false),
        ] {
            let found = receivable(payable, paid, credited).is_credited();
            assert_eq!(found, is_credited, "{payable} {paid} {credited}");
        }
    }
}
