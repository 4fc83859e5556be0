//! Rules of parties, tax numbers, references and payment.

use invoice::content::{
    Account, Address, Attachment, Card, Delivery, Identifier, Payee, PaymentMeans, Period,
    Reference, SupportingDocument, TaxRepresentative, Text,
};

use super::assert_violations;
use crate::fixtures::document_violations;
use crate::fixtures::documents::swedish;

#[test]
fn each_party_reference_and_payment_rule_is_reported_at_its_field() {
    assert_violations(
        swedish,
        &[
            (
                |it| it.content.payee = Some(Payee::default()),
                &["payee.name BR-17"],
            ),
            (
                |it| it.content.tax_representative = Some(TaxRepresentative::default()),
                &[
                    "taxRepresentative.name BR-18",
                    "taxRepresentative.taxId BR-56",
                    "taxRepresentative.address BR-19",
                ],
            ),
            (
                |it| {
                    it.content.tax_representative = Some(TaxRepresentative {
                        name: Text {
                            en: "R".into(),
                            ..Text::default()
                        },
                        tax_id: "SE1".into(),
                        address: Address {
                            city: "X".into(),
                            ..Address::default()
                        }
                        .into(),
                    });
                },
                &["taxRepresentative.address.country BR-20"],
            ),
            (
                |it| {
                    it.content.period = Some(Period {
                        start: "2026-02-01".into(),
                        end: "2026-01-01".into(),
                    })
                },
                &["period.end BR-29"],
            ),
            (
                |it| it.content.period = Some(Period::default()),
                &["period.start BR-CO-19"],
            ),
            (
                |it| {
                    it.content.tax_point_date = "2026-11-01".into();
                    it.content.tax_point_code = "3".into();
                },
                &["taxPointCode BR-CO-03"],
            ),
            (
                |it| it.content.tax_point_code = "4".into(),
                &["taxPointCode BR-CL-06"],
            ),
            (
                |it| it.content.payment = vec![PaymentMeans::default()],
                &["payment[0].code BR-49"],
            ),
            (
                |it| it.content.payment = vec![means("999")],
                &["payment[0].code BR-CL-16"],
            ),
            (
                |it| it.content.payment = vec![means("58")],
                &["payment[0].account.id BR-61"],
            ),
            (
                |it| {
                    it.content.payment = vec![PaymentMeans {
                        account: Some(Account::default()),
                        ..means("42")
                    }]
                },
                &["payment[0].account.id BR-50"],
            ),
            (
                |it| {
                    it.content.payment = vec![PaymentMeans {
                        card: Some(Card::default()),
                        ..means("48")
                    }]
                },
                &["payment[0].card.number BR-51"],
            ),
            (
                |it| it.content.documents = vec![SupportingDocument::default()],
                &["documents[0].id BR-52"],
            ),
            (
                |it| {
                    it.content.documents = vec![SupportingDocument {
                        id: Identifier {
                            value: "1".into(),
                            ..Identifier::default()
                        },
                        attachment: Some(Attachment {
                            mime: "text/html".into(),
                            ..Attachment::default()
                        }),
                        ..SupportingDocument::default()
                    }];
                },
                &["documents[0].attachment.mime BR-CL-24"],
            ),
            (
                |it| it.content.preceding = vec![Reference::default()],
                &["preceding[0].number BR-55"],
            ),
            (
                |it| {
                    it.content.delivery = Some(Delivery {
                        address: Address {
                            city: "X".into(),
                            ..Address::default()
                        }
                        .into(),
                        ..Delivery::default()
                    });
                },
                &["delivery.address.country BR-57"],
            ),
            (
                |it| it.seller.electronic_address.value = "1".into(),
                &["seller.electronicAddress.scheme BR-62"],
            ),
            (
                |it| it.content.buyer.electronic_address.value = "1".into(),
                &["buyer.electronicAddress.scheme BR-63"],
            ),
            (
                |it| it.content.buyer.tax_id = "556677".into(),
                &["buyer.taxId BR-CO-09"],
            ),
            (
                |it| it.seller.tax_id = "556677".into(),
                &["seller.taxId BR-CO-09"],
            ),
            (
                |it| it.seller.tax_id.clear(),
                &[
                    "seller.otherIds BR-CO-26",
                    "seller.taxId BR-S-02",
                    "seller.taxId BR-S-03",
                    "seller.taxId BR-S-04",
                ],
            ),
        ],
    );
}

fn means(code: &str) -> PaymentMeans {
    PaymentMeans {
        code: code.into(),
        ..PaymentMeans::default()
    }
}

#[test]
fn tax_number_in_the_wrong_format_of_its_country_is_reported() {
    for (country, right, rule) in [
        ("AE", "100123456700003", "INV-AE-TAX-ID"),
        ("EG", "123456789", "INV-EG-TAX-ID"),
    ] {
        let mut document = swedish();
        document.seller.address.country = country.into();
        document.seller.tax_id = right.into();
        assert_eq!(document_violations(&document), [""; 0], "{country}");
        document.seller.tax_id = "77".into();
        assert_eq!(
            document_violations(&document),
            [format!("seller.taxId {rule}")]
        );
    }
}
