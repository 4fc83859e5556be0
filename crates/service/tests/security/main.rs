//! The list of an attacker: twenty-five cases over the wire, each with the tests that hold it.
//!
//! A case is named by its number and subject. Most have their test here, by theme; where another file's test already is the
//! case, the list names it.

#[path = "../common/mod.rs"]
mod common;
#[path = "../gateway/mod.rs"]
mod gateway;

mod bodies;
mod browser;
mod codes;
mod guessing;
mod headers;
mod production;
mod secrets;
mod standing;
mod tokens;
mod transport;

use std::path::Path;

/// Number, subject, and the tests that hold it: in this folder, or as `file::test` elsewhere.
const CASES: [(u8, &str, &[&str]); 25] = [
    (
        1,
        "a code replayed",
        &["identity_codes::a_code_presented_twice_gives_nothing_and_revokes_what_it_gave"],
    ),
    (
        2,
        "a code exchanged by many at once",
        &["identity_codes::of_twenty_who_redeem_one_code_at_once_at_most_one_gets_tokens"],
    ),
    (
        3,
        "a code with another application or address",
        &["identity_codes::a_code_is_good_for_its_application_its_address_and_its_verifier_only"],
    ),
    (
        4,
        "proof key for code exchange",
        &["case_04_pkce_cannot_be_left_out_weakened_or_downgraded"],
    ),
    (
        5,
        "redirect addresses that are almost right",
        &["case_05_only_the_exact_redirect_address_is_used"],
    ),
    (
        6,
        "an application or address that is not known",
        &["identity_codes::without_a_known_application_and_its_address_nothing_redirects"],
    ),
    (
        7,
        "a refresh token used again",
        &[
            "identity_refresh::a_used_refresh_token_is_dead_and_its_successor_lives",
            "identity_refresh::an_application_can_have_all_of_a_sign_in_revoked_when_a_used_token_comes_back",
        ],
    ),
    (
        8,
        "a refresh token used by many at once",
        &[
            "identity_refresh::of_fifty_refreshes_at_once_exactly_one_succeeds",
            "service_replicas::of_fifty_refreshes_at_two_processes_exactly_one_succeeds",
        ],
    ),
    (
        9,
        "a refresh that asks for more, for another, or too late",
        &[
            "identity_refresh::a_refresh_can_narrow_its_scopes_but_not_widen_them",
            "identity_refresh::another_application_cannot_use_or_revoke_it",
            "identity_upkeep::a_disabled_account_is_locked_out_at_once_everywhere",
        ],
    ),
    (
        10,
        "introspection as an oracle",
        &[
            "case_10_introspection_says_the_same_of_everything_it_does_not_tell",
            "identity_pats::it_ends_when_it_is_revoked_or_old_or_its_user_is_disabled",
        ],
    ),
    (
        11,
        "forged hints",
        &["case_11_a_hint_is_signed_by_us_or_worth_nothing"],
    ),
    (
        12,
        "timing of what is unknown and what is wrong",
        &["case_12_an_unknown_account_takes_as_long_as_a_wrong_password"],
    ),
    (
        13,
        "guessing",
        &[
            "identity_guessing::guessing_is_slowed_down_here_and_only_here",
            "identity_guessing::trying_many_accounts_from_one_address_is_slowed_down_too",
            "identity_guessing::many_guesses_at_once_are_counted_one_by_one",
        ],
    ),
    (
        14,
        "exhausting the password hash",
        &["case_14_many_sign_ins_at_once_leave_the_rest_working"],
    ),
    (
        15,
        "forms that can be read in two ways",
        &["case_15_a_form_can_be_read_in_one_way_only"],
    ),
    (
        16,
        "odd organization headers",
        &["gateway_gate::only_one_granted_organization_can_be_targeted"],
    ),
    (
        17,
        "odd authorization headers",
        &[
            "case_17_one_bearer_token_in_one_place",
            "gateway_gate::anything_but_one_valid_bearer_token_is_401",
        ],
    ),
    (
        18,
        "smuggled requests",
        &[
            "case_18_a_request_has_one_end_and_one_host",
            "service_http::a_request_that_could_be_read_in_two_ways_is_refused",
        ],
    ),
    (
        19,
        "bodies made to hurt",
        &["case_19_deep_wide_and_odd_json_is_refused_cheaply"],
    ),
    (
        20,
        "slow and flooding connections",
        &[
            "case_20_slow_headers_and_slow_bodies_are_let_go",
            "case_20_floods_of_http_2_frames_end_their_connection_only",
            "gateway_protocols::a_message_that_does_not_decode_is_the_callers_mistake",
        ],
    ),
    (
        21,
        "sign-in across sites, fixed sessions, cookies",
        &[
            "case_21_a_session_brought_along_is_not_taken",
            "identity_pages::a_form_from_elsewhere_or_from_long_ago_signs_nobody_in",
            "identity_pages::behind_a_proxy_with_tls_cookies_are_locked_to_the_host",
        ],
    ),
    (
        22,
        "framing",
        &["identity_pages::the_page_cannot_be_framed_cached_or_made_to_send_its_form_elsewhere"],
    ),
    (
        23,
        "sign-out as a redirector or across sites",
        &[
            "identity_sign_out::what_does_not_fit_neither_signs_out_nor_redirects",
            "identity_sign_out::without_an_id_token_the_person_is_asked",
        ],
    ),
    (
        24,
        "rights: what a role gives, and how soon it is gone",
        &[
            "case_24_a_role_gives_what_its_row_says_at_once_and_nothing_else",
            "case_24_what_was_taken_away_is_gone_at_once_at_every_process",
            "gateway_identity::only_administrators_administer",
        ],
    ),
    (
        25,
        "impersonation, tokens of another environment, and secrets that leak",
        &[
            "gateway_identity::there_is_no_chain_no_administrator_and_nobody_of_another_organization_behind_it",
            "gateway_identity::whoever_is_impersonated_is_named_with_who_acts",
            "identity_pats::production_neither_mints_nor_takes_one_wherever_it_came_from",
            "case_25_a_token_of_another_environment_is_nothing_here",
            "case_25_production_set_up_by_hand_keeps_to_itself",
            "service_process::no_secret_is_in_the_log_however_much_is_logged",
        ],
    ),
];

#[test]
fn every_case_names_tests_that_exist() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let here: String = std::fs::read_dir(folder.join("security"))
        .unwrap()
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    for (position, (number, subject, tests)) in CASES.iter().enumerate() {
        assert_eq!(usize::from(*number), position + 1, "{subject}");
        assert!(!tests.is_empty(), "{number}: {subject}");
        for test in *tests {
            let (source, name) = match test.split_once("::") {
                Some((file, name)) => {
                    let file = folder.join(format!("{file}.rs"));
                    (std::fs::read_to_string(file).unwrap_or_default(), name)
                }
                None => (here.clone(), *test),
            };
            assert!(source.contains(&format!("fn {name}(")), "{number}: {test}");
        }
    }
}
