//! Checks the content of a document, and completes it with what the service computes.

use std::sync::Arc;
use std::thread::available_parallelism;

use invoice::content::Identifier;
use invoice::rules::{UNKNOWN_ENUM_VALUE, check_buyer_number};
use invoice::{CheckContext, Country, Invoice as CheckedInvoice, check};
use invoicing_contract::invoice_mapping::{self, computed};
use invoicing_contract::messages::documents as wire;
use invoicing_contract::{FieldViolation, OrganizationId, output_violations};
use invoicing_storage::directory::Tenant;
use prost::Message as _;

use super::DocumentError;
use super::attachments::embedded_violations;
use super::turns::Turns;
use crate::blocking::run_blocking;

/// An invoice of up to this many encoded bytes is checked on the thread of its request: about a hundred lines. The smallest items
/// have two bytes, so that there are at most some thousands of them, which takes milliseconds.
const MAX_SMALL_BYTES: usize = 16 * 1024;

/// Checks invoices. Large ones are checked, and files read, beside the threads of the requests, as many at a time as there are
/// processors.
#[derive(Debug)]
pub(super) struct InvoiceChecker {
    pub(super) turns: Turns,
}

impl InvoiceChecker {
    pub(super) fn new() -> Self {
        let running = available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            turns: Turns::new(running),
        }
    }

    /// [`complete_invoice`] for the tenant of a request.
    ///
    /// # Errors
    /// Those of [`complete_invoice`], or too many wait for a turn.
    pub(super) async fn complete(
        &self,
        invoice: wire::Invoice,
        tenant: &Arc<Tenant>,
        check_context: CheckContext,
        path: &'static str,
    ) -> Result<wire::Invoice, DocumentError> {
        if invoice.encoded_len() <= MAX_SMALL_BYTES {
            return complete_invoice(invoice, tenant, &check_context, path);
        }
        let organization = &tenant.organization.id;
        let tenant = tenant.clone();
        let work = move || complete_invoice(invoice, &tenant, &check_context, path);
        self.in_turn(organization, work).await?
    }

    /// Does what takes long, once there is a turn. A caller that goes away keeps its turn until the work ends.
    ///
    /// # Errors
    /// [`DocumentError::CheckQueueFull`]: too many wait for a turn.
    pub(super) async fn in_turn<Output: Send + 'static>(
        &self,
        organization: &OrganizationId,
        work: impl FnOnce() -> Output + Send + 'static,
    ) -> Result<Output, DocumentError> {
        let turn = self.turns.take(organization).await;
        let turn = turn.map_err(|_queue_full| DocumentError::CheckQueueFull)?;
        let done = run_blocking(move || {
            let output = work();
            drop(turn);
            output
        });
        Ok(done.await)
    }
}

/// Checks an invoice, and completes it with what the service computes. `path` is the path of the invoice in the request with
/// a point after it.
///
/// # Errors
/// [`DocumentError::InvalidInvoice`] with every violation, of each kind at most [`invoice::MAX_VIOLATIONS`].
pub fn complete_invoice(
    invoice: wire::Invoice,
    tenant: &Tenant,
    check_context: &CheckContext,
    path: &str,
) -> Result<wire::Invoice, DocumentError> {
    let mut violations = output_violations(&invoice, path);
    violations.extend(embedded_violations(&invoice, path));
    let (content, unknown) = invoice_mapping::to_content(invoice.clone());
    violations.extend(unknown.into_iter().map(|number| {
        FieldViolation::of_rule(
            format!("{path}{}", number.path),
            UNKNOWN_ENUM_VALUE,
            "is not one of the values that exist",
        )
    }));
    let checked = check(&content, check_context);
    let own_number = check_buyer_number(
        &content.buyer.tax_id,
        &tenant.tax_id,
        check_context.seller_country,
    );
    let found = checked.violations.into_iter().chain(own_number);
    violations.extend(found.map(|violation| {
        FieldViolation::of_rule(
            format!("{path}{}", violation.path),
            violation.rule,
            violation.description,
        )
    }));
    match checked.invoice {
        Some(checked) if violations.is_empty() => Ok(with_computed(invoice, &checked, tenant)),
        _ => Err(DocumentError::InvalidInvoice(violations)),
    }
}

fn with_computed(
    mut invoice: wire::Invoice,
    checked: &CheckedInvoice,
    tenant: &Tenant,
) -> wire::Invoice {
    invoice.kind = invoice_mapping::kind_to_message(checked.kind).into();
    invoice.issue_date = checked.issue_date.to_string();
    invoice.currency = checked.currency.code().to_owned();
    for (line, checked) in invoice.lines.iter_mut().zip(&checked.lines) {
        line.id.clone_from(&checked.id);
        line.unit.clone_from(&checked.unit);
        line.net = checked.net.to_string();
        // Saudi Arabia requires them at every line (BR-KSA-52, BR-KSA-53).
        line.tax_amounts = checked
            .tax_amounts
            .as_ref()
            .filter(|_| tenant.country == Country::SAUDI_ARABIA.code())
            .map(computed::tax_amounts);
    }
    invoice.seller = Some(seller(tenant));
    invoice.tax_breakdown = checked
        .tax_breakdown
        .iter()
        .map(computed::tax_subtotal)
        .collect();
    invoice.totals = Some(computed::totals(&checked.totals));
    invoice.expected_totals = None;
    invoice
}

