//! Commands about payments.

use invoicing_contract::DocumentKey;

use super::drafts::check_key;
use super::{CommandResult, Desktop, WindowKey};
use crate::organizations::ChangedData;
use crate::rng::time_ordered_id;
use crate::views::{NewPayment, PaymentsView, WindowBinding};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn payments(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<PaymentsView> {
        let context = self.call_context(window, &binding, "payments", false)?;
        self.payments.list(&context, &key).await
    }

    pub async fn new_payment(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<NewPayment> {
        let context = self.call_context(window, &binding, "new_payment", false)?;
        let balance = self.payments.list(&context, &key).await?.balance;
        let (currency, open) = balance.map_or_else(Default::default, |it| (it.currency, it.open));
        // What is open below zero goes back to the buyer.
        let (amount, refund) = match open.strip_prefix('-') {
            Some(amount) => (amount.to_owned(), true),
            None => (open, false),
        };
        Ok(NewPayment {
            key: time_ordered_id(&*self.clock, &*self.rng).to_string(),
            document: key,
            date: self.today_of(&context).to_string(),
            currency,
            amount,
            refund,
            ..NewPayment::default()
        })
    }

    pub async fn record_payment(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        payment: NewPayment,
    ) -> CommandResult<PaymentsView> {
        let context = self.call_context(window, &binding, "record_payment", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Documents);
        check_key(&payment.document)?;
        self.payments.record(&context, &payment).await
    }

    pub async fn void_payment(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        payment: String,
        reason: String,
    ) -> CommandResult<PaymentsView> {
        let context = self.call_context(window, &binding, "void_payment", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Documents);
        check_key(&key)?;
        self.payments.void(&context, &key, &payment, &reason).await
    }
}
