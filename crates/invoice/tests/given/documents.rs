//! Documents in which every field may say something.

use invoice::content::*;
use invoice::document::{Figures, TaxRow, Traits};
use invoice::{Document, Kind, Subtype};
use proptest::prelude::*;

/// Documents that UBL can hold.
pub(crate) fn any_document() -> impl Strategy<Value = Document> {
    let text = "[a-zA-Z0-9ا-ي<>&\"'\\]| \n\t\r-]{0,12}".prop_map(|text| text.trim().to_owned());
    let texts = prop::collection::vec(text, 1..40);
    let numbers = prop::collection::vec("|-?(0|[1-9][0-9]{0,8})(\\.[0-9]{1,4})?", 1..12);
    let kind = prop::sample::select(vec![
        (Kind::Invoice, "380"),
        (Kind::Invoice, "388"),
        (Kind::DebitNote, "383"),
        (Kind::CreditNote, "381"),
    ]);
    let currencies = prop::sample::select(vec![("SAR", "SAR"), ("EUR", "SAR"), ("KWD", "")]);
    (texts, numbers, kind, currencies, any::<u64>(), 0_usize..4).prop_map(
        |(texts, numbers, kind, currencies, choices, repeats)| {
            let mut fill = Fill {
                texts,
                numbers,
                at: 0,
                choices,
                repeats,
            };
            fill.document(kind, currencies)
        },
    )
}

struct Fill {
    texts: Vec<String>,
    numbers: Vec<String>,
    at: usize,
    choices: u64,
    repeats: usize,
}

impl Fill {
    fn text(&mut self) -> String {
        self.at += 1;
        self.texts[self.at % self.texts.len()].clone()
    }

    fn number(&mut self) -> String {
        self.at += 1;
        self.numbers[self.at % self.numbers.len()].clone()
    }

    fn choose(&mut self) -> bool {
        self.choices = self.choices.rotate_right(1);
        self.choices & 1 == 1
    }

    fn maybe<T>(&mut self, make: impl Fn(&mut Self) -> T) -> Option<T> {
        self.choose().then(|| make(self))
    }