/// A document that is about to be issued names the seller as the tenant is now (decision 0114).
pub(super) fn renew_seller(document: &mut wire::Document, tenant: &Tenant) {
    let content = document.content.as_mut();
    if let Some(invoice) = content.and_then(|content| content.invoice.as_mut()) {
        invoice.seller = Some(seller(tenant));
    }
}

/// BG-4
fn seller(tenant: &Tenant) -> wire::Party {
    let (organization, address) = (&tenant.organization, &tenant.address);
    wire::Party {
        name: Some(wire::LocalizedText {
            ar: organization.name_ar.clone(),
            en: organization.name.clone(),
        }),
        tax_id: tenant.tax_id.clone(),
        other_ids: registration_number(tenant).into_iter().collect(),
        address: Some(wire::Address {
            building: address.building.clone(),
            street: address.street.clone(),
            district: address.district.clone(),
            city: address.city.clone(),
            postal_code: address.postal_code.clone(),
            country: tenant.country.clone(),
            ..wire::Address::default()
        }),
        ..wire::Party::default()
    }
}

/// BT-29: the registration number, if the tenant has one (decision 0184).
fn registration_number(tenant: &Tenant) -> Option<wire::Identifier> {
    let Identifier { scheme, value } = &tenant.registration_number;
    (!value.is_empty()).then(|| wire::Identifier {
        scheme: scheme.clone(),
        value: value.clone(),
    })
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use invoice::MAX_VIOLATIONS;

    use super::super::fuzz_checks::{check_context, tenant};
    use super::*;

    fn invoice(lines: usize) -> wire::Invoice {
        wire::Invoice {
            buyer: Some(wire::Party {
                name: Some(text("Palm Company")),
                ..wire::Party::default()
            }),
            lines: vec![
                wire::Line {
                    description: Some(text("Dates")),
                    quantity: "1".to_owned(),
                    unit_price: "10".to_owned(),
                    tax: Some(wire::Tax {
                        category: "S".to_owned(),
                        rate: "15".to_owned(),
                        ..wire::Tax::default()
                    }),
                    ..wire::Line::default()
                };
                lines
            ],
            ..wire::Invoice::default()
        }
    }

    fn text(en: &str) -> wire::LocalizedText {
        wire::LocalizedText {
            ar: "شركة".to_owned(),
            en: en.to_owned(),
        }
    }

    #[tokio::test]
    async fn large_invoice_waits_for_its_turn_and_a_small_one_does_not() {
        let checker = InvoiceChecker::new();
        let tenant = Arc::new(tenant());
        let complete =
            |invoice| checker.complete(invoice, &tenant, check_context(), "changes.content.");
        let every = checker.turns.free();
        let turns = checker.turns.take_all().await;
        let mut large = Box::pin(complete(invoice(1_000)));
        assert!(large.as_mut().now_or_never().is_none(), "it waits");
        let small = complete(invoice(3)).await.expect("a valid invoice");
        assert_eq!(small.lines.len(), 3);
        drop(turns);
        let expected = complete_invoice(
            invoice(1_000),
            &tenant,
            &check_context(),
            "changes.content.",
        );
        assert_eq!(
            large.await.expect("a valid invoice"),
            expected.expect("the same")
        );
        assert_eq!(checker.turns.free(), every);
    }

    #[test]
    fn buyer_of_a_saudi_seller_has_not_the_vat_number_of_the_seller() {
        let mut seller = tenant();
        let mut sold = invoice(1);
        let buyer = sold.buyer.get_or_insert_default();
        buyer.tax_id.clone_from(&seller.tax_id);
        let complete = |seller: &Tenant| {
            let completed = complete_invoice(sold.clone(), seller, &check_context(), "invoice.");
            match completed {
                Ok(_) => Vec::new(),
                Err(DocumentError::InvalidInvoice(violations)) => violations,
                Err(error) => panic!("{error}"),
            }
        };
        let refused = complete(&seller);
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert_eq!(refused[0].field, "invoice.buyer.taxId");
        let rule = "BR-CUSTOM-VALIDATION-01: ";
        assert!(refused[0].description.starts_with(rule), "{refused:?}");
        seller.tax_id = "399999999900003".to_owned();
        assert_eq!(complete(&seller), [], "the number of somebody else");
    }

    #[tokio::test]
    async fn violations_of_an_invoice_are_bounded() {
        let checker = InvoiceChecker::new();
        let broken = wire::Invoice {
            lines: vec![
                wire::Line {
                    allowances_charges: vec![wire::AllowanceCharge::default(); 100],
                    net: "1".to_owned(),
                    ..wire::Line::default()
                };
                2_000
            ],
            ..wire::Invoice::default()
        };
        let tenant = Arc::new(tenant());
        let completed = checker.complete(broken, &tenant, check_context(), "invoice.");
        let Err(DocumentError::InvalidInvoice(violations)) = completed.await else {
            panic!("the invoice is invalid");
        };
        // Of output fields, and of rules.
        assert_eq!(violations.len(), 2 * MAX_VIOLATIONS);
        assert_eq!(violations[0].field, "invoice.lines[0].net");
    }
}
