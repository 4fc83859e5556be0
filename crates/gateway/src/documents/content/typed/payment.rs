//! Means of payment.

use invoice::content as typed;
use invoicing_contract::messages::documents as wire;

pub(super) fn payment(means: wire::PaymentMeans) -> typed::PaymentMeans {
    let wire::PaymentMeans {
        code,
        name,
        remittance,
        account,
        card,
        mandate,
    } = means;
    typed::PaymentMeans {
        code,
        name,
        remittance,
        account: account.map(|account| {
            let wire::Account { id, name, provider } = account;
            typed::Account { id, name, provider }
        }),
        card: card.map(|card| {
            let wire::Card {
                number,
                network,
                holder,
            } = card;
            typed::Card {
                number,
                network,
                holder,
            }
        }),
        mandate: mandate.map(|mandate| {
            let wire::Mandate {
                reference,
                payer_account,
            } = mandate;
            typed::Mandate {
                reference,
                payer_account,
            }
        }),
    }
}
