//! Rules of tax categories: exemption reason, rate and tax numbers.

use invoice::Document;
use invoice::content::Tax;
use invoice::document::TaxRow;

use crate::fixtures::document_violations;
use crate::fixtures::documents::untaxed;

#[test]
fn each_category_without_tax_reports_its_own_rules() {
    for (code, name) in [
        ("Z", "Z"),
        ("E", "E"),
        ("AE", "AE"),
        ("G", "G"),
        ("K", "IC"),
        ("O", "O"),
    ] {
        let base = untaxed(code);
        assert_eq!(
            document_violations(&base),
            [""; 0],
            "{code} is valid unchanged"
        );
        let found = |mutate: &dyn Fn(&mut Document)| {
            let mut document = base.clone();
            mutate(&mut document);
            document_violations(&document)
        };
        let twice = found(&|it| {
            let row = it.figures.tax_breakdown[0].clone();
            it.figures.tax_breakdown.push(TaxRow {
                taxable: "0.00".into(),
                ..row
            });
        });
        assert!(
            twice.contains(&format!("taxBreakdown BR-{name}-01")),
            "{code}: {twice:?}"
        );
        if code != "O" {
            let rated = found(&|it| it.content.lines[0].tax.rate = "5".into());
            assert_eq!(rated, [format!("lines[0].tax.rate BR-{name}-05")]);
            let rated = found(&|it| it.content.allowances_charges[0].tax.rate = "5".into());
            assert_eq!(
                rated,
                [format!("allowancesCharges[0].tax.rate BR-{name}-06")]
            );
            let rated = found(&|it| it.content.allowances_charges[1].tax.rate = "5".into());
            assert_eq!(
                rated,
                [format!("allowancesCharges[1].tax.rate BR-{name}-07")]
            );
            let nobody = found(&|it| {
                it.seller.tax_id.clear();
                it.seller.legal_id.value = "1".into();
            });
            let places =
                ["02", "03", "04"].map(|number| format!("seller.taxId BR-{name}-{number}"));
            assert_eq!(nobody, places);
        }
        let taxable = found(&|it| it.figures.tax_breakdown[0].taxable = "1.00".into());
        assert_eq!(taxable, [format!("taxBreakdown[0].taxable BR-{name}-08")]);
        let taxed = found(&|it| it.figures.tax_breakdown[0].tax = "1.00".into());
        assert!(
            taxed.contains(&format!("taxBreakdown[0].tax BR-{name}-09")),
            "{code}: {taxed:?}"
        );
        let reason = found(&|it| {
            let row = &mut it.figures.tax_breakdown[0];
            row.exemption_reason = if code == "Z" {
                "none".into()
            } else {
                String::new()
            };
        });
        let at = if code == "Z" {
            "exemptionReason"
        } else {
            "exemptionCode"
        };
        assert_eq!(reason, [format!("taxBreakdown[0].{at} BR-{name}-10")]);
    }
}

#[test]
fn outside_scope_forbids_other_categories_rates_and_vat_numbers() {
    let mut document = untaxed("O");
    document.seller.tax_id = "SE556677889901".into();
    assert_eq!(
        document_violations(&document),
        [
            "seller.taxId BR-O-02",
            "seller.taxId BR-O-03",
            "seller.taxId BR-O-04"
        ]
    );
    let mut document = untaxed("O");
    document.content.lines[0].tax.rate = "0".into();
    assert_eq!(
        document_violations(&document),
        ["lines[0].tax.rate BR-O-05"]
    );
    let mut mixed = untaxed("O");
    mixed.content.allowances_charges[0].tax = Tax {
        category: "Z".into(),
        rate: "0".into(),
        ..Tax::default()
    };
    let found = document_violations(&mixed);
    assert!(
        found.contains(&"allowancesCharges[0].tax.category BR-O-13".to_owned()),
        "{found:?}"
    );
}

#[test]
fn intra_community_supply_requires_date_and_country() {
    let mut document = untaxed("K");
    document.content.supply_date.clear();
    document.content.delivery = None;
    assert_eq!(
        document_violations(&document),
        ["supplyDate BR-IC-11", "delivery.address.country BR-IC-12"]
    );
}

#[test]
fn outside_scope_row_excludes_other_categories() {
    let mut mixed = untaxed("O");
    mixed.content.lines[0].tax.category = "Z".into();
    mixed.content.lines[0].tax.rate = "0".into();
    mixed.content.allowances_charges[0].tax = mixed.content.lines[0].tax.clone();
    let outside_scope_violations = |document: &Document| {
        let all = document_violations(document);
        let alone = ["BR-O-12", "BR-O-13", "BR-O-14"];
        all.into_iter()
            .filter(|one| alone.iter().any(|rule| one.ends_with(rule)))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        outside_scope_violations(&mixed),
        [
            "lines[0].tax.category BR-O-12",
            "allowancesCharges[0].tax.category BR-O-13"
        ]
    );
    mixed.content.lines[0].tax.category = "unknown".into();
    assert_eq!(
        outside_scope_violations(&mixed).len(),
        2,
        "also for an unknown category"
    );
    mixed.content.lines[0].tax = Tax::default();
    assert_eq!(
        outside_scope_violations(&mixed).len(),
        1,
        "an empty category is not another one"
    );
    mixed.figures.tax_breakdown[0].category = "Z".into();
    assert_eq!(
        outside_scope_violations(&mixed),
        [""; 0],
        "the breakdown decides"
    );
}
