//! A whole invoice document: content, seller, number and declared amounts.

use crate::calculation::Calculation;
use crate::content::{Content, ExpectedTotals, Identifier, Party, Subtype};
use crate::tax::{Category, Rate};
use crate::{Country, Currency, Kind, Money, TaxSubtotal, codes, decimal};

/// A whole document, as unvalidated text. [`check_document`](crate::check_document) validates it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// BT-1
    pub number: String,
    /// BT-3 as a code of UNTDID 1001. The kind of the content is derived from it.
    pub type_code: String,
    /// KSA-1
    pub uuid: String,
    /// KSA-25, `HH:MM:SS`
    pub issue_time: String,
    /// BT-24: the identifier of the specification.
    pub specification: String,
    /// BT-23
    pub process: String,
    /// KSA-2 beyond the subtype.
    pub traits: Traits,
    /// BG-4
    pub seller: Party,
    /// BT-90: the seller's identifier for direct debits.
    pub creditor_id: String,
    /// The input terms.
    pub content: Content,
    /// The declared amounts.
    pub figures: Figures,
}

/// KSA-2, the third to the ninth position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traits {
    /// Issued by a third party for the seller.
    pub third_party: bool,
    /// A nominal supply.
    pub nominal: bool,
    /// An export.
    pub export: bool,
    /// A summary invoice for a period.
    pub summary: bool,
    /// Self-billed: issued by the buyer.
    pub self_billed: bool,
    /// A continuous supply.
    pub continuous: bool,
    /// A supply to the government (B2G).
    pub government: bool,
}

/// The amounts that a document declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// BT-131 of each line, in the order of the content.
    pub line_nets: Vec<String>,
    /// BG-23
    pub tax_breakdown: Vec<TaxRow>,
    /// BG-22 without BT-113 and BT-114, which are input terms of the content.
    pub totals: ExpectedTotals,
    /// A second declaration of BT-110, which a valid document does not have.
    pub duplicate_tax_total: String,
}

/// BG-23
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaxRow {
    /// BT-116
    pub taxable: String,
    /// BT-117
    pub tax: String,
    /// BT-118
    pub category: String,
    /// BT-119, percent. Empty where there is none.
    pub rate: String,
    /// BT-121
    pub exemption_code: String,
    /// BT-120
    pub exemption_reason: String,
}

impl Document {
    /// Adds the terms that Saudi Arabia requires of every document and EN 16931 leaves open, where the content has none.
    /// Nothing changes for sellers of other countries, and nothing that is there is replaced.
    ///
    /// KSA-2 (BR-KSA-06): a buyer with a VAT number or another identifier gets a standard tax invoice. KSA-5 (BR-KSA-15): the supply of a
    /// standard tax invoice that names no day was on the day of its issue. BT-6 (BR-KSA-68) with BT-111 (BR-KSA-EN16931-09): an amount in
    /// riyals is declared in riyals. In another currency both depend on an exchange rate, which only the content can name. BT-120
    /// (BR-KSA-23, BR-KSA-69): the text of an exemption code.
    #[must_use]
    pub fn with_saudi_terms(mut self) -> Self {
        if self.seller.address.country != Country::SAUDI_ARABIA.code() {
            return self;
        }
        let content = &mut self.content;
        let subtype = content.saudi_subtype();
        content.subtype = Some(subtype);
        // A last day of supply needs a first one that somebody names (BR-KSA-35).
        let last_day = content.delivery.as_ref().map(|it| it.latest_date.as_str());
        if subtype == Subtype::Standard
            && content.kind == Kind::Invoice
            && content.supply_date.is_empty()
            && last_day.is_none_or(str::is_empty)
        {
            content.supply_date.clone_from(&content.issue_date);
        }
        let riyal = Currency::SAUDI_RIYAL.code();
        if content.currency == riyal {
            if content.tax_currency.is_empty() {
                riyal.clone_into(&mut content.tax_currency);
            }
            let totals = &mut self.figures.totals;
            if content.tax_currency == riyal && totals.tax_in_tax_currency.is_empty() {
                totals.tax_in_tax_currency.clone_from(&totals.tax);
            }
        }
        for row in &mut self.figures.tax_breakdown {
            row.add_saudi_reason();
        }
        self
    }

    /// States the tax numbers of seller and buyer as other identifiers (BT-29, BT-46) where nothing is subject to VAT: such a document
    /// names no VAT number (BR-O-02 to 04), and the seller still has an identifier (BR-CO-26). Nothing changes for sellers in Saudi
    /// Arabia, where the number of the seller is required (BR-KSA-39).
    ///
    /// The last identifier of a buyer without a tax number may have no scheme. It would be read back as the number, if the file did not say
    /// that it is none: there the seller has its number twice. Nothing in the buyer could say it, which has one identifier (BT-46).
    #[must_use]
    pub fn without_vat_numbers_outside_scope(mut self) -> Self {
        if !self.names_no_vat_number() {
            return self;
        }
        let (seller, buyer) = (&mut self.seller, &mut self.content.buyer);
        if buyer.tax_id.is_empty()
            && !seller.tax_id.is_empty()
            && buyer.other_ids.last().is_some_and(may_be_tax_number)
        {
            seller.other_ids.push(without_scheme(seller.tax_id.clone()));
        }
        for party in [seller, buyer] {
            if !party.tax_id.is_empty() {
                let number = std::mem::take(&mut party.tax_id);
                party.other_ids.push(without_scheme(number));
            }
        }
        self
    }

