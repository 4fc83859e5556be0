//! Security cases: 25 attacks, each with the tests that cover it.
//!
//! Most tests are in the modules here, by theme; the list also names tests of other modules that cover a case.

mod authorization;
mod bodies;
mod browser;
mod codes;
mod headers;
mod production;
mod secrets;
mod throttling;
mod tokens;
mod transport;

use crate::fixtures::assert_test_exists;

/// Number and subject of a case, and the paths of its tests in this binary.
const CASES: [(u8, &str, &[&str]); 25] = [
    (
        1,
        "code replay",
        &["identity::codes::code_replay_returns_invalid_grant_and_revokes_its_tokens"],
    ),
    (
        2,
        "concurrent code exchange",
        &["identity::codes::twenty_concurrent_redemptions_of_a_code_yield_at_most_one_success"],
    ),
    (
        3,
        "code with another client or redirect URI",
        &["identity::codes::code_requires_matching_client_redirect_uri_and_verifier"],
    ),
    (
        4,
        "proof key for code exchange",
        &["security::codes::case_04_pkce_omission_weakening_and_downgrade_are_rejected"],
    ),
    (
        5,
        "near matches of redirect URIs",
        &["security::codes::case_05_only_an_exact_redirect_uri_is_accepted"],
    ),
    (
        6,
        "unknown client or redirect URI",
        &["identity::codes::unknown_client_or_redirect_uri_returns_400_without_redirect"],
    ),
    (
        7,
        "refresh token reuse",
        &[
            "identity::refresh::used_refresh_token_returns_invalid_grant_and_its_successor_works",
            "identity::refresh::refresh_token_reuse_revokes_the_family_if_the_client_opted_in",
        ],
    ),
    (
        8,
        "concurrent refresh token use",
        &[
            "identity::refresh::fifty_concurrent_refreshes_yield_exactly_one_success",
            "service::replicas::fifty_concurrent_refreshes_at_two_processes_yield_exactly_one_success",
        ],
    ),
    (
        9,
        "refresh with a wider scope, by another client, or expired",
        &[
            "identity::refresh::refresh_may_narrow_but_not_widen_its_scope",
            "identity::refresh::refresh_token_of_another_client_cannot_be_used_or_revoked",
            "identity::maintenance::disabled_account_is_rejected_at_every_endpoint_immediately",
        ],
    ),
    (
        10,
        "introspection as an oracle",
        &[
            "security::tokens::case_10_introspection_is_no_oracle",
            "identity::pats::pat_is_rejected_once_revoked_or_expired_or_its_user_is_disabled",
        ],
    ),
    (
        11,
        "forged id_token hints",
        &["security::tokens::case_11_forged_id_token_hint_is_rejected"],
    ),
    (
        12,
        "timing of unknown accounts and wrong passwords",
        &["security::throttling::case_12_unknown_account_and_wrong_password_take_equal_time"],
    ),
    (
        13,
        "password guessing",
        &[
            "identity::throttling::sixth_password_attempt_returns_429_for_that_account_only",
            "identity::throttling::password_spraying_from_one_address_returns_429",
            "identity::throttling::concurrent_password_attempts_are_each_counted",
            "identity::throttling::attack_on_an_account_from_many_addresses_is_delayed_and_does_not_keep_a_known_browser_out",
            "identity::throttling::device_cookie_of_another_account_or_of_an_attacker_admits_nobody",
            "identity::limits::right_secret_is_not_compared_after_twenty_wrong_ones_from_the_same_address",
        ],
    ),
    (
        14,
        "exhaustion of the password hash",
        &["security::throttling::case_14_concurrent_sign_ins_do_not_block_other_requests"],
    ),
    (
        15,
        "ambiguous forms",
        &["security::headers::case_15_ambiguous_form_returns_invalid_request"],
    ),
    (
        16,
        "malformed organization headers",
        &["gateway::request_guard::organization_header_accepts_only_one_granted_organization"],
    ),
    (
        17,
        "malformed authorization headers",
        &[
            "security::headers::case_17_several_bearer_tokens_are_rejected",
            "gateway::request_guard::invalid_bearer_token_returns_401",
        ],
    ),
    (
        18,
        "request smuggling",
        &[
            "security::transport::case_18_request_smuggling_is_rejected",
            "service::listener::ambiguous_request_framing_is_rejected",
        ],
    ),
    (
        19,
        "hostile JSON bodies",
        &["security::bodies::case_19_hostile_json_is_rejected_at_low_cost"],
    ),
    (
        20,
        "slow connections and floods",
        &[
            "security::transport::case_20_slow_requests_are_closed",
            "security::transport::case_20_http_2_floods_end_only_their_connection",
            "gateway::protocols::undecodable_grpc_message_returns_invalid_argument",
        ],
    ),
    (
        21,
        "login CSRF, session fixation, cookies",
        &[
            "security::browser::case_21_session_fixation_is_prevented",
            "identity::pages::sign_in_form_with_a_foreign_or_expired_csrf_token_is_rejected",
            "identity::pages::https_public_address_sets_host_prefixed_secure_cookies",
        ],
    ),
    (
        22,
        "framing",
        &["identity::pages::sign_in_page_forbids_framing_caching_and_foreign_form_targets"],
    ),
    (
        23,
        "sign-out as an open redirector, logout CSRF",
        &[
            "identity::sign_out::invalid_end_session_request_returns_400_and_keeps_the_session",
            "identity::sign_out::end_session_without_id_token_hint_asks_for_confirmation",
        ],
    ),
    (
        24,
        "authorization by role and its withdrawal",
        &[
            "security::authorization::case_24_each_role_allows_exactly_its_operations",
            "security::authorization::case_24_withdrawn_rights_end_immediately_at_every_process",
            "gateway::identity::administration_operations_require_the_administrator_role",
        ],
    ),
    (
        25,
        "impersonation, tokens of another environment, leaked secrets",
        &[
            "gateway::impersonation::impersonation_of_administrators_outsiders_or_by_impersonators_is_denied",
            "gateway::impersonation::impersonation_token_names_subject_and_actor",
            "identity::pats::production_neither_mints_nor_accepts_pats",
            "security::secrets::case_25_token_of_another_environment_is_rejected",
            "security::production::case_25_production_environment_is_isolated",
            "service::process::log_contains_no_secret_at_any_level",
        ],
    ),
];

#[test]
fn every_security_case_names_existing_tests() {
    for (position, (number, subject, tests)) in CASES.iter().enumerate() {
        assert_eq!(usize::from(*number), position + 1, "{subject}");
        assert!(!tests.is_empty(), "{number}: {subject}");
        for test in *tests {
            assert_test_exists(test, subject);
        }
    }
}
