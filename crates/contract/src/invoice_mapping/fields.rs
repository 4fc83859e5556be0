//! The messages whose fields have the same names as the structs of [`invoice::content`].

use invoice::content;

use super::convert::{Convert, absent_if_empty, same_fields};
use crate::messages::documents;

same_fields! {
    LocalizedText <=> Text { ar, en }
    Identifier <=> Identifier { scheme, value }
    Period <=> Period { start, end }
    DocumentReference <=> Reference { document_key, number, issue_date }
    Tax <=> Tax { category, rate, exemption_code, exemption_reason }
    AllowanceCharge <=> AllowanceCharge { is_charge, amount, base, percent, reason, tax, reason_code }
    Classification <=> Classification { list, version, code }
    ItemAttribute <=> ItemAttribute { name, value }

    Address <=> Address {
        building, street, district, city, postal_code, region, country, additional_number, additional_street, third_line,
    }
    Contact <=> Contact { name, phone, email }
    Party <=> Party {
        name, tax_id, other_ids, address, contact, trading_name, tax_registration, legal_id, legal_form, electronic_address,
    }
    Payee <=> Payee { name, id, legal_id }
    TaxRepresentative <=> TaxRepresentative { name, tax_id, address }

    References <=> References {
        buyer, project, contract, sales_order, receiving_advice, despatch_advice, tender, invoiced_object, accounting,
    }
    Delivery <=> Delivery { party, location, address, latest_date }
    SupportingDocument <=> SupportingDocument { id, type_code, uuid, description, uri, attachment }
    Attachment <=> Attachment { mime, filename, content }

    PaymentMeans <=> PaymentMeans { code, name, remittance, account, card, mandate }
    Account <=> Account { id, name, provider }
    Card <=> Card { number, network, holder }
    Mandate <=> Mandate { reference, payer_account }

    Totals <=> ExpectedTotals {
        lines, allowances, charges, net, tax, tax_in_tax_currency, gross, prepaid, rounding, payable,
    }
}

absent_if_empty! {
    LocalizedText <=> Text;
    Identifier <=> Identifier;
    Tax <=> Tax;
    Contact <=> Contact;
    Party <=> Party;
    References <=> References;
}
