//! Round trips of generated messages: the fields come from the .proto file, so that a new one is covered.

use proptest::prelude::*;
use std::sync::LazyLock;

use prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};

use super::*;

static INVOICE: LazyLock<MessageDescriptor> = LazyLock::new(|| {
    let pool = crate::descriptor_pool();
    let invoice = pool.get_message_by_name("invoicing.documents.v2.Invoice");
    invoice.expect("the message of an invoice")
});

/// Output fields, which the mapping leaves out.
fn is_output(field: &FieldDescriptor) -> bool {
    let pool = field.parent_pool();
    let option = pool.get_extension_by_name("invoicing.output");
    *field.options().get_extension(&option.expect("the option")) == Value::Bool(true)
}

/// Generates messages with a different text in every field, so that swapped fields are found.
struct Generator {
    choices: Box<dyn Iterator<Item = u8>>,
    texts: u32,
}

impl Generator {
    /// Every field is set, and every list has two elements.
    fn complete() -> Self {
        Self {
            choices: Box::new(std::iter::repeat(2)),
            texts: 0,
        }
    }

    fn of(choices: Vec<u8>) -> Self {
        Self {
            choices: Box::new(choices.into_iter().cycle()),
            texts: 0,
        }
    }

    /// 0, 1 or 2.
    fn choose(&mut self) -> u8 {
        self.choices.next().unwrap_or_default() % 3
    }

    fn invoice(&mut self) -> documents::Invoice {
        let message = self.message(&INVOICE);
        documents::Invoice::decode(message.encode_to_vec().as_slice()).expect("the same message")
    }

    fn message(&mut self, descriptor: &MessageDescriptor) -> DynamicMessage {
        let mut message = DynamicMessage::new(descriptor.clone());
        for field in descriptor.fields() {
            let count = self.choose();
            if is_output(&field) || count == 0 {
                continue;
            }
            if field.is_list() {
                let values = (0..count).map(|_| self.value(&field)).collect();
                message.set_field(&field, Value::List(values));
                continue;
            }
            let value = self.value(&field);
            // The mapping does not distinguish an absent group from one without fields.
            let is_empty_group =
                matches!(&value, Value::Message(group) if group.encoded_len() == 0);
            if !is_empty_group {
                message.set_field(&field, value);
            }
        }
        message
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the invoice has no field of another type"
    )]
    fn value(&mut self, field: &FieldDescriptor) -> Value {
        match field.kind() {
            Kind::String => {
                self.texts += 1;
                Value::String(format!("{} {}", field.name(), self.texts))
            }
            Kind::Bool => Value::Bool(true),
            Kind::Enum(_) => Value::EnumNumber(i32::from(self.choose().max(1))),
            Kind::Message(descriptor) => Value::Message(self.message(&descriptor)),
            other => panic!("the mapping has no field of type {other:?}"),
        }
    }
}

/// An absent kind becomes INVOICE in a round trip.
fn with_kind(mut invoice: documents::Invoice) -> documents::Invoice {
    if invoice.kind() == documents::Kind::Unspecified {
        invoice.set_kind(documents::Kind::Invoice);
    }
    invoice
}

#[test]
fn message_with_every_field_set_survives_the_round_trip() {
    let invoice = Generator::complete().invoice();
    let (content, unknown) = to_content(invoice.clone());
    assert_eq!(unknown, []);
    assert_eq!(to_message(content), invoice);
}

proptest! {
    #[test]
    fn message_with_some_fields_set_survives_the_round_trip(choices in prop::collection::vec(any::<u8>(), 1..200)) {
        let invoice = Generator::of(choices).invoice();
        let (content, unknown) = to_content(invoice.clone());
        prop_assert_eq!(unknown, []);
        prop_assert_eq!(to_message(content), with_kind(invoice));
    }

    #[test]
    fn content_survives_the_round_trip(choices in prop::collection::vec(any::<u8>(), 1..200)) {
        let (content, _) = to_content(Generator::of(choices).invoice());
        prop_assert_eq!(to_content(to_message(content.clone())).0, content);
    }
}

#[test]
fn output_fields_are_not_in_the_content() {
    let invoice = documents::Invoice {
        number: "INV-1".to_owned(),
        seller: Some(documents::Party::default()),
        tax_breakdown: vec![documents::TaxSubtotal::default()],
        totals: Some(documents::Totals::default()),
        lines: vec![documents::Line {
            net: "1.00".to_owned(),
            tax_amounts: Some(documents::TaxAmounts::default()),
            ..documents::Line::default()
        }],
        ..documents::Invoice::default()
    };
    let expected = documents::Invoice {
        kind: documents::Kind::Invoice.into(),
        lines: vec![documents::Line::default()],
        ..documents::Invoice::default()
    };
    assert_eq!(to_message(to_content(invoice).0), expected);
}

