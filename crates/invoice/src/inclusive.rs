//! Converts prices that include tax to net prices. EN 16931 has net prices only.

use rust_decimal::Decimal;

use crate::{CheckContext, Content, Money, calculation, check, decimal};

/// The net price (BT-146) of a price that includes tax: `price × 100 ÷ (100 + rate)`, half away from zero, to the precision of a
/// price. `None` if it is too large.
#[must_use]
pub fn net_price(price: Decimal, rate: Decimal) -> Option<Decimal> {
    let divisor = Decimal::ONE_HUNDRED.checked_add(rate)?;
    let whole = price.trunc().abs().normalize().to_string().len();
    let room = u32::try_from(decimal::MAX_DIGITS.checked_sub(whole)?).ok()?;
    let fraction = room.min(decimal::MAX_FRACTION);
    decimal::multiply_divide(price, Decimal::ONE_HUNDRED, divisor, fraction)
}

/// Converts the prices of a content from tax-inclusive to net prices, each by the rate of its line. To make the payable amount
/// equal to the entered total, the rounding difference of lines and taxes becomes BT-114.
///
/// Allowances and charges are entered without tax. If there are any, BT-114 stays empty, because no total was entered.
/// `None` if a number is invalid or an amount is too large; [`check`] of the content reports which.
#[must_use]
pub fn without_tax(content: &Content, context: &CheckContext) -> Option<Content> {
    let mut net = content.clone();
    let mut entered = Some(Vec::new());
    for (line, before) in net.lines.iter_mut().zip(&content.lines) {
        let number = |text: &str, absent| match text {
            "" => Some(absent),
            text => decimal::parse(text).ok(),
        };
        let price = decimal::parse(&before.unit_price).ok()?;
        let rate = number(&before.tax.rate, Decimal::ZERO)?;
        line.unit_price = decimal::print(net_price(price, rate)?);
        let quantity = decimal::parse(&before.quantity).ok()?;
        let base = number(&before.price_base, Decimal::ONE)?;
        let gross = calculation::line_amount(quantity, price, base, context.currency)?;
        match &mut entered {
            Some(entered) if before.allowances_charges.is_empty() => entered.push(gross),
            _ => entered = None,
        }
    }
    let own_currency = content.currency.is_empty() || content.currency == context.currency.code();
    let settled = content.rounding.is_empty() && content.allowances_charges.is_empty();
    if let Some(entered) = entered.filter(|_| own_currency && settled) {
        let totals = check(&net, context).calculation.totals?;
        let zero = Money::zero(context.currency);
        let sum = entered.iter().try_fold(zero, |sum, one| sum.plus(*one))?;
        let rest = sum.minus(totals.gross)?;
        if rest != zero {
            net.rounding = rest.to_string();
        }
    }
    Some(net)
}
