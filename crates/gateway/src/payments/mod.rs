//! Payments and refunds of documents, and what is open of them (decisions 0124 and 0137).

mod balance;
mod entry;
mod error;
mod rpc;

pub(crate) use self::balance::payment_state;
pub(crate) use self::error::PaymentError;

use std::sync::Arc;

use invoicing_contract::messages::documents::{Document, Invoice, Kind, Status};
use invoicing_contract::messages::payments::{
    Balance, ListPaymentsRequest, ListPaymentsResponse, RecordPaymentRequest,
    RecordPaymentResponse, VoidPaymentRequest,
};
use invoicing_contract::{FieldViolation, Timestamp};
use invoicing_http::{PageTokens, RequestContext, truncate_page};
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::payments::{PaymentEntry, PaymentOutcome, PaymentPosition, Receivable};
use invoicing_storage::{Clock, Rng, StorageError, Store};
use prost::Message as _;
use uuid::Uuid;

use self::balance::balance;
use self::entry::{read_entry, read_payment};
use crate::audit_event::audit_event;
use crate::documents::{DocumentError, caller_event, find_document};
use crate::new_identifiers::new_key;
use crate::tenant_time::today;

/// Most characters of the reason of a void.
const MAX_REASON_CHARACTERS: usize = 1_000;

/// The payments of all organizations.
pub(crate) struct Payments {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    page_tokens: PageTokens,
}