#[test]
fn file_states_the_amount_of_a_percentage_and_the_rate_zero() {
    let percentage = |amount: &str| documents::AllowanceCharge {
        amount: amount.to_owned(),
        base: "114.96".to_owned(),
        percent: "10".to_owned(),
        tax: Some(tax("E", "")),
        ..documents::AllowanceCharge::default()
    };
    let line = |category: &str, rate: &str| documents::Line {
        allowances_charges: vec![percentage("")],
        tax: Some(tax(category, rate)),
        ..documents::Line::default()
    };
    let invoice = documents::Invoice {
        currency: "SAR".to_owned(),
        lines: vec![line("Z", ""), line("O", ""), line("S", "15")],
        allowances_charges: vec![percentage(""), percentage("11.49")],
        ..documents::Invoice::default()
    };
    let document = documents::Document {
        content: Some(documents::DocumentContent {
            invoice: Some(invoice.clone()),
        }),
        ..documents::Document::default()
    };
    let content = to_document(document, String::new()).content;
    let rates: Vec<_> = content
        .lines
        .iter()
        .map(|it| it.tax.rate.as_str())
        .collect();
    assert_eq!(rates, ["0", "", "15"]);
    let of_line = &content.lines[0].allowances_charges[0];
    assert_eq!(of_line.amount, "11.50");
    let [computed, given] = content.allowances_charges.as_slice() else {
        panic!("both allowances");
    };
    assert_eq!((&*computed.amount, &*computed.tax.rate), ("11.50", "0"));
    assert_eq!(given.amount, "11.49", "a given amount stays");
    let (stored, _) = to_content(invoice);
    let read_back = &stored.allowances_charges[0].amount;
    assert_eq!(read_back, "", "callers read back what they sent");
}

#[test]
fn file_outside_the_scope_of_tax_has_the_tax_number_of_the_seller_as_an_identifier() {
    let invoice = documents::Invoice {
        seller: Some(documents::Party {
            tax_id: "1029384".to_owned(),
            ..documents::Party::default()
        }),
        lines: vec![documents::Line {
            tax: Some(tax("O", "")),
            ..documents::Line::default()
        }],
        ..documents::Invoice::default()
    };
    let document = documents::Document {
        content: Some(documents::DocumentContent {
            invoice: Some(invoice),
        }),
        ..documents::Document::default()
    };
    assert_eq!(to_seller(&document).tax_id, "1029384");
    let seller = to_document(document, String::new()).seller;
    let ids: Vec<_> = seller
        .other_ids
        .iter()
        .map(|id| id.value.as_str())
        .collect();
    assert_eq!((seller.tax_id.as_str(), ids), ("", vec!["1029384"]));
}

fn tax(category: &str, rate: &str) -> documents::Tax {
    documents::Tax {
        category: category.to_owned(),
        rate: rate.to_owned(),
        ..documents::Tax::default()
    }
}

#[test]
fn groups_without_fields_are_absent_from_the_message() {
    let invoice = documents::Invoice {
        buyer: Some(documents::Party {
            name: Some(documents::LocalizedText::default()),
            address: Some(documents::Address::default()),
            ..documents::Party::default()
        }),
        references: Some(documents::References::default()),
        ..documents::Invoice::default()
    };
    let (content, _) = to_content(invoice);
    assert!(!content.buyer.address.is_present(), "{content:?}");
    let message = to_message(content);
    assert_eq!((message.buyer, message.references), (None, None));
}

#[test]
fn undefined_enum_numbers_are_reported_with_their_paths() {
    let invoice = documents::Invoice {
        kind: 9,
        subtype: 7,
        ..documents::Invoice::default()
    };
    let (content, unknown) = to_content(invoice);
    assert_eq!(
        (content.kind, content.subtype),
        (::invoice::Kind::Invoice, None)
    );
    assert_eq!(
        unknown,
        [
            UnknownEnumNumber {
                path: "kind",
                number: 9
            },
            UnknownEnumNumber {
                path: "subtype",
                number: 7
            },
        ]
    );
}

#[test]
fn simple_invoice_survives_the_round_trip_through_a_whole_one() {
    let invoice = Generator::complete().invoice();
    let simple = simple::to_new_invoice(invoice);
    let whole = simple::from_new_invoice(simple.clone());
    assert_eq!(simple::to_new_invoice(whole), simple);
}
