//! The code lists of EN 16931, as the public validation artefacts of CEN restrict them.

#[cfg(test)]
mod bindings;
mod lists;

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::Kind;
use crate::tax::Category;

/// The scheme of the creditor identifier for direct debits (BT-90).
pub(crate) const SEPA: &str = "SEPA";

/// UNTDID 1001 for invoices.
const INVOICES: &str = "71 80 82 84 102 130 202 203 204 211 218 219 295 325 326 331 380 382 383 384 385 386 387 388 389 390 393 \
    394 395 456 457 471 472 473 500 501 527 553 575 623 633 751 780 817 870 875 876 877 935";

/// UNTDID 1001 for credit notes.
const CREDIT_NOTES: &str = "81 83 261 262 296 308 381 396 420 458 502 503 532";

/// UNTDID 1001 for debit notes, a subset of the invoices.
const DEBIT_NOTES: &str = "80 84 383";

fn list_contains(list: &str, code: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == code)
}

/// Whether the code is a valid type code (BT-3) of this kind of document.
#[must_use]
pub(crate) fn is_type_code(code: &str, kind: Kind) -> bool {
    match kind {
        Kind::CreditNote => list_contains(CREDIT_NOTES, code),
        Kind::Invoice | Kind::DebitNote => list_contains(INVOICES, code),
    }
}

/// The kind of document that a type code (BT-3) stands for.
#[must_use]
pub fn kind(code: &str) -> Kind {
    if list_contains(CREDIT_NOTES, code) {
        Kind::CreditNote
    } else if list_contains(DEBIT_NOTES, code) {
        Kind::DebitNote
    } else {
        Kind::Invoice
    }
}

/// UNCL7161
const CHARGE_REASONS: &str = "AA AAA AAC AAD AAE AAF AAH AAI AAS AAT AAV AAY AAZ ABA ABB ABC ABD ABF ABK ABL ABN ABR ABS ABT ABU ACF \
    ACG ACH ACI ACJ ACK ACL ACM ACS ADC ADE ADJ ADK ADL ADM ADN ADO ADP ADQ ADR ADT ADW ADY ADZ AEA AEB AEC AED AEF AEH AEI AEJ AEK \
    AEL AEM AEN AEO AEP AES AET AEU AEV AEW AEX AEY AEZ AJ AU CA CAB CAD CAE CAF CAI CAJ CAK CAL CAM CAN CAO CAP CAQ CAR CAS CAT CAU \
    CAV CAW CAX CAY CAZ CD CG CS CT DAB DAC DAD DAF DAG DAH DAI DAJ DAK DAL DAM DAN DAO DAP DAQ DL EG EP ER FAA FAB FAC FC FH FI GAA \
    HAA HD HH IAA IAB ID IF IR IS KO L1 LA LAA LAB LF MAE MI ML NAA OA PA PAA PC PL PRV RAB RAC RAD RAF RE RF RH RV SA SAA SAD SAE \
    SAI SG SH SM SU TAB TAC TT TV V1 V2 WH XAA YY ZZZ";

/// Whether the code is a reason for a charge (BT-105, BT-145): UNCL7161, as EN 16931 restricts it.
#[must_use]
pub(crate) fn is_charge_reason(code: &str) -> bool {
    list_contains(CHARGE_REASONS, code)
}

/// UNCL5189
const ALLOWANCE_REASONS: &str = "41 42 60 62 63 64 65 66 67 68 70 71 88 95 100 102 103 104 105";

/// Whether the code is a reason for an allowance (BT-98, BT-140): UNCL5189, as EN 16931 restricts it.
#[must_use]
pub(crate) fn is_allowance_reason(code: &str) -> bool {
    list_contains(ALLOWANCE_REASONS, code)
}

/// Whether the code is a means of payment (BT-81): UNCL4461.
#[must_use]
pub fn is_payment_means(code: &str) -> bool {
    let known = |number| matches!(number, 1..=70 | 74..=78 | 91..=98);
    code == "ZZZ" || number(code).is_some_and(known)
}

/// Whether the media type is valid for an attachment (BT-125).
#[must_use]
pub fn is_mime(name: &str) -> bool {
    matches!(
        name,
        "application/pdf"
            | "image/png"
            | "image/jpeg"
            | "text/csv"
            | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            | "application/vnd.oasis.opendocument.spreadsheet"
    )
}

/// Whether the media type is valid for an attachment in Saudi Arabia (BR-KSA-CL-03), where the hash of the document before and the QR
/// code are plain text.
#[must_use]
pub(crate) fn is_saudi_mime(name: &str) -> bool {
    is_mime(name)
        || matches!(
            name,
            "text/plain" | "image/tiff" | "application/acad" | "application/dwg" | "drawing/dwg"
        )
}

