//! The stored form of the content of a draft or a template, apart from the IPC types, so that a change of these does not change files. A
//! change of these types is a new version of the records (see `record`).

use invoicing_contract::{ConcurrencyStamp, DocumentKey};
use serde::{Deserialize, Serialize};

use crate::views;

/// A content, also of a template.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Content {
    kind: Kind,
    buyer: Buyer,
    issue_date: String,
    due_date: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_terms: Option<DueTerms>,
    supply_date: String,
    currency: String,
    lines: Vec<Line>,
    note: String,
    #[serde(default)]
    note_ar: String,
    correction: Option<Correction>,
    #[serde(default)]
    details: Details,
}

/// Defines a stored struct, and the conversions from and to the IPC struct with the same fields. A field that is missing
/// here does not compile. Lists are in brackets.
macro_rules! stored_structs {
    ($($name:ident <=> $view:ident {
        $($(#[$attribute:meta])* $field:ident: $type:ty),* $(,)?
    } $([$($(#[$list_attribute:meta])* $list:ident: $item:ty),* $(,)?])?)*) => {$(
        #[derive(Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub(super) struct $name {
            $($(#[$attribute])* $field: $type,)*
            $($($(#[$list_attribute])* $list: Vec<$item>,)*)?
        }

        impl From<views::$view> for $name {
            fn from(view: views::$view) -> Self {
                let views::$view { $($field,)* $($($list,)*)? } = view;
                Self {
                    $($field: $field.into(),)*
                    $($($list: $list.into_iter().map(Into::into).collect(),)*)?
                }
            }
        }

        impl From<$name> for views::$view {
            fn from(stored: $name) -> Self {
                let $name { $($field,)* $($($list,)*)? } = stored;
                Self {
                    $($field: $field.into(),)*
                    $($($list: $list.into_iter().map(Into::into).collect(),)*)?
                }
            }
        }
    )*};
}

stored_structs! {
    Revision <=> Revision { stamp: ConcurrencyStamp, content: Content }
    Text <=> LocalizedText { ar: String, en: String }
    DueTerms <=> DueTerms { end_of_month: bool, days: u32 }
    Correction <=> Correction { key: DocumentKey, number: String, issue_date: String, reason: String }
    Buyer <=> BuyerContent {
        name: Text,
        tax_id: String,
        street: String,
        building: String,
        district: String,
        city: String,
        postal_code: String,
        country: String,
        #[serde(default)]
        details: BuyerDetails,
    }
    BuyerDetails <=> BuyerDetails {
        trading_name: Text,
        legal_id: Identifier,
        electronic_address: Identifier,
        contact: Contact,
        additional_number: String,
        additional_street: String,
        third_line: String,
        region: String,
    } [other_ids: Identifier]
    Identifier <=> IdentifierContent { scheme: String, value: String }
    Contact <=> ContactContent { name: String, phone: String, email: String }
    Address <=> AddressContent {
        building: String,
        additional_number: String,
        street: String,
        additional_street: String,
        third_line: String,
        district: String,
        city: String,
        postal_code: String,
        region: String,
        country: String,
    }
    Line <=> LineContent {
        description: Text,
        quantity: String,
        unit: String,
        unit_price: String,
        tax_category: String,
        tax_rate: String,
        exemption_code: String,
        #[serde(default)]
        id: String,
        #[serde(default)]
        details: LineDetails,
    }
    Details <=> InvoiceDetails {
        period: Period,
        references: References,
        payment: Payment,
        payment_terms: String,
        tax_currency: String,
        exchange_rate: String,
        prepaid: String,
        rounding: String,
        #[serde(default)]
        subtype: String,
        #[serde(default)]
        tax_point_date: String,
        #[serde(default)]
        tax_point_code: String,
        #[serde(default)]
        delivery: Delivery,
        #[serde(default)]
        payee: Payee,
        #[serde(default)]
        tax_representative: TaxRepresentative,
    } [
        allowances_charges: AllowanceCharge,
        #[serde(default)]
        documents: SupportingDocument,
        #[serde(default)]
        other_payments: Payment,
        #[serde(default)]
        preceding_documents: Preceding,
    ]
    Preceding <=> PrecedingContent {
        number: String,
        issue_date: String,
    }
    Delivery <=> DeliveryContent {
        party: Text,
        location: Identifier,
        latest_date: String,
        address: Address,
    }
    Payee <=> PayeeContent { name: Text, id: Identifier, legal_id: Identifier }
    TaxRepresentative <=> TaxRepresentativeContent { name: Text, tax_id: String, address: Address }
    SupportingDocument <=> SupportingDocumentContent {
        id: Identifier,
        type_code: String,
        description: String,
        uri: String,
    }
    LineDetails <=> LineDetails {
        item_code: String,
        buyer_item_code: String,
        order_line: String,
        note: String,
        period: Period,
        price_base: String,
        exemption_reason: String,
        #[serde(default)]
        object: Identifier,
        #[serde(default)]
        accounting: String,
        #[serde(default)]
        gross_price: String,
        #[serde(default)]
        price_discount: String,
        #[serde(default)]
        price_base_unit: String,
        #[serde(default)]
        item_description: Text,
        #[serde(default)]
        standard_item_code: Identifier,
        #[serde(default)]
        origin: String,
    } [
        allowances_charges: AllowanceCharge,
        #[serde(default)]
        classifications: Classification,
        #[serde(default)]
        attributes: ItemAttribute,
    ]
    Classification <=> ClassificationContent { list: String, version: String, code: String }
    ItemAttribute <=> ItemAttributeContent { name: String, value: String }
    Period <=> PeriodContent { start: String, end: String }
    References <=> ReferencesContent {
        purchase_order: String,
        buyer: String,
        contract: String,
        project: String,
        sales_order: String,
        despatch_advice: String,
        receiving_advice: String,
        accounting: String,
        #[serde(default)]
        tender: String,
        #[serde(default)]
        invoiced_object: Identifier,
    }
    Payment <=> PaymentContent {
        code: String,
        account: String,
        account_name: String,
        provider: String,
        remittance: String,
        #[serde(default)]
        name: String,
        #[serde(default)]
        card: Card,
        #[serde(default)]
        mandate: Mandate,
    }
    Card <=> CardContent { number: String, network: String, holder: String }
    Mandate <=> MandateContent { reference: String, payer_account: String }
    AllowanceCharge <=> AllowanceChargeContent {
        kind: AllowanceChargeKind,
        amount: String,
        percent: String,
        base: String,
        reason: String,
        reason_code: String,
        tax_category: String,
        tax_rate: String,
        exemption_code: String,
    }
}

/// Defines the empty value of what an older record does not have.
macro_rules! empty_by_default {
    ($($name:ident <=> $view:ident),* $(,)?) => {$(
        impl Default for $name {
            fn default() -> Self {
                views::$view::default().into()
            }
        }
    )*};
}

empty_by_default! {
    Text <=> LocalizedText,
    BuyerDetails <=> BuyerDetails,
    Identifier <=> IdentifierContent,
    Details <=> InvoiceDetails,
    Delivery <=> DeliveryContent,
    Payee <=> PayeeContent,
    TaxRepresentative <=> TaxRepresentativeContent,
    LineDetails <=> LineDetails,
    Card <=> CardContent,
    Mandate <=> MandateContent,
}

/// The same for enums.
macro_rules! stored_enums {
    ($($name:ident <=> $view:ident { $($variant:ident),* $(,)? })*) => {$(
        #[derive(Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub(super) enum $name { $($variant),* }

        impl From<views::$view> for $name {
            fn from(view: views::$view) -> Self {
                match view { $(views::$view::$variant => Self::$variant),* }
            }
        }

        impl From<$name> for views::$view {
            fn from(stored: $name) -> Self {
                match stored { $($name::$variant => Self::$variant),* }
            }
        }
    )*};
}

stored_enums! {
    Kind <=> InvoiceKind { Invoice, CreditNote, DebitNote }
    AllowanceChargeKind <=> AllowanceChargeKind { Allowance, Charge }
    State <=> DraftState { Editing, Waiting, WaitingInDoubt, Sending, Refused, UnknownOutcome }
}

impl From<views::InvoiceContent> for Content {
    fn from(view: views::InvoiceContent) -> Self {
        let views::InvoiceContent {
            kind,
            buyer,
            issue_date,
            due_date,
            due_terms,
            supply_date,
            currency,
            lines,
            note,
            note_ar,
            correction,
            details,
        } = view;
        Self {
            kind: kind.into(),
            buyer: buyer.into(),
            issue_date,
            due_date,
            due_terms: due_terms.map(Into::into),
            supply_date,
            currency,
            lines: lines.into_iter().map(Into::into).collect(),
            note,
            note_ar,
            correction: correction.map(Into::into),
            details: details.into(),
        }
    }
}

impl From<Content> for views::InvoiceContent {
    fn from(stored: Content) -> Self {
        let Content {
            kind,
            buyer,
            issue_date,
            due_date,
            due_terms,
            supply_date,
            currency,
            lines,
            note,
            note_ar,
            correction,
            details,
        } = stored;
        Self {
            kind: kind.into(),
            buyer: buyer.into(),
            issue_date,
            due_date,
            due_terms: due_terms.map(Into::into),
            supply_date,
            currency,
            lines: lines.into_iter().map(Into::into).collect(),
            note,
            note_ar,
            correction: correction.map(Into::into),
            details: details.into(),
        }
    }
}
