//! Reports over the documents of an organization (decision 0125).

mod error;
mod request;
mod rpc;

pub(crate) use self::error::ReportError;

use std::collections::BTreeMap;
use std::sync::Arc;

use invoice::Currency;
use invoicing_contract::messages::documents::Kind;
use invoicing_contract::messages::reports::{
    Ageing, AgeingRow, BuyerSum, BuyerSums, GetAgeingRequest, GetBuyerSumsRequest,
    GetMonthlySumsRequest, GetTaxSumsRequest, MonthlySum, MonthlySums, TaxSum, TaxSums,
};
use invoicing_http::RequestContext;
use invoicing_storage::reports::{AgeingBounds, AgeingBucket, BuyerGroup};
use invoicing_storage::{Clock, Store};

use crate::documents::sum_text;
use crate::tenant_time::today;

/// The reports of all organizations.
pub(crate) struct Reports {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
}

impl Reports {
    pub(crate) const fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// What is open, by currency and age.
    async fn ageing(
        &self,
        context: &RequestContext,
        request: GetAgeingRequest,
    ) -> Result<Ageing, ReportError> {
        let today = today(&context.tenant, self.clock.now());
        let as_of = request::date("asOf", &request.as_of, Some(today))?;
        let bounds = AgeingBounds(request::days_before(as_of, [0, 30, 60, 90])?);
        let sums = self
            .store
            .open_sums(context.organization(), &bounds)
            .await?;
        let mut rows: BTreeMap<&str, (Currency, u64, BTreeMap<AgeingBucket, i128>)> =
            BTreeMap::new();
        for sum in sums {
            let row = rows.entry(sum.currency.code());
            let (_, documents, buckets) = row.or_insert_with(|| (sum.currency, 0, BTreeMap::new()));
            if sum.bucket != AgeingBucket::CreditBalance {
                *documents += sum.documents;
            }
            *buckets.entry(sum.bucket).or_default() += sum.open;
        }
        let rows = rows.into_values().map(|(currency, documents, buckets)| {
            let amount = |bucket| buckets.get(&bucket).copied().unwrap_or_default();
            let text = |bucket| sum_text(amount(bucket), currency);
            let open = buckets.iter();
            let open = open.filter(|(bucket, _)| **bucket != AgeingBucket::CreditBalance);
            AgeingRow {
                currency: currency.code().to_owned(),
                count: count(documents),
                not_due: text(AgeingBucket::NotDue),
                days_1_to_30: text(AgeingBucket::Days1To30),
                days_31_to_60: text(AgeingBucket::Days31To60),
                days_61_to_90: text(AgeingBucket::Days61To90),
                over_90_days: text(AgeingBucket::Over90),
                open: sum_text(open.map(|(_, open)| open).sum(), currency),
                credit_balance: text(AgeingBucket::CreditBalance),
            }
        });
        Ok(Ageing {
            as_of: as_of.to_string(),
            rows: rows.collect(),
        })
    }

    /// Sums by month, currency and kind.
    async fn monthly_sums(
        &self,
        context: &RequestContext,
        request: GetMonthlySumsRequest,
    ) -> Result<MonthlySums, ReportError> {
        let (from, to) = request::months(&request.from, &request.to)?;
        let organization = context.organization();
        let sums = self.store.month_sums(organization, &from, &to).await?;
        let rows = sums.into_iter().map(|sum| {
            let text = |amount| sum_text(signed(sum.kind, amount), sum.currency);
            MonthlySum {
                currency: sum.currency.code().to_owned(),
                kind: sum.kind as i32,
                count: count(sum.documents),
                net: text(sum.net),
                tax: text(sum.tax),
                gross: text(sum.gross),
                month: sum.month,
            }
        });
        Ok(MonthlySums {
            rows: rows.collect(),
        })
    }

    /// Sums by currency and buyer.
    async fn buyer_sums(
        &self,
        context: &RequestContext,
        request: GetBuyerSumsRequest,
    ) -> Result<BuyerSums, ReportError> {
        let (from, to) = request::period(&request.from, &request.to)?;
        let most = request::max_buyers(request.max_buyers)?;
        let organization = context.organization();
        let sums = self.store.buyer_sums(organization, &from, &to, most);
        let rows = sums.await?.into_iter().map(|sum| {
            let text = |amount| sum_text(amount, sum.currency);
            let (buyer, other_buyers) = match sum.group {
                BuyerGroup::Buyer(buyer) => (Some(buyer), 0),
                BuyerGroup::NoBuyer => (None, 0),
                BuyerGroup::Rest(buyers) => (None, count(buyers)),
            };
            let (name, tax_id) = buyer.map_or_else(Default::default, |buyer| {
                (Some(buyer.name.unwrap_or_default()), buyer.tax_id)
            });
            BuyerSum {
                currency: sum.currency.code().to_owned(),
                name,
                tax_id,
                other_buyers,
                count: count(sum.documents),
                net: text(sum.net),
                tax: text(sum.tax),
                gross: text(sum.gross),
            }
        });
        Ok(BuyerSums {
            rows: rows.collect(),
        })
    }

    /// Taxes by currency, category and rate.
    async fn tax_sums(
        &self,
        context: &RequestContext,
        request: GetTaxSumsRequest,
    ) -> Result<TaxSums, ReportError> {
        let (from, to) = request::period(&request.from, &request.to)?;
        let organization = context.organization();
        let sums = self.store.tax_sums(organization, &from, &to).await?;
        let mut groups: BTreeMap<_, (Currency, u64, i128, i128)> = BTreeMap::new();
        for sum in sums {
            let key = (sum.currency.code(), sum.category, sum.rate);
            let group = groups.entry(key);
            let (_, documents, taxable, tax) = group.or_insert((sum.currency, 0, 0, 0));
            *documents += sum.documents;
            *taxable += signed(sum.kind, sum.taxable);
            *tax += signed(sum.kind, sum.tax);
        }
        let rows = groups.into_iter().map(
            |((code, category, rate), (currency, documents, taxable, tax))| TaxSum {
                currency: code.to_owned(),
                category,
                rate,
                count: count(documents),
                taxable: sum_text(taxable, currency),
                tax: sum_text(tax, currency),
            },
        );
        Ok(TaxSums {
            rows: rows.collect(),
        })
    }
}

/// Credit notes count negative.
fn signed(kind: Kind, amount: i128) -> i128 {
    if kind == Kind::CreditNote {
        -amount
    } else {
        amount
    }
}

fn count(documents: u64) -> i32 {
    i32::try_from(documents).unwrap_or(i32::MAX)
}
