//! The behavioural suite of the store traits. Every engine runs it unchanged (feature `suite`).
//!
//! A case is a function that takes an empty store of its own and panics when the store does not behave as its trait says.
//! [`storage_suite!`](crate::storage_suite) makes a test of each:
//!
//! ```text
//! async fn open() -> (MyStore, tempfile::TempDir) { … }
//! invoicing_storage::storage_suite!(open, open_again);
//! ```
//!
//! The second element of the pair is dropped after the test. `open_again` opens its database once more, as another process does.

#![allow(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    missing_docs,
    reason = "the cases are tests: their names say the condition and the result, and a panic is a failure"
)]

pub mod applications;
pub mod attempts;
pub mod audit;
pub mod audit_archives;
pub mod authorities;
pub mod authority_answers;
pub mod budgets;
pub mod cached_reads;
pub mod clearance;
pub mod credits;
pub mod directory;
pub mod document_races;
pub mod documents;
pub mod domains;
pub mod epochs;
pub mod failed_attempts;
pub mod fixtures;
pub mod keys;
pub mod known_documents;
pub mod large_documents;
pub mod lists;
pub mod master_data;
pub mod numbers;
pub mod pats;
pub mod payments;
pub mod plans;
pub mod provisioning;
pub mod pushed_requests;
pub mod races;
pub mod rejections;
pub mod reports;
pub mod right_holders;
pub mod rules;
pub mod sessions;
pub mod subjects;
pub mod submission_states;
pub mod tenants;
pub mod tokens;
pub mod transfer;
pub mod user_limits;
pub mod users;
pub mod versions;

