//! Rules for the parts that only a received document has: number, seller, and the tax numbers that categories require.

use super::{Scope, parties, taxes};
use crate::content::Text;
use crate::tax::Category;
use crate::violation::Violations;
use crate::{Document, codes};

pub(super) fn check(violations: &mut Violations, document: &Document, scope: &Scope<'_>) {
    if !scope.is_saudi() {
        violations.required(
            "specification",
            &document.specification,
            "BR-01",
            "the document names the specification that it follows",
        );
    }
    violations.required("number", &document.number, "BR-02", "a number is required");
    if document.type_code.is_empty() {
        violations.add("typeCode", "BR-04", "a type code is required");
    } else if !scope.is_saudi() && !codes::is_type_code(&document.type_code, document.content.kind)
    {
        violations.add(
            "typeCode",
            "BR-CL-01",
            "is not a type code of UNTDID 1001 for invoices or credit notes",
        );
    }
    parties::check_seller(violations, document);
    for category in Category::ALL {
        category_parties(violations, document, category, scope);
    }
    let rows = &document.figures.tax_breakdown;
    let community = Category::IntraCommunity.code();
    if rows.iter().any(|row| row.category == community) {
        taxes::intra_community(violations, &document.content);
    }
    payee(violations, document);
}

/// BR-…-02 to 04: the tax numbers that a category requires.
fn category_parties(
    violations: &mut Violations,
    document: &Document,
    category: Category,
    scope: &Scope<'_>,
) {
    let content = &document.content;
    let buyer = &content.buyer;
    let represented = content
        .tax_representative
        .as_ref()
        .is_some_and(|representative| !representative.tax_id.is_empty());
    let has_vat = !document.seller.tax_id.is_empty() || represented;
    let registered = has_vat || !document.seller.tax_registration.is_empty();
    let buyer_known = !buyer.tax_id.is_empty() || !buyer.legal_id.value.is_empty();
    let (path, description) = match category {
        Category::SplitPayment => return,
        // No tax number is required, and outside Saudi Arabia none is allowed.
        Category::OutsideScope if scope.is_saudi() || (!has_vat && buyer.tax_id.is_empty()) => {
            return;
        }
        Category::OutsideScope if has_vat => (
            "seller.taxId",
            "what is outside the scope of tax names no VAT number of the seller",
        ),
        Category::OutsideScope => (
            "buyer.taxId",
            "what is outside the scope of tax names no VAT number of the buyer",
        ),
        Category::Export | Category::IntraCommunity if !has_vat => (
            "seller.taxId",
            "this category needs the VAT number of the seller or its representative",
        ),
        Category::IntraCommunity if buyer.tax_id.is_empty() => (
            "buyer.taxId",
            "a supply within the community needs the VAT number of the buyer",
        ),
        Category::ReverseCharge if registered && !buyer_known => {
            ("buyer.taxId", "reverse charge needs the buyer's tax id")
        }
        _ if !registered => (
            "seller.taxId",
            "this category needs a tax number of the seller or its representative",
        ),
        Category::Standard
        | Category::ZeroRated
        | Category::Exempt
        | Category::ReverseCharge
        | Category::Export
        | Category::IntraCommunity
        | Category::CanaryIslands
        | Category::CeutaMelilla => return,
    };
    for rule in scope
        .category_usage
        .party_rules(category)
        .filter_map(|rule| category.rule(rule))
    {
        violations
            .add(path, rule, description)
            .with("category", category.code());
    }
}

/// BR-17: the payee differs from the seller.
fn payee(violations: &mut Violations, document: &Document) {
    let Some(payee) = &document.content.payee else {
        return;
    };
    let seller = &document.seller;
    let same_name = payee.name != Text::default() && payee.name == seller.trading_name;
    let same_id =
        !payee.id.value.is_empty() && seller.other_ids.iter().any(|id| id.value == payee.id.value);
    if same_name || same_id {
        violations.add(
            "payee.name",
            "BR-17",
            "a payee is named where it is not the seller",
        );
    }
}