    fn some<T>(&mut self, make: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.repeats).map(|_| make(self)).collect()
    }

    fn localized(&mut self) -> Text {
        let latin = |text: String| {
            text.replace(|letter: char| !letter.is_ascii(), "")
                .trim()
                .to_owned()
        };
        let (ar, en) = (self.text(), latin(self.text()));
        if self.choose() {
            return Text {
                ar: String::new(),
                en,
            };
        }
        // Two languages that letters and bars cannot tell apart are refused; a test of their own says so.
        let en = if ar.is_ascii() || format!("{ar}{en}").contains('|') {
            String::new()
        } else {
            en
        };
        Text { ar, en }
    }

    fn identifier(&mut self) -> Identifier {
        Identifier {
            scheme: self.text(),
            value: self.text(),
        }
        .without_breaks()
    }

    fn period(&mut self) -> Period {
        Period {
            start: format!("2026-{}", self.text()),
            end: self.text(),
        }
    }

    fn tax(&mut self) -> Tax {
        Tax {
            category: self.text(),
            rate: self.number(),
            exemption_code: self.text(),
            exemption_reason: self.text(),
        }
    }

    fn address(&mut self) -> Stated<Address> {
        if self.choose() {
            return Stated::default();
        }
        Address {
            building: self.text(),
            additional_number: self.text(),
            street: self.text(),
            additional_street: self.text(),
            third_line: self.text(),
            district: self.text(),
            city: self.text(),
            postal_code: self.text(),
            region: self.text(),
            country: self.text(),
        }
        .into()
    }

    fn party(&mut self) -> Party {
        Party {
            name: self.localized(),
            trading_name: self.localized(),
            tax_id: self.text(),
            tax_registration: self.text(),
            other_ids: self.some(Self::identifier),
            legal_id: self.identifier(),
            legal_form: self.text(),
            electronic_address: self.identifier(),
            address: self.address(),
            contact: Contact {
                name: self.text(),
                phone: self.text(),
                email: self.text(),
            },
        }
    }

    fn allowance_charge(&mut self) -> AllowanceCharge {
        AllowanceCharge {
            is_charge: self.choose(),
            amount: self.number(),
            base: self.number(),
            percent: self.number(),
            reason: self.text(),
            reason_code: self.text(),
            tax: self.maybe(Self::tax).unwrap_or_default(),
        }
    }

    fn line(&mut self) -> Line {
        Line {
            id: self.text(),
            description: self.localized(),
            quantity: self.number(),
            unit: plain(self.text()),
            unit_price: self.number(),
            price_base: self.number(),
            allowances_charges: self.some(Self::allowance_charge),
            tax: self.tax(),
            item_code: self.text(),
            details: LineDetails {
                note: self.text(),
                object: self.identifier(),
                order_line: self.text(),
                accounting: self.text(),
                period: self.maybe(Self::period),
                price_discount: self.number(),
                gross_price: self.number(),
                price_base_unit: plain(self.text()),
                item_description: self.localized(),
                buyer_item_code: self.text(),
                standard_item_code: self.identifier(),
                classifications: self.some(|fill| Classification {
                    list: plain(fill.text()),
                    version: plain(fill.text()),
                    code: fill.text(),
                }),
                origin: self.text(),
                attributes: self.some(|fill| ItemAttribute {
                    name: fill.text(),
                    value: fill.text(),
                }),
                tax_amounts: self.maybe(|fill| TaxAmounts {
                    tax: fill.number(),
                    gross: fill.number(),
                }),
            }
            .into(),
        }
    }

    fn payment(&mut self) -> PaymentMeans {
        PaymentMeans {
            code: if self.choose() {
                "1".into()
            } else {
                self.text()
            },
            name: if self.choose() {
                String::new()
            } else {
                plain(self.text())
            },
            remittance: if self.choose() {
                String::new()
            } else {
                self.text()
            },
            account: self.maybe(|fill| Account {
                id: fill.text(),
                name: fill.text(),
                provider: fill.text(),
            }),
            card: self.maybe(|fill| Card {
                number: fill.text(),
                network: fill.text(),
                holder: fill.text(),
            }),
            mandate: self.maybe(|fill| Mandate {
                reference: fill.text(),
                payer_account: fill.text(),
            }),
        }
    }

    fn content(&mut self, kind: Kind, (currency, tax_currency): (&str, &str)) -> Content {
        let lines = self.some(Self::line);
        Content {
            kind,
            subtype: [None, Some(Subtype::Standard), Some(Subtype::Simplified)][self.repeats % 3],
            issue_date: self.text(),
            due_date: self.text(),
            supply_date: self.text(),
            period: self.maybe(Self::period),
            currency: currency.into(),
            tax_currency: tax_currency.into(),
            exchange_rate: self.number(),
            note: self.text(),
            payment_terms: self.text(),
            purchase_order: self.text(),
            preceding: self.some(|fill| Reference {
                document_key: fill.text(),
                number: fill.text(),
                issue_date: fill.text(),
            }),
            reason: self.text(),
            references: References {
                buyer: self.text(),
                project: self.text(),
                contract: self.text(),
                sales_order: self.text(),
                receiving_advice: self.text(),
                despatch_advice: self.text(),
                tender: self.text(),
                invoiced_object: self.identifier(),
                accounting: self.text(),
            },
            tax_point_date: self.text(),
            tax_point_code: self.text(),
            buyer: self.party(),
            payee: self.maybe(|fill| Payee {
                name: fill.localized(),
                id: fill.identifier(),
                legal_id: fill.identifier(),
            }),
            tax_representative: self.maybe(|fill| TaxRepresentative {
                name: fill.localized(),
                tax_id: fill.text(),
                address: fill.address(),
            }),
            delivery: self.maybe(|fill| Delivery {
                party: fill.localized(),
                location: fill.identifier(),
                address: fill.address(),
                latest_date: "2026-11-21".into(),
            }),
            payment: self.some(Self::payment),
            documents: self.some(|fill| SupportingDocument {
                id: fill.identifier(),
                type_code: "916".into(),
                uuid: fill.text(),
                description: fill.text(),
                uri: fill.text(),
                attachment: fill.maybe(|fill| Attachment {
                    mime: plain(fill.text()),
                    filename: plain(fill.text()),
                    content: fill.text(),
                }),
            }),
            lines,
            allowances_charges: self.some(Self::allowance_charge),
            prepaid: self.number(),
            rounding: self.number(),
            expected_totals: None,
        }
    }

    fn document(&mut self, (kind, type_code): (Kind, &str), currencies: (&str, &str)) -> Document {
        let content = self.content(kind, currencies);
        let tax_breakdown = self.some(|fill| TaxRow {
            taxable: fill.number(),
            tax: fill.number(),
            category: fill.text(),
            rate: fill.number(),
            exemption_code: fill.text(),
            exemption_reason: fill.text(),
        });
        let totals = ExpectedTotals {
            lines: self.number(),
            allowances: self.number(),
            charges: self.number(),
            net: self.number(),
            tax: "15.00".into(),
            tax_in_tax_currency: if content.tax_currency.is_empty() {
                String::new()
            } else {
                self.number()
            },
            gross: self.number(),
            payable: self.number(),
            ..ExpectedTotals::default()
        };
        let traits = Traits {
            third_party: self.choose(),
            nominal: self.choose(),
            export: self.choose(),
            summary: self.choose(),
            self_billed: self.choose(),
        };
        Document {
            number: self.text(),
            type_code: type_code.into(),
            uuid: self.text(),
            issue_time: self.text(),
            specification: self.text(),
            process: self.text(),
            traits: if content.subtype.is_some() {
                traits
            } else {
                Traits::default()
            },
            seller: self.party(),
            creditor_id: self.text(),
            figures: Figures {
                line_nets: content.lines.iter().map(|_| self.number()).collect(),
                tax_breakdown,
                totals,
                tax_again: String::new(),
            },
            content,
        }
    }
}

trait WithoutBreaks {
    fn without_breaks(self) -> Self;
}

impl WithoutBreaks for Identifier {
    fn without_breaks(mut self) -> Self {
        self.scheme = plain(self.scheme);
        self
    }
}

/// Codes stand in attributes and have no line breaks.
fn plain(text: String) -> String {
    text.replace(['\n', '\r', '\t'], " ").trim().to_owned()
}