/// A code list that is searched by hash.
struct CodeSet(LazyLock<HashSet<&'static str>>);

impl CodeSet {
    fn contains(&self, code: &str) -> bool {
        self.0.contains(code)
    }
}

macro_rules! code_set {
    ($list:expr) => {
        CodeSet(LazyLock::new(|| $list.split_ascii_whitespace().collect()))
    };
}

static UNITS: CodeSet = code_set!(lists::UNITS);
static OBJECT_SCHEMES: CodeSet = code_set!(lists::OBJECT_SCHEMES);
static ITEM_LISTS: CodeSet = code_set!(lists::ITEM_LISTS);
static ADDRESS_SCHEMES: CodeSet = code_set!(lists::ADDRESS_SCHEMES);
static EXEMPTIONS: CodeSet = code_set!(lists::EXEMPTIONS);
static NOTE_SUBJECTS: CodeSet = code_set!(lists::NOTE_SUBJECTS);

/// Whether the code is an item classification list (BT-158-1): UNTDID 7143.
#[must_use]
pub(crate) fn is_item_list(code: &str) -> bool {
    ITEM_LISTS.contains(code)
}

/// Whether the code is a unit of measure (BT-130, BT-150): UN/ECE Recommendation 20 with Recommendation 21.
#[must_use]
pub(crate) fn is_unit(code: &str) -> bool {
    UNITS.contains(code)
}

/// Whether the code is a scheme of object identifiers (BT-18, BT-128): UNTDID 1153.
#[must_use]
pub(crate) fn is_object_scheme(code: &str) -> bool {
    OBJECT_SCHEMES.contains(code)
}

/// Whether the code is a scheme of electronic addresses (BT-34, BT-49): CEF EAS.
#[must_use]
pub(crate) fn is_address_scheme(code: &str) -> bool {
    ADDRESS_SCHEMES.contains(code)
}

/// Whether the code is an identifier scheme of ISO 6523 (ICD): 0002 to 0248 without four unassigned codes.
#[must_use]
pub(crate) fn is_identifier_scheme(code: &str) -> bool {
    let digits = code.len() == 4 && code.bytes().all(|byte| byte.is_ascii_digit());
    let assigned = |number| matches!(number, 2..=91 | 93..=102 | 104..=180 | 183..=248);
    digits && code.parse().is_ok_and(assigned)
}

/// Whether the code is an exemption reason (BT-121): CEF VATEX, in any letter case.
#[must_use]
pub(crate) fn is_exemption(code: &str) -> bool {
    EXEMPTIONS.contains(code) || EXEMPTIONS.contains(&code.to_ascii_uppercase())
}

/// Whether the code is a subject of notes (BT-21): UNTDID 4451.
#[must_use]
pub(crate) fn is_note_subject(code: &str) -> bool {
    NOTE_SUBJECTS.contains(code)
}

/// Whether the code is a Saudi exemption reason of this category (ZATCA, XML implementation standard).
#[must_use]
pub(crate) fn is_saudi_exemption(category: Category, code: &str) -> bool {
    let mut reasons = lists::SAUDI_EXEMPTIONS.iter();
    reasons.any(|&(of, known, _)| of == category && known == code)
}

/// The text (BT-120) of a Saudi exemption code. Empty if the list has none, and the seller writes it.
#[must_use]
pub(crate) fn saudi_exemption_text(code: &str) -> &'static str {
    let mut reasons = lists::SAUDI_EXEMPTIONS.iter();
    let reason = reasons.find(|&&(_, known, _)| known == code);
    reason.map_or("", |&(_, _, text)| text)
}

/// Parses a number in the notation of code lists, without a sign or leading zeros.
fn number(code: &str) -> Option<u32> {
    let plain = !code.starts_with(['0', '+']);
    plain.then(|| code.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_valid_only_as_a_whole_entry_of_its_list() {
        assert!(is_type_code("380", Kind::Invoice) && is_type_code("381", Kind::CreditNote));
        assert!(!is_type_code("38", Kind::Invoice) && !is_type_code("", Kind::CreditNote));
        assert!(!is_type_code("380", Kind::CreditNote) && !is_type_code("381", Kind::Invoice));
        assert!(
            is_allowance_reason("95") && !is_allowance_reason("095") && !is_allowance_reason("43")
        );
        assert!(is_charge_reason("FC") && !is_charge_reason("FC FH"));
        assert!(is_payment_means("30") && is_payment_means("ZZZ") && !is_payment_means("71"));
        assert!(is_mime("text/csv") && !is_mime("text/CSV") && !is_mime("application/xml"));
        assert!(is_saudi_mime("text/csv") && is_saudi_mime("image/tiff"));
        assert!(!is_mime("image/tiff") && !is_saudi_mime("application/xml") && !is_saudi_mime(""));
    }

    #[test]
    fn type_code_has_one_kind() {
        assert_eq!(kind("380"), Kind::Invoice);
        assert_eq!(kind("383"), Kind::DebitNote);
        assert_eq!(kind("261"), Kind::CreditNote);
    }

    #[test]
    fn code_lists_are_complete() {
        for (list, count) in [
            (&UNITS, 2_162),
            (&OBJECT_SCHEMES, 818),
            (&ITEM_LISTS, 185),
            (&ADDRESS_SCHEMES, 104),
            (&EXEMPTIONS, 88),
            (&NOTE_SUBJECTS, 383),
        ] {
            assert_eq!(list.0.len(), count, "each code is listed once");
        }
        let schemes = (0..10_000).filter(|number| is_identifier_scheme(&format!("{number:04}")));
        assert_eq!(schemes.count(), 243);
        for code in ["", "2", "00002", "GLN", "+002"] {
            assert!(!is_identifier_scheme(code), "{code:?}");
        }
    }

    #[test]
    fn saudi_exemption_is_of_one_category_and_its_text_fits_the_field() {
        assert!(is_saudi_exemption(Category::ZeroRated, "VATEX-SA-32"));
        assert!(!is_saudi_exemption(Category::Exempt, "VATEX-SA-32"));
        assert!(!is_saudi_exemption(Category::ZeroRated, ""));
        assert_eq!(saudi_exemption_text("VATEX-SA-32"), "Export of goods");
        for code in ["VATEX-SA-OOS", "VATEX-EU-O", ""] {
            assert_eq!(saudi_exemption_text(code), "", "{code:?}");
        }
        for (_, code, text) in lists::SAUDI_EXEMPTIONS {
            assert!(text.len() <= 127, "{code}: BR-KSA-F-06");
        }
    }
}
