//! The list of an attacker: twenty-five cases over the wire, each with the tests that hold it.
//!
//! A case is named by its number and subject. Most have their test here, by theme; where another file's test already is the
//! case, the list names it.

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

/// Number, subject, and the tests that hold it: by its path in this test binary.
const CASES: [(u8, &str, &[&str]); 25] = [
    (
        1,
        "a code replayed",
        &["identity::codes::a_code_presented_twice_gives_nothing_and_revokes_what_it_gave"],
    ),
    (
        2,
        "a code exchanged by many at once",
        &["identity::codes::of_twenty_who_redeem_one_code_at_once_at_most_one_gets_tokens"],
    ),
    (
        3,
        "a code with another application or address",
        &["identity::codes::a_code_is_good_for_its_application_its_address_and_its_verifier_only"],
    ),
    (
        4,
        "proof key for code exchange",
        &["security::codes::case_04_pkce_cannot_be_left_out_weakened_or_downgraded"],
    ),
    (
        5,
        "redirect addresses that are almost right",
        &["security::codes::case_05_only_the_exact_redirect_address_is_used"],
    ),
    (
        6,
        "an application or address that is not known",
        &["identity::codes::without_a_known_application_and_its_address_nothing_redirects"],
    ),
    (
        7,
        "a refresh token used again",
        &[
            "identity::refresh::a_used_refresh_token_is_dead_and_its_successor_lives",
            "identity::refresh::an_application_can_have_all_of_a_sign_in_revoked_when_a_used_token_comes_back",
        ],
    ),
    (
        8,
        "a refresh token used by many at once",
        &[
            "identity::refresh::of_fifty_refreshes_at_once_exactly_one_succeeds",
            "service::replicas::of_fifty_refreshes_at_two_processes_exactly_one_succeeds",
        ],
    ),
    (
        9,
        "a refresh that asks for more, for another, or too late",
        &[
            "identity::refresh::a_refresh_can_narrow_its_scopes_but_not_widen_them",
            "identity::refresh::another_application_cannot_use_or_revoke_it",
            "identity::maintenance::a_disabled_account_is_locked_out_at_once_everywhere",
        ],
    ),
    (
        10,
        "introspection as an oracle",
        &[
            "security::tokens::case_10_introspection_says_the_same_of_everything_it_does_not_tell",
            "identity::pats::it_ends_when_it_is_revoked_or_old_or_its_user_is_disabled",
        ],
    ),
    (
        11,
        "forged hints",
        &["security::tokens::case_11_a_hint_is_signed_by_us_or_worth_nothing"],
    ),
    (
        12,
        "timing of what is unknown and what is wrong",
        &["security::throttling::case_12_an_unknown_account_takes_as_long_as_a_wrong_password"],
    ),
    (
        13,
        "guessing",
        &[
            "identity::throttling::guessing_is_slowed_down_here_and_only_here",
            "identity::throttling::trying_many_accounts_from_one_address_is_slowed_down_too",
            "identity::throttling::many_guesses_at_once_are_counted_one_by_one",
        ],
    ),
    (
        14,
        "exhausting the password hash",
        &["security::throttling::case_14_many_sign_ins_at_once_leave_the_rest_working"],
    ),
    (
        15,
        "forms that can be read in two ways",
        &["security::headers::case_15_a_form_can_be_read_in_one_way_only"],
    ),
    (
        16,
        "odd organization headers",
        &["gateway::request_guard::only_one_granted_organization_can_be_targeted"],
    ),
    (
        17,
        "odd authorization headers",
        &[
            "security::headers::case_17_one_bearer_token_in_one_place",
            "gateway::request_guard::anything_but_one_valid_bearer_token_is_401",
        ],
    ),
    (
        18,
        "smuggled requests",
        &[
            "security::transport::case_18_a_request_has_one_end_and_one_host",
            "service::listener::a_request_that_could_be_read_in_two_ways_is_refused",
        ],
    ),
    (
        19,
        "bodies made to hurt",
        &["security::bodies::case_19_deep_wide_and_odd_json_is_refused_cheaply"],
    ),
    (
        20,
        "slow and flooding connections",
        &[
            "security::transport::case_20_slow_headers_and_slow_bodies_are_let_go",
            "security::transport::case_20_floods_of_http_2_frames_end_their_connection_only",
            "gateway::protocols::a_message_that_does_not_decode_is_the_callers_mistake",
        ],
    ),
    (
        21,
        "sign-in across sites, fixed sessions, cookies",
        &[
            "security::browser::case_21_a_session_brought_along_is_not_taken",
            "identity::pages::a_form_from_elsewhere_or_from_long_ago_signs_nobody_in",
            "identity::pages::behind_a_proxy_with_tls_cookies_are_locked_to_the_host",
        ],
    ),
    (
        22,
        "framing",
        &["identity::pages::the_page_cannot_be_framed_cached_or_made_to_send_its_form_elsewhere"],
    ),
    (
        23,
        "sign-out as a redirector or across sites",
        &[
            "identity::sign_out::what_does_not_fit_neither_signs_out_nor_redirects",
            "identity::sign_out::without_an_id_token_the_person_is_asked",
        ],
    ),
    (
        24,
        "rights: what a role gives, and how soon it is gone",
        &[
            "security::authorization::case_24_a_role_gives_what_its_row_says_at_once_and_nothing_else",
            "security::authorization::case_24_what_was_taken_away_is_gone_at_once_at_every_process",
            "gateway::identity::only_administrators_administer",
        ],
    ),
    (
        25,
        "impersonation, tokens of another environment, and secrets that leak",
        &[
            "gateway::identity::there_is_no_chain_no_administrator_and_nobody_of_another_organization_behind_it",
            "gateway::identity::whoever_is_impersonated_is_named_with_who_acts",
            "identity::pats::production_neither_mints_nor_takes_one_wherever_it_came_from",
            "security::secrets::case_25_a_token_of_another_environment_is_nothing_here",
            "security::production::case_25_production_set_up_by_hand_keeps_to_itself",
            "service::process::no_secret_is_in_the_log_however_much_is_logged",
        ],
    ),
];

#[test]
fn every_case_names_tests_that_exist() {
    for (position, (number, subject, tests)) in CASES.iter().enumerate() {
        assert_eq!(usize::from(*number), position + 1, "{subject}");
        assert!(!tests.is_empty(), "{number}: {subject}");
        for test in *tests {
            assert_test_exists(test, subject);
        }
    }
}