impl Payments {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        page_tokens: PageTokens,
    ) -> Self {
        Self {
            store,
            clock,
            rng,
            page_tokens,
        }
    }

    /// Records a payment.
    async fn record(
        &self,
        context: &RequestContext,
        request: RecordPaymentRequest,
    ) -> Result<RecordPaymentResponse, PaymentError> {
        let now = self.clock.now();
        let mut violations = Vec::new();
        let key = new_key("paymentKey", &request.payment_key, now, &*self.rng);
        let key = key.unwrap_or_else(|violation| {
            violations.push(violation);
            Uuid::nil()
        });
        let mut payable = self.payable(context, &request.document_key).await?;
        let payment = request.payment.unwrap_or_default();
        if payable.status == Status::Rejected && !payment.refund {
            return Err(PaymentError::Document(DocumentError::NotIssued));
        }
        let today = today(&context.tenant, now);
        let (mut payment, amount) =
            match read_payment(payment, payable.receivable.currency, today, violations) {
                Ok(read) => read,
                Err(violations) => return Err(PaymentError::InvalidRequest(violations)),
            };
        payment.payment_key = key.to_string();
        payment.document_key = payable.key.to_string();
        payment.recorded = Some(caller_event(context, now));
        let entry = PaymentEntry {
            organization: context.organization().clone(),
            document: payable.key,
            key,
            voids: None,
            voided: false,
            amount,
            recorded_at: Timestamp::from_millis(now.as_millisecond()),
            body: payment.encode_to_vec(),
        };
        if request.validate_only {
            let known = self.store.payment(&entry.organization, payable.key, key);
            if known.await?.is_some() {
                return Err(PaymentError::KeyExists);
            }
            if !payable.receivable.admits(amount) {
                return Err(PaymentError::AboveOpen(payable.receivable));
            }
            // As the store does.
            payable.receivable.paid += amount;
            return Ok(RecordPaymentResponse {
                payment: Some(payment),
                balance: Some(balance(&payable, today)?),
            });
        }
        self.store_entry(
            context,
            payable.status,
            entry,
            AuditEventKind::PaymentRecorded,
        )
        .await
    }

    /// Voids a payment.
    async fn void(
        &self,
        context: &RequestContext,
        request: VoidPaymentRequest,
    ) -> Result<RecordPaymentResponse, PaymentError> {
        let now = self.clock.now();
        let reason = request.reason.trim();
        let fits = reason.chars().count() <= MAX_REASON_CHARACTERS
            && !reason.chars().any(char::is_control);
        if reason.is_empty() || !fits {
            let description = "is required: a text of at most 1,000 characters";
            return Err(FieldViolation::new("reason", description).into());
        }
        let Payable {
            key: document,
            status,
            ..
        } = self.payable(context, &request.document_key).await?;
        let voids =
            Uuid::try_parse(&request.payment_key).map_err(|_not_a_uuid| PaymentError::NotFound)?;
        let stored = self.store.payment(context.organization(), document, voids);
        let stored = stored.await?.ok_or(PaymentError::NotFound)?;
        if stored.voids.is_some() {
            return Err(PaymentError::IsVoid);
        }
        let key = new_key("", "", now, &*self.rng)?;
        let mut payment = read_entry(&stored)?;
        payment.payment_key = key.to_string();
        payment.amount = format!("-{}", payment.amount);
        payment.date = today(&context.tenant, now).to_string();
        payment.recorded = Some(caller_event(context, now));
        payment.voids = voids.to_string();
        payment.voided = false;
        reason.clone_into(&mut payment.reason);
        let entry = PaymentEntry {
            key,
            voids: Some(voids),
            voided: false,
            amount: -stored.amount,
            recorded_at: Timestamp::from_millis(now.as_millisecond()),
            body: payment.encode_to_vec(),
            ..stored
        };
        self.store_entry(context, status, entry, AuditEventKind::PaymentVoided)
            .await
    }

    async fn store_entry(
        &self,
        context: &RequestContext,
        status: Status,
        entry: PaymentEntry,
        kind: AuditEventKind,
    ) -> Result<RecordPaymentResponse, PaymentError> {
        let event = audit_event(context, entry.recorded_at, kind)
            .detail("document", entry.document.to_string())
            .detail("payment", entry.voids.unwrap_or(entry.key).to_string());
        let receivable = match self.store.record_payment(&entry, &event).await? {
            PaymentOutcome::Stored(receivable) => receivable,
            PaymentOutcome::KeyTaken => return Err(PaymentError::KeyExists),
            PaymentOutcome::AboveOpen(receivable) => {
                return Err(PaymentError::AboveOpen(receivable));
            }
            PaymentOutcome::AlreadyVoided => return Err(PaymentError::AlreadyVoided),
            PaymentOutcome::NoReceivable => return Err(PaymentError::NoReceivable),
        };
        let today = today(&context.tenant, self.clock.now());
        let payable = Payable {
            key: entry.document,
            status,
            receivable,
        };
        Ok(RecordPaymentResponse {
            payment: Some(read_entry(&entry)?),
            balance: Some(balance(&payable, today)?),
        })
    }

    /// The payments of a document.
    async fn list(
        &self,
        context: &RequestContext,
        request: ListPaymentsRequest,
    ) -> Result<ListPaymentsResponse, PaymentError> {
        let payable = self.payable(context, &request.document_key).await?;
        let document = payable.key;
        let list = format!("{}\0payments\0{document}", context.organization());
        let (size, token) = (request.page_size, &request.page_token);
        let page = self
            .page_tokens
            .read_request::<(i64, Uuid)>(size, token, list.as_bytes())
            .map_err(PaymentError::InvalidRequest)?;
        let after: Option<PaymentPosition> = page
            .after
            .map(|(at, key)| (Timestamp::from_millis(at), key));
        let organization = context.organization();
        // One more tells whether there is a next page.
        let entries = self
            .store
            .payments(organization, document, after, page.size + 1);
        let mut entries = entries.await?;
        let last = truncate_page(&mut entries, page.size);
        let next = last.map(|last| {
            let position = (last.recorded_at.as_millis(), last.key);
            self.page_tokens.sign(&position, list.as_bytes())
        });
        let today = today(&context.tenant, self.clock.now());
        Ok(ListPaymentsResponse {
            items: entries.iter().map(read_entry).collect::<Result<_, _>>()?,
            next_page_token: next.unwrap_or_default(),
            balance: Some(balance(&payable, today)?),
        })
    }

    /// What is open of a document.
    async fn balance(
        &self,
        context: &RequestContext,
        document_key: &str,
    ) -> Result<Balance, PaymentError> {
        let payable = self.payable(context, document_key).await?;
        let today = today(&context.tenant, self.clock.now());
        Ok(balance(&payable, today)?)
    }

    /// A numbered document with its receivable. A rejected one has what was paid before its authority answered.
    async fn payable(
        &self,
        context: &RequestContext,
        document_key: &str,
    ) -> Result<Payable, PaymentError> {
        let organization = context.organization();
        let found = find_document(&*self.store, organization, document_key).await;
        let (key, document) = found.map_err(PaymentError::Document)?;
        let status = document.status();
        if let Some(receivable) = self.store.receivable(organization, key).await? {
            return Ok(Payable {
                key,
                status,
                receivable,
            });
        }
        Err(match status {
            Status::Draft | Status::Rejected | Status::Unspecified => {
                PaymentError::Document(DocumentError::NotIssued)
            }
            // A credit note that was numbered before there were refunds: the rest of it stands with what it corrects.
            Status::Issued | Status::Frozen if kind(&document) == Some(Kind::CreditNote) => {
                PaymentError::NoReceivable
            }
            Status::Issued | Status::Frozen => {
                let missing = StorageError::corrupt("a numbered invoice without receivable");
                PaymentError::Storage(missing)
            }
        })
    }
}

/// A document that has payments.
struct Payable {
    key: Uuid,
    status: Status,
    receivable: Receivable,
}

fn kind(document: &Document) -> Option<Kind> {
    let content = document.content.as_ref()?;
    content.invoice.as_ref().map(Invoice::kind)
}
