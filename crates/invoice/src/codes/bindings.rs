//! The code lists of the rules in the window: tests compare its files, and write them for `cargo xtask bindings`.

use std::path::Path;
use std::{env, fs};

use super::{ALLOWANCE_REASONS, CHARGE_REASONS, is_payment_means, lists};
use crate::tax::Category;
use crate::{Country, Currency};

/// Compares a file of the window, after it was written if that is wanted.
fn assert_window_has(file: &str, expected: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/ipc");
    let path = folder.join(file);
    if env::var_os("UPDATE_BINDINGS").is_some() {
        fs::write(&path, expected).expect("the file can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "ui/src/ipc/{file} is out of date: run `cargo xtask bindings`"
    );
}

/// Codes as one line of the window, which splits them at their spaces.
fn line<'a>(codes: impl Iterator<Item = &'a str>) -> String {
    codes.collect::<Vec<_>>().join(" ")
}

fn line_of(list: &str) -> String {
    line(list.split_ascii_whitespace())
}

fn countries() -> String {
    let letters = || ('0'..='9').chain('A'..='Z');
    let two = |first: char| letters().map(move |second| format!("{first}{second}"));
    let known: Vec<_> = letters()
        .flat_map(two)
        .filter(|code| Country::is_valid_code(code))
        .collect();
    line(known.iter().map(String::as_str))
}

fn payment_means() -> String {
    let numbers = (1..100).map(|number: u32| number.to_string());
    let known = numbers.chain(["ZZZ".to_owned()]);
    let known: Vec<_> = known.filter(|code| is_payment_means(code)).collect();
    line(known.iter().map(String::as_str))
}

/// The Saudi exemption reasons by tax category.
fn saudi_exemptions() -> String {
    let row = |category: Category| {
        let of_category = lists::SAUDI_EXEMPTIONS
            .iter()
            .filter(|(of, ..)| *of == category);
        let codes = line(of_category.map(|(_, code, _)| *code));
        (!codes.is_empty()).then(|| format!("  {}: \"{codes}\",\n", category.code()))
    };
    Category::ALL.into_iter().filter_map(row).collect()
}

#[test]
fn window_has_the_code_lists_of_the_rules() {
    let lists = [
        (
            "allowanceReasonCodes",
            "Reasons for allowances (BT-98, BT-140): UNCL5189.",
            line_of(ALLOWANCE_REASONS),
        ),
        (
            "chargeReasonCodes",
            "Reasons for charges (BT-105, BT-145): UNCL7161.",
            line_of(CHARGE_REASONS),
        ),
        (
            "countryCodes",
            "Countries: ISO 3166-1, Northern Ireland and Kosovo.",
            countries(),
        ),
        (
            "currencyCodes",
            "Currencies in use: ISO 4217.",
            line(Currency::all().iter().map(|currency| currency.code())),
        ),
        (
            "exemptionCodes",
            "Exemption reasons (BT-121): CEF VATEX.",
            line_of(lists::EXEMPTIONS),
        ),
        (
            "paymentMeansCodes",
            "Means of payment (BT-81): UNCL4461.",
            payment_means(),
        ),
        (
            "taxCategoryCodes",
            "Tax categories (BT-151): UNCL5305.",
            line(Category::ALL.iter().map(|category| category.code())),
        ),
        (
            "unitCodes",
            "Units of measure (BT-130, BT-150): UN/ECE Recommendation 20 with Recommendation 21.",
            line_of(lists::UNITS),
        ),
    ];
    let constants = lists
        .map(|(name, of, codes)| format!("\n/** {of} */\nexport const {name} =\n  \"{codes}\";\n"));
    let expected = format!(
        "// Generated from the code lists of crates/invoice by `cargo xtask bindings`.\n{}\n\
         /** Exemption reasons of Saudi Arabia by tax category. */\n\
         export const saudiExemptionCodes: Readonly<Record<string, string>> = {{\n{}}};\n",
        constants.concat(),
        saudi_exemptions()
    );
    assert_window_has("invoiceCodes.ts", &expected);
}

#[test]
fn window_has_the_minor_units_of_currencies() {
    let all = Currency::all();
    let row = |digits: u32| {
        let of_row = all
            .iter()
            .filter(|currency| currency.minor_units() == digits);
        let codes = line(of_row.map(|currency| currency.code()));
        (!codes.is_empty()).then(|| format!("  {digits}: \"{codes}\",\n"))
    };
    let others = (0..=Currency::MAX_MINOR_UNITS).filter(|digits| *digits != 2);
    let rows: String = others.filter_map(row).collect();
    let expected = format!(
        "// Generated from the currencies of crates/invoice by `cargo xtask bindings`.\n\n\
         /** Currencies (ISO 4217) by the digits of their minor units, where these are not two. */\n\
         export const otherMinorUnits: Readonly<Record<string, string>> = {{\n{rows}}};\n"
    );
    assert_window_has("minorUnits.ts", &expected);
}