/// Makes a `#[tokio::test]` of every case of the suite. `$open` is an async function that returns an empty store and a guard, and
/// `$open_again` one that returns a further store on the database of a guard.
#[macro_export]
macro_rules! storage_suite {
    ($open:ident, $open_again:ident) => {
        $crate::storage_suite! { $open;
            applications {
                application_is_updated_without_its_secret
                application_with_a_taken_client_id_is_not_added
                application_is_changed_by_its_stamp_only
                disabled_application_is_not_found_and_stays_registered
                applications_of_an_organization_are_those_that_it_administers
                rotated_secret_overlaps_with_the_one_before
                retired_secrets_keep_their_own_ends_and_are_bounded
                secret_rotated_by_fifty_overlaps_with_the_bounded_number
                secret_rotated_by_fifty_without_overlap_is_that_of_one
            }
            audit {
                every_kind_of_event_reads_back_as_it_was_recorded
                event_recorded_once_is_not_repeated_within_its_window
                query_returns_the_matching_events_newest_first
                query_pages_continue_after_the_last_event_of_the_page_before
                query_without_events_returns_none
            }
            audit_archives {
                archivable_events_are_the_oldest_up_to_the_latest_before_the_time
                wrong_clock_does_not_keep_later_events_from_being_archived
                recorded_archive_reads_back_and_its_events_are_gone
                archives_are_found_by_the_times_of_their_events
                archive_that_does_not_continue_the_chain_changes_nothing
                one_of_many_concurrent_archives_is_recorded
                positions_of_archivable_events_are_final
            }
            budgets {
                budget_sells_its_capacity_and_then_one_unit_for_each_interval
                units_that_many_buy_at_the_same_time_are_sold_once
                units_in_use_are_those_that_are_not_regained
            }
            credits {
                note_is_related_to_its_original_after_it_is_numbered
                notes_are_related_across_a_note_of_several_originals
                numbering_sees_the_notes_that_were_numbered_before
                notes_numbered_at_the_same_time_see_each_other
                imported_notes_count_and_drafts_do_not
                connected_documents_are_read_up_to_a_limit_the_nearest_first
                debit_note_is_listed_by_its_originals_after_it_is_numbered
                imported_debit_notes_are_listed_up_to_the_limit
            }
            directory {
                setting_keeps_the_value_that_was_written_first
                setting_written_by_many_at_the_same_time_has_one_value
                setting_is_replaced_with_its_event_by_one_who_knows_its_value
                organizations_read_back_ordered_by_id
                organizations_are_found_by_their_ids
                organization_with_a_taken_id_or_domain_is_not_added
                organization_with_one_id_or_domain_is_added_by_one_of_many
                organization_is_found_by_its_domain
                organization_without_a_tenant_has_none
                tenant_reads_back_and_is_not_replaced
                limits_of_a_tenant_change_with_their_event
                operator_is_named_once_with_its_event
                operator_named_by_many_at_the_same_time_is_one
                text_that_no_engine_stores_is_not_found
            }
            documents {
                added_document_reads_back_and_is_counted
                document_of_another_organization_is_not_found
                key_is_taken_by_one_of_many_concurrent_adds
                month_admits_no_document_above_its_limit
                replace_with_a_stale_stamp_changes_nothing
                one_of_many_concurrent_replaces_wins
                attachments_are_written_with_their_document
                deleted_document_keeps_its_history
                history_is_read_in_pages_from_the_newest
            }
            domains {
                domain_is_claimed_verified_made_primary_and_removed
                domain_is_of_the_organization_that_verifies_it_first
                organization_has_a_bounded_number_of_domains
                claim_is_checked_once_in_an_interval
            }
            epochs {
                token_issued_by_a_clock_that_is_ahead_is_invalid_after_a_password_change
                session_begun_by_a_clock_that_is_ahead_has_an_earlier_epoch_after_a_password_change
                family_of_a_clock_that_is_ahead_has_an_earlier_epoch_after_a_password_change
                impersonated_token_is_invalid_after_a_password_change_of_its_actor
                personal_access_token_of_a_clock_that_is_ahead_is_invalid_after_disabling
                epoch_is_incremented_by_each_change_that_is_made
                password_change_that_was_proved_before_a_reset_does_not_undo_it
                one_of_many_password_changes_with_the_same_proof_is_made
                passwords_reset_at_the_same_time_have_an_epoch_each
            }
            keys {
                key_is_added_once_per_algorithm_and_state
                key_is_added_by_one_of_many
                rotation_moves_every_key_one_state_on
                rotation_of_keys_that_were_rotated_changes_nothing
                one_of_many_concurrent_rotations_wins
                key_is_replaced_with_its_event_by_one_who_knows_what_is_stored
            }
            lists {
                pages_of_every_sort_and_direction_join_to_the_whole_list
                filters_select_what_they_say
                summaries_are_the_headers_of_the_documents
                sums_follow_every_write
                skipped_rows_are_left_out
                organizations_do_not_see_each_other
            }
            large_documents {
                page_of_large_documents_ends_early_and_the_next_one_goes_on
                page_from_the_end_of_a_list_ends_early_with_its_first_rows
                history_of_a_large_document_ends_early_with_its_latest_writes
            }
            numbers {
                numbers_have_no_gaps_and_no_doubles_under_concurrency
                refused_number_is_not_used
                numbering_that_is_called_again_gives_one_number
                stale_stamp_takes_no_number
                series_are_independent
                import_raises_the_series_and_adds_no_history
            }
            pats {
                token_reads_back_until_it_expires
                token_with_a_taken_id_is_not_added
                token_of_a_disabled_subject_is_not_found
                token_is_revoked_once
                token_is_revoked_by_one_of_many
                tokens_are_read_in_pages_from_the_newest
                valid_tokens_are_counted
            }
            plans {
                plan_reads_back_and_its_id_is_taken_once
                plan_is_replaced_by_the_one_with_its_stamp
                plans_are_paged_by_id_and_found_by_a_part_of_their_names
                tenant_has_the_limits_of_its_plan_where_it_has_none_of_its_own
                plan_is_assigned_only_in_place_of_the_one_that_the_event_names
                plan_that_a_tenant_has_is_not_deleted
                plan_is_either_assigned_or_deleted
                users_are_people_with_a_role_or_at_home
            }
            provisioning {
                tenant_is_created_with_its_machine_user_and_events
                taken_organization_or_domain_creates_nothing
                profile_is_completed_once
                tenant_is_created_by_one_of_many
                profile_is_completed_by_one_of_many
            }
            pushed_requests {
                pushed_request_reads_back_with_and_without_its_access_token
                pushed_request_is_used_by_one_of_many
                maintenance_removes_pushed_requests_that_expired
            }
            rules {
                published_versions_read_back_and_the_last_is_current
                publication_on_a_former_version_or_basis_changes_nothing
                role_sets_count_subjects_that_are_not_disabled_and_people_who_sign_in
                version_is_published_by_one_of_many
            }
            attempts {
                attempts_without_an_answer_are_the_first_and_the_last
                attempt_that_is_stored_again_changes_nothing
                submission_that_is_not_sent_is_postponed_by_its_holder_without_an_attempt
                submissions_are_read_in_pages_with_their_attempts_newest_first
                backlog_counts_what_has_no_answer_and_names_what_was_sent_most_often
            }
            rejections {
                rejected_document_owes_nothing_until_it_is_issued_again
                rejected_document_that_is_issued_again_keeps_its_number
            }
            reports {
                sums_are_those_of_numbered_documents
                buyers_are_summed_by_currency_the_largest_first
            }
            sessions {
                session_lives_until_it_expires_or_ends
                session_is_signed_in_after_its_pending_step
                maintenance_removes_what_expired_and_nothing_else
            }
            subjects {
                subject_reads_back_by_id_and_by_username
                subject_with_a_taken_id_or_username_is_not_added
                disabled_subject_is_no_member_and_stays_an_account
                password_of_a_machine_user_is_not_set
                grants_are_added_and_removed_once_each
                member_has_the_roles_of_the_current_version
                accounts_are_paged_by_id_within_an_organization
                username_is_taken_by_one_of_many
                grant_is_added_and_removed_by_one_of_many
            }
            submission_states {
                states_of_a_tax_authority_are_those_of_the_latest_submission
            }
            tenants {
                tenant_is_updated_with_its_revision_and_event
                update_with_a_stale_stamp_changes_no_tenant
                tenant_is_updated_by_one_of_many
                tenant_is_disabled_and_enabled_once_each
                organization_becomes_a_tenant_once
                pages_of_organizations_join_to_those_of_the_query
            }
            tokens {
                code_is_redeemed_by_one_of_many
                code_of_a_revoked_family_is_not_redeemed
                refresh_token_is_rotated_by_one_of_fifty
                refresh_token_of_a_revoked_family_is_not_rotated
                reuse_is_recorded_once_and_revokes_the_family_if_asked
                revoked_family_takes_all_its_tokens_along
                access_token_is_valid_until_it_expires_or_is_revoked
                bearer_of_a_disabled_subject_is_not_found
                bearer_issued_before_a_password_change_is_not_found
                bearer_needs_its_actor
                access_token_on_an_assumed_basis_is_outdated_after_a_change
                direct_authorization_stores_its_tokens
                tokens_of_one_millisecond_and_bucket_are_each_found
            }
            users {
                invited_person_sets_a_password_once
                code_ends_with_its_time_and_with_every_change_of_the_account
                user_with_a_taken_id_or_username_is_not_invited
                users_of_an_organization_are_listed_by_username
                last_administrator_keeps_the_role_and_is_not_disabled
                roles_of_sign_in_are_those_of_people_who_can_sign_in
            }
            versions {
                change_of_the_directory_increments_the_version
                change_of_a_subject_increments_the_version
                change_of_an_application_increments_the_version
                change_of_a_plan_increments_the_version
                change_by_an_organization_increments_the_version
                write_of_a_record_that_is_not_cached_keeps_the_version
            }
        }
        $crate::storage_suite! { $open, $open_again;
            cached_reads {
                member_has_every_role_that_its_basis_includes
                member_has_no_role_that_was_removed_before_its_basis
                member_has_the_epoch_of_its_basis_while_the_password_changes
                tenant_has_the_limits_of_its_basis_while_they_change
                assumed_basis_is_the_one_that_was_read_last
                data_version_is_another_one_after_a_commit_of_any_process
            }
            right_holders {
                last_administrator_is_who_the_rules_make_one
                last_who_manages_the_rules_keeps_what_is_needed_for_it
                rule_managers_who_remove_one_another_leave_one
                role_is_not_revoked_by_rules_of_before
            }
            user_limits {
                people_together_do_not_exceed_the_limit
                person_is_enabled_within_the_limit_of_each_organization
                person_who_is_enabled_and_gets_a_role_meanwhile_is_within_its_limit
            }
            authorities {
                authority_is_stored_by_one_of_many_with_its_event
            }
            clearance {
                submission_is_stored_with_the_number_and_due_at_once
                due_submission_is_claimed_by_one_of_many_processes
                due_submission_of_an_excluded_organization_is_left
                claim_of_its_creator_keeps_others_from_sending
                claim_ends_with_its_process_or_by_its_time
                first_answer_decides_whoever_holds_the_claim
            }
            document_races {
                numbers_of_many_processes_have_no_gaps_and_no_doubles
                document_is_replaced_by_one_of_many_processes
                notes_of_many_processes_do_not_exceed_their_original
                month_of_many_processes_admits_no_document_above_its_limit
                limit_counts_what_was_added_without_one
                buyer_is_found_after_many_processes_added_it_at_once
                sums_are_those_of_the_documents_after_races
            }
            failed_attempts {
                attempts_of_many_processes_are_each_counted
                attempts_are_forgotten_together_or_one_by_one
                attempts_of_a_clock_that_was_set_back_keep_nobody_out
                attempts_leave_nothing_when_they_are_forgotten
            }
            master_data {
                added_record_reads_back_with_its_history_and_event
                identifier_is_that_of_one_record
                one_of_many_processes_adds_a_key_and_an_identifier
                search_finds_beginnings_of_words_most_recently_used_first
            }
            payments {
                numbered_invoice_is_receivable_without_what_notes_gave_back
                payments_at_the_same_time_never_exceed_what_is_open
                payment_is_voided_by_one_of_many_and_stays_in_the_list
                entry_of_a_slow_clock_follows_those_that_are_stored
                note_owes_the_buyer_what_its_originals_do_not_ask_for
                refunds_at_the_same_time_never_exceed_what_the_buyer_gets_back
            }
            races {
                administrators_who_remove_one_another_leave_one
                password_code_is_redeemed_by_one_of_many_processes
                invitation_is_either_accepted_or_renewed
                application_is_changed_by_one_of_many_processes
                authorization_is_seen_by_every_process
                burst_of_access_tokens_is_stored_whole
                code_is_redeemed_by_one_of_many_processes
                event_recorded_once_by_many_processes_is_one
                refresh_tokens_of_a_chain_are_rotated_by_one_of_many_processes
                reuse_is_recorded_once_by_many_processes
                rotation_leaves_no_living_token_when_its_family_is_revoked_meanwhile
            }
        }
    };
    ($open:ident, $open_again:ident; $($module:ident { $($case:ident)* })*) => {$(
        mod $module {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let (first, guard) = super::$open().await;
                    let mut stores = vec![first];
                    while stores.len() < $crate::suite::$module::HANDLES {
                        stores.push(super::$open_again(&guard).await);
                    }
                    let stores: Vec<_> = stores.iter().map(|store| store as &dyn $crate::Store).collect();
                    $crate::suite::$module::$case(&stores).await;
                }
            )*
        }
    )*};
    ($open:ident; $($module:ident { $($case:ident)* })*) => {$(
        mod $module {
            $(
                #[tokio::test]
                async fn $case() {
                    let (store, _guard) = super::$open().await;
                    $crate::suite::$module::$case(&store).await;
                }
            )*
        }
    )*};
}
