//! Reports: sums of what is open, of months and of taxes, from aggregates that every write keeps.

use std::collections::BTreeMap;

use async_trait::async_trait;
use invoice::{Currency, Money, decimal};
use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::{Document, Kind, Party, Status};

use super::StorageError;

/// How long something has been open after its due date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum AgeingBucket {
    NotDue,
    Days1To30,
    Days31To60,
    Days61To90,
    Over90,
    /// What buyers get back, whenever it was due.
    CreditBalance,
}

impl AgeingBucket {
    /// Every bucket, in the order of its number in queries.
    pub const ALL: [Self; 6] = [
        Self::NotDue,
        Self::Days1To30,
        Self::Days31To60,
        Self::Days61To90,
        Self::Over90,
        Self::CreditBalance,
    ];

    /// The bucket with a number.
    #[must_use]
    pub fn numbered(number: i64) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// The first due dates of the buckets, `YYYY-MM-DD`: of what is not due, and of what is due for 30, 60 and 90 days at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgeingBounds(pub [String; 4]);

/// What is open in a currency and a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSum {
    /// The currency.
    pub currency: Currency,
    /// How long.
    pub bucket: AgeingBucket,
    /// Number of documents.
    pub documents: u64,
    /// In minor units; negative in [`AgeingBucket::CreditBalance`].
    pub open: i128,
}

/// Issued and frozen documents of a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MonthSum {
    /// `YYYY-MM` of the issue date.
    pub month: String,
    /// BT-3. Amounts of credit notes are positive.
    pub kind: Kind,
    /// The currency.
    pub currency: Currency,
    /// Number of documents.
    pub documents: u64,
    /// BT-109 in minor units.
    pub net: i128,
    /// BT-110 in minor units.
    pub tax: i128,
    /// BT-112 in minor units.
    pub gross: i128,
}

/// The tax of a category and rate in a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxSum {
    /// BT-3. Amounts of credit notes are positive.
    pub kind: Kind,
    /// The currency.
    pub currency: Currency,
    /// BT-118
    pub category: String,
    /// BT-119, without trailing zeros; empty for a category without rate.
    pub rate: String,
    /// Number of documents with it.
    pub documents: u64,
    /// BT-116 in minor units.
    pub taxable: i128,
    /// BT-117 in minor units.
    pub tax: i128,
}

/// Whose documents a [`BuyerSum`] sums.
#[derive(Debug, Clone, PartialEq)]
pub enum BuyerGroup {
    /// A buyer, as one of the documents names it. Documents whose buyers have the same names and tax number, but for upper and
    /// lower case, are of one buyer.
    Buyer(Box<Party>),
    /// Documents without a buyer.
    NoBuyer,
    /// The buyers that have no sum of their own, and how many they are.
    Rest(u64),
}

/// Issued and frozen documents of a buyer.
#[derive(Debug, Clone, PartialEq)]
pub struct BuyerSum {
    /// Whose.
    pub group: BuyerGroup,
    /// The currency.
    pub currency: Currency,
    /// Number of documents.
    pub documents: u64,
    /// BT-109 in minor units. Credit notes are subtracted, here and below.
    pub net: i128,
    /// BT-110 in minor units.
    pub tax: i128,
    /// BT-112 in minor units.
    pub gross: i128,
}

/// Reports of organizations. Each method reads one snapshot.
#[async_trait]
pub trait ReportStore: Send + Sync {
    /// What is open now, by currency and bucket. Currencies and buckets without documents are left out.
    async fn open_sums(
        &self,
        organization: &OrganizationId,
        bounds: &AgeingBounds,
    ) -> Result<Vec<OpenSum>, StorageError>;

    /// Sums of issue dates from `from` to `to`, by month, currency and kind.
    async fn month_sums(
        &self,
        organization: &OrganizationId,
        from: &str,
        to: &str,
    ) -> Result<Vec<MonthSum>, StorageError>;

    /// Sums of issue dates from `from` to `to`, by currency and buyer: in each currency those of the `most` buyers with the largest
    /// gross amounts, the largest first, and at its end one of the rest.
    async fn buyer_sums(
        &self,
        organization: &OrganizationId,
        from: &str,
        to: &str,
        most: u32,
    ) -> Result<Vec<BuyerSum>, StorageError>;

    /// Taxes of issue dates from `from` to `to`, by currency, category, rate and kind.
    async fn tax_sums(
        &self,
        organization: &OrganizationId,
        from: &str,
        to: &str,
    ) -> Result<Vec<TaxSum>, StorageError>;
}

/// What the taxes of numbered documents are summed by, in the order of the key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaxGroup {
    /// BT-2
    pub issue_date: String,
    /// Number of the kind.
    pub kind: i32,
    /// ISO 4217
    pub currency: &'static str,
    /// BT-118
    pub category: String,
    /// BT-119
    pub rate: String,
}

/// A change of the sums of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TaxChange {
    /// Number of documents.
    pub documents: i64,
    /// In minor units.
    pub taxable: i128,
    /// In minor units.
    pub tax: i128,
}

/// The changes that writes of documents make to the sums of taxes.
#[derive(Debug, Clone, Default)]
pub struct TaxChanges(BTreeMap<TaxGroup, TaxChange>);

impl TaxChanges {
    /// Counts a document, if it is issued.
    pub fn add(&mut self, document: &Document) {
        self.count(document, 1);
    }

    /// Takes out a document, if it is issued.
    pub fn subtract(&mut self, document: &Document) {
        self.count(document, -1);
    }

    /// The changes that are not zero.
    pub fn iter(&self) -> impl Iterator<Item = (&TaxGroup, &TaxChange)> {
        let changes = self.0.iter();
        changes.filter(|(_, change)| **change != TaxChange::default())
    }

    fn count(&mut self, document: &Document, sign: i64) {
        // What a tax authority has rejected has a number, and no taxes.
        if !matches!(document.status(), Status::Issued | Status::Frozen) {
            return;
        }
        let content = document.content.as_ref();
        let Some(invoice) = content.and_then(|content| content.invoice.as_ref()) else {
            return;
        };
        let Some(currency) =
            Currency::parse(&invoice.currency).filter(|_| !invoice.number.is_empty())
        else {
            return;
        };
        for subtotal in &invoice.tax_breakdown {
            let minor = |text: &str| {
                let amount = decimal::parse(text).ok()?;
                Money::exact(amount, currency).map(Money::minor)
            };
            let (Some(taxable), Some(tax)) = (minor(&subtotal.taxable), minor(&subtotal.tax))
            else {
                continue;
            };
            let rate = decimal::parse(&subtotal.rate);
            let group = TaxGroup {
                issue_date: invoice.issue_date.clone(),
                kind: invoice.kind,
                currency: currency.code(),
                category: subtotal.category.clone(),
                rate: rate.map(decimal::print).unwrap_or_default(),
            };
            let change = self.0.entry(group).or_default();
            change.documents += sign;
            change.taxable += i128::from(taxable) * i128::from(sign);
            change.tax += i128::from(tax) * i128::from(sign);
        }
    }
}
