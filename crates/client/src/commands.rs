//! The one list of commands. The shell and `ui-host` both expand it, so a command that either lacks does not compile,
//! and the TypeScript bindings come from it.

/// Calls `$expand!` with every command: its documentation, name, arguments and what it returns when it succeeds.
///
/// Every command is a method of the same name on `Desktop`, which takes the calling window first, and fails with a
/// [`CommandError`](crate::views::CommandError). Types are those of [`views`](crate::views), which the place of expansion imports.
#[macro_export]
macro_rules! for_each_command {
    ($expand:ident) => {
        $expand! {
            /// The environments that can be signed in to, the embedded local one first.
            environments() -> Vec<EnvironmentView>;
            /// Adds an environment, checked. Its name must not be taken.
            add_environment(config: EnvironmentConfig) -> ();
            /// Describes the environment of that name anew. Nobody may be signed in to it.
            change_environment(config: EnvironmentConfig) -> ();
            /// Forgets an environment; drafts that belong to it stay. Nobody may be signed in to it.
            remove_environment(environment: String) -> ();
            /// What the window shows beside its data: answers at once if it has changed since `after`, else when it
            /// changes, or unchanged after 25 seconds. `after` is 0 at first, then the revision of the last answer.
            watch(after: u32) -> Snapshot;

            /// Opens the system browser on the sign-in page of an environment.
            start_sign_in(environment: String) -> ();
            /// Opens the browser again for the attempt that waits.
            open_browser_again() -> ();
            /// Starts the attempt anew with an address of this computer as the way back.
            use_loopback() -> ();
            /// Takes the address that the browser ended on, pasted by hand.
            paste_callback(address: String) -> ();
            /// Gives the waiting attempt up.
            cancel_sign_in() -> ();
            /// Forgets the session here and ends it at the identity provider.
            sign_out() -> ();
            /// Tries the keyring again, after it was locked or absent.
            unlock_vault() -> ();

            /// The organizations of the verified roles claim, home first, then by name.
            organizations() -> Vec<OrganizationView>;
            /// Signs in again silently in the browser, because only a new id_token tells of new grants.
            refresh_organizations() -> ();
            /// Binds this window to an organization. Every later command must name it with the returned generation.
            switch_organization(organization: String) -> Place;
            /// Gives an organization a name of one's own on this computer, or takes it away.
            name_organization(organization: String, alias: Option<String>) -> ();

            /// A page of invoices with the sums of the whole filter.
            list_invoices(at: Place, query: InvoiceQuery) -> InvoicePage;
            /// One invoice whole.
            get_invoice(at: Place, key: String) -> InvoiceView;
            /// Totals, tax and everything wrong with a content, without asking the service.
            calculate(at: Place, content: InvoiceContent) -> Calculation;
            /// Numbers a draft.
            issue_document(at: Place, key: String, stamp: String) -> InvoiceView;
            /// Closes an issued invoice for good.
            freeze_invoice(at: Place, key: String, stamp: String) -> InvoiceView;

            /// What was typed here and is not at the service yet, newest first.
            drafts(at: Place) -> Vec<DraftSummary>;
            /// A new, empty draft with a key of its own, dated today; or one that starts from `content`.
            new_draft(at: Place, content: Option<InvoiceContent>) -> Draft;
            /// One draft.
            open_draft(at: Place, key: String) -> Draft;
            /// Keeps a draft, encrypted, before it answers.
            save_draft(at: Place, draft: Draft) -> ();
            /// Sends a draft as it is kept: as a simple invoice, as a document where that cannot hold it, or as a change of
            /// the document that it was made from. Once it has arrived it is a draft no more.
            send_draft(at: Place, key: String) -> InvoiceView;
            /// Deletes a draft.
            discard_draft(at: Place, key: String) -> ();
            /// Asks the service whether a write arrived whose answer was lost. `None`: it did not.
            check_outcome(at: Place, key: String) -> Option<InvoiceView>;

            /// Lets a waiting retry go now.
            try_now(wait: u32) -> ();
            /// Gives a waiting retry up: its command fails with the error it waits on.
            stop_waiting(wait: u32) -> ();

            /// Language, theme and digits.
            preferences() -> Preferences;
            /// Keeps language, theme and digits.
            save_preferences(preferences: Preferences) -> ();
        }
    };
}