    /// Undoes [`Self::without_vat_numbers_outside_scope`] in a file that an organization reads again: the identifiers that were tax
    /// numbers are such again. It is known by the number of the organization, which is the last identifier of the seller. Files of
    /// others do not change: what their identifiers are is unknown.
    ///
    /// The tax number of the buyer is its last identifier, which has no scheme, unless the seller has its number twice.
    #[must_use]
    pub fn with_vat_numbers_outside_scope(mut self, own_tax_id: &str) -> Self {
        let is_own = |id: &&Identifier| may_be_tax_number(id) && id.value == own_tax_id;
        let stated = self
            .seller
            .other_ids
            .iter()
            .rev()
            .take_while(is_own)
            .count();
        if stated == 0 || !self.names_no_vat_number() {
            return self;
        }
        restore_tax_number(&mut self.seller);
        if stated == 1 {
            restore_tax_number(&mut self.content.buyer);
        } else {
            self.seller.other_ids.pop();
        }
        self
    }

    /// Whether a line is not subject to VAT, and the seller is not in Saudi Arabia: then the document names no VAT number (BR-O-02 to 04).
    fn names_no_vat_number(&self) -> bool {
        let is_saudi = self.seller.address.country == Country::SAUDI_ARABIA.code();
        let outside = Category::OutsideScope.code();
        let mut lines = self.content.lines.iter();
        !is_saudi && lines.any(|line| line.tax.category == outside)
    }
}

/// An identifier that may stand for a tax number.
fn may_be_tax_number(id: &Identifier) -> bool {
    id.scheme.is_empty() && !id.value.is_empty()
}

const fn without_scheme(value: String) -> Identifier {
    Identifier {
        scheme: String::new(),
        value,
    }
}

/// Takes the last identifier of a party as its tax number, if it has none.
fn restore_tax_number(party: &mut Party) {
    if party.tax_id.is_empty()
        && let Some(id) = party.other_ids.pop_if(|id| may_be_tax_number(id))
    {
        party.tax_id = id.value;
    }
}

impl Content {
    /// KSA-2, where the content has none: a buyer with a VAT number or another identifier gets a standard tax invoice. Without either
    /// there is no valid standard one (BR-KSA-81).
    pub(crate) fn saudi_subtype(&self) -> Subtype {
        self.subtype.unwrap_or(if self.buyer.is_identified() {
            Subtype::Standard
        } else {
            Subtype::Simplified
        })
    }
}

impl Figures {
    /// The amounts to declare for a computed content. `None` if they could not be computed.
    #[must_use]
    pub fn of(calculation: &Calculation) -> Option<Self> {
        let totals = calculation.totals.as_ref()?;
        let text = |amount: Money| amount.to_string();
        let nets = calculation.lines.iter();
        Some(Self {
            line_nets: nets.map(|net| net.map(text)).collect::<Option<_>>()?,
            tax_breakdown: calculation.tax_breakdown.iter().map(TaxRow::of).collect(),
            totals: ExpectedTotals {
                lines: text(totals.lines),
                allowances: text(totals.allowances),
                charges: text(totals.charges),
                net: text(totals.net),
                tax: text(totals.tax),
                tax_in_tax_currency: totals.tax_in_tax_currency.map(text).unwrap_or_default(),
                gross: text(totals.gross),
                payable: text(totals.payable),
                // Both are input terms of the content.
                prepaid: String::new(),
                rounding: String::new(),
            },
            duplicate_tax_total: String::new(),
        })
    }
}

impl TaxRow {
    /// Adds the text that Saudi Arabia has for an exemption code, where there is none.
    pub(crate) fn add_saudi_reason(&mut self) {
        if self.exemption_reason.is_empty() {
            codes::saudi_exemption_text(&self.exemption_code)
                .clone_into(&mut self.exemption_reason);
        }
    }

    /// The row to declare for a computed one.
    pub(crate) fn of(row: &TaxSubtotal) -> Self {
        let rate = if row.category.rate() == Rate::None {
            String::new()
        } else {
            decimal::print(row.rate)
        };
        Self {
            taxable: row.taxable.to_string(),
            tax: row.tax.to_string(),
            category: row.category.code().to_owned(),
            rate,
            exemption_code: row.exemption_code.clone(),
            exemption_reason: row.exemption_reason.clone(),
        }
    }
}
