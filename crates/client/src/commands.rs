//! The list of commands. The shell and `ui-host` expand it, so that a command without a method does not compile, and the
//! TypeScript bindings are generated from it.

/// Calls `$expand!` with every command: its documentation, name, arguments and what it returns when it succeeds.
///
/// Every command is a method of the same name on `Desktop`, which takes the calling window first, and fails with a
/// [`CommandError`](crate::views::CommandError). Types are those of [`views`](crate::views),
/// which the file that expands the list imports.
#[macro_export]
macro_rules! for_each_command {
    ($expand:ident) => {
        $expand! {
            /// The environments that can be signed in to, the embedded local one first.
            environments() -> Vec<EnvironmentView>;
            /// Adds an environment after checking it. Its name must be unused.
            add_environment(config: EnvironmentConfig) -> ();
            /// Replaces the configuration of the environment of that name. Nobody may be signed in to it.
            change_environment(config: EnvironmentConfig) -> ();
            /// Removes an environment; its drafts stay. Nobody may be signed in to it.
            remove_environment(environment: String) -> ();
            /// Takes each step to the servers of an environment and tells what it finds: proxy, DNS, TCP, TLS, HTTP, discovery,
            /// clock.
            diagnose(environment: String) -> Diagnosis;
            /// The state of session, binding and pending retries, as a long poll: answers when the revision differs from
            /// `after`, or unchanged after 25 seconds. `after` is 0 at first, then the revision of the last answer. It
            /// only reads.
            watch(after: u32) -> Snapshot;

            /// Opens the system browser on the sign-in page of an environment.
            start_sign_in(environment: String) -> ();
            /// As `start_sign_in`, for a session that is not stored and ends with the program.
            start_sign_in_once(environment: String) -> ();
            /// The accounts that are remembered on this computer, the one that was used last first.
            accounts() -> Vec<AccountView>;
            /// Makes another account the active one, without signing in again. The present session stays remembered.
            switch_account(account: String) -> ();
            /// What only this computer has of an account: drafts, templates, files that wait.
            account_data(account: String) -> AccountData;
            /// Deletes all that this computer has of an account: session, cached answers, names, drafts, templates, files that
            /// wait. `agreed` is what the user has agreed to. False: there is more or less by now, and nothing was deleted.
            purge_account(account: String, agreed: AccountData) -> bool;
            /// Opens the browser again for the sign-in in progress.
            open_browser_again() -> ();
            /// Restarts the sign-in with a loopback redirect (RFC 8252, section 7.3).
            use_loopback() -> ();
            /// Handles the callback address that the user copied from the browser.
            paste_callback(address: String) -> ();
            /// Cancels the sign-in in progress.
            cancel_sign_in() -> ();
            /// Ends the session on this computer and at the identity provider.
            sign_out() -> ();
            /// Asks at once whether there is a connection, while the session is offline.
            reconnect() -> ();
            /// Tries the keyring again after it could not be used.
            unlock_vault() -> ();

            /// The organizations of the verified roles claim, pinned ones first, then home, then by name.
            organizations() -> Vec<OrganizationView>;
            /// Signs in again in the browser without a prompt: only a new id_token has new role grants.
            refresh_organizations() -> ();
            /// Reads the names of the user's organizations from the service. They are in `organizations` then.
            read_organization_names(binding: WindowBinding) -> ();
            /// Binds this window to an organization. Every later command about its data carries the returned binding.
            switch_organization(organization: OrganizationId) -> WindowBinding;
            /// Opens another window for an organization.
            new_window(organization: OrganizationId) -> ();
            /// Shows the menu bar of the application, if this window has the focus. False: the system has none.
            show_menu(menu: ApplicationMenu) -> bool;
            /// The next command that was chosen in the menu bar for this window. `None`: there is none.
            take_menu_choice() -> Option<String>;
            /// Ends the program. The windows that are open now are opened again by the next start.
            quit() -> ();
            /// Tells the user by a notification of the system, while no window of the organization has the focus, if the preferences
            /// want it. What has the same id is told once.
            notify(organization: OrganizationId, notice: Notice) -> ();
            /// Where a link leads that was followed outside of the windows and waits for this one. `None`: there is none.
            take_link() -> Option<LinkTarget>;
            /// Where a text leads that may be a link to a document, or its key. Nothing is opened.
            read_link(binding: WindowBinding, text: String) -> LinkTarget;
            /// Opens the document of a link in a window of its organization, which is opened if there is none.
            open_link(address: String) -> ();
            /// What was chosen last in the command palette of the organization, the last one first.
            palette_recents(binding: WindowBinding) -> Vec<String>;
            /// Notes that an entry of the command palette was chosen.
            remember_palette_entry(binding: WindowBinding, entry: String) -> ();
            /// Sets or removes the name that an organization has on this computer.
            set_organization_alias(organization: OrganizationId, alias: Option<String>) -> ();
            /// Pins an organization on this computer, behind the others that are pinned, or unpins it.
            set_organization_pinned(organization: OrganizationId, pinned: bool) -> ();

            /// A page of invoices with the totals of the whole filter.
            list_invoices(binding: WindowBinding, query: InvoiceQuery) -> InvoicePage;
            /// What a list of documents in these currencies, or in any, would refuse in the amounts of its filter, as they were typed.
            check_amounts(binding: WindowBinding, from: String, to: String, currency: Vec<String>) -> Vec<Violation>;
            /// One whole invoice.
            get_invoice(binding: WindowBinding, key: DocumentKey) -> InvoiceView;
            /// Totals, tax and all violations of a content, computed by the client.
            calculate(binding: WindowBinding, content: InvoiceContent) -> Calculation;
            /// How each amount of a content is computed: rule, inputs, and the value before rounding.
            explain(binding: WindowBinding, content: InvoiceContent) -> Vec<ExplanationStep>;
            /// The net price of a price that was typed with tax, so that the line comes to exactly that with its tax.
            net_price(binding: WindowBinding, price: String, line: LineContent, currency: String) -> NetPrice;
            /// What a note corrects, the credit notes of a document, and how much may still be given back.
            get_relations(binding: WindowBinding, key: DocumentKey) -> DocumentRelations;
            /// A page of the revisions of a document, newest first. The first page has an empty token.
            get_history(binding: WindowBinding, key: DocumentKey, page: String) -> HistoryPage;
            /// Issues a draft document: the service numbers it.
            issue_document(binding: WindowBinding, key: DocumentKey, stamp: ConcurrencyStamp) -> InvoiceView;
            /// What the tax authority says about a document as it was issued last. `None`: it was not sent to one.
            get_submission(binding: WindowBinding, key: DocumentKey) -> Option<SubmissionView>;
            /// Sends a document without an answer to the tax authority at once.
            retry_submission(binding: WindowBinding, key: DocumentKey) -> ();
            /// Freezes an issued document: it becomes immutable.
            freeze_document(binding: WindowBinding, key: DocumentKey, stamp: ConcurrencyStamp) -> InvoiceView;
            /// Deletes a document without a number from the service, and the files that wait for it on this computer.
            delete_document(binding: WindowBinding, key: DocumentKey, stamp: ConcurrencyStamp) -> ();

            /// Saves a document as a file that the user chooses, and returns its name. `None`: the user chose none.
            save_document(binding: WindowBinding, key: DocumentKey, format: DocumentFormat, language: PrintLanguage) -> Option<String>;
            /// The attachments of a document, also of a draft that the service does not have yet.
            list_attachments(binding: WindowBinding, key: DocumentKey) -> AttachmentsView;
            /// The files of the organization that wait on this computer for documents which the service does not have any more.
            list_files_without_document(binding: WindowBinding) -> Vec<FileWithoutDocument>;
            /// Attaches a file. It is kept on this computer, encrypted, until the service has it.
            add_attachment(binding: WindowBinding, key: DocumentKey, file: AttachmentFile) -> AttachmentsView;
            /// Sends the files that wait for a document.
            send_attachments(binding: WindowBinding, key: DocumentKey) -> AttachmentsView;
            /// Saves an attachment as a file that the user chooses, and returns its name. `None`: the user chose none.
            save_attachment(binding: WindowBinding, key: DocumentKey, attachment: String) -> Option<String>;
            /// Removes an attachment of a document that can be edited.
            remove_attachment(binding: WindowBinding, key: DocumentKey, attachment: String) -> AttachmentsView;
            /// The first pages of a document as they are printed, as many as `pages` at the most. A document without a number
            /// is marked as a draft.
            print_document(binding: WindowBinding, key: DocumentKey, stamp: ConcurrencyStamp, language: PrintLanguage, pages: u32) -> PrintedPages;
            /// The same of what is typed in a draft, marked as a draft.
            print_draft(binding: WindowBinding, draft: Draft, language: PrintLanguage, pages: u32) -> PrintedPages;

            /// The next of the files that the system asked this program to open in this window. `None`: there is none.
            take_opened_file() -> Option<OpenedFile>;
            /// Reads an invoice file of another program, UBL, Cross Industry Invoice or a PDF with one inside, in Base64. Nothing
            /// of it is kept.
            read_invoice_file(binding: WindowBinding, content: String) -> FileReading;
            /// What a new document may repeat: the same kind, buyer and total within seven days. Without a connection, of this computer.
            similar_documents(binding: WindowBinding, key: DocumentKey, content: InvoiceContent) -> SimilarDocuments;
            /// What a new document begins with, by the country of the organization.
            document_defaults(binding: WindowBinding) -> DocumentDefaults;
            /// The tax number of the organization, as its newest document has it; empty if it is not known.
            seller_tax_id(binding: WindowBinding) -> String;

            /// Remembered buyers whose words begin with those of the text, most recently used first; without a text the most
            /// recently used.
            search_parties(binding: WindowBinding, text: String) -> Vec<PartyView>;
            /// The remembered buyer with the tax id of this one, or with its name if it has none.
            known_party(binding: WindowBinding, buyer: BuyerContent) -> Option<PartyView>;
            /// Why a buyer may be the wrong one for the organization. No other organization is asked. `None`: there is no doubt.
            buyer_doubt(binding: WindowBinding, buyer: BuyerContent) -> Option<BuyerDoubt>;
            /// Remembered items whose words begin with those of the text, most recently used first; without a text the most
            /// recently used.
            search_items(binding: WindowBinding, text: String) -> Vec<ItemView>;
            /// Price and tax of an item in the latest document of a buyer. `None`: it has not bought the item.
            last_price(binding: WindowBinding, item: String, party: String) -> Option<PriceView>;
            /// Remembers buyer and items of a document, unless they are remembered, and tells what it says otherwise than is remembered
            /// of them. `due_terms` have given its due date.
            remember_document(binding: WindowBinding, key: DocumentKey, due_terms: Option<DueTerms>) -> RememberedDifferences;
            /// Changes what is remembered of a buyer, if it is as the user has seen it. Returns it as it is then.
            update_party(binding: WindowBinding, change: PartyChange) -> PartyView;
            /// Changes what is remembered of an item, if it is as the user has seen it. Returns it as it is then.
            update_item(binding: WindowBinding, change: ItemChange) -> ItemView;
            /// Takes a remembered buyer out of the suggestions, or back among them. Returns it as it is then.
            set_party_archived(binding: WindowBinding, party: String, stamp: String, archived: bool) -> PartyView;
            /// Takes a remembered item out of the suggestions, or back among them. Returns it as it is then.
            set_item_archived(binding: WindowBinding, item: String, stamp: String, archived: bool) -> ItemView;

            /// The payments of a document, and what is open of it.
            payments(binding: WindowBinding, key: DocumentKey) -> PaymentsView;
            /// A payment to record, with a key of its own: of today, of all that is open.
            new_payment(binding: WindowBinding, key: DocumentKey) -> NewPayment;
            /// Records a payment of a document. A repeated attempt with the same key records it once.
            record_payment(binding: WindowBinding, payment: NewPayment) -> PaymentsView;
            /// Voids a payment by an entry of the opposite amount.
            void_payment(binding: WindowBinding, key: DocumentKey, payment: String, reason: String) -> PaymentsView;

            /// What a bulk run over a selection would do: how many documents, and their sums.
            plan_bulk_run(binding: WindowBinding, action: BulkAction, selection: DocumentSelection) -> BulkPlan;
            /// Checks a part of a selection, from the position `skip` on, for what the service would refuse to issue. Nothing is written.
            check_bulk_issue(binding: WindowBinding, selection: DocumentSelection, skip: u32) -> BulkCheck;
            /// Starts issuing the drafts of a selection. Nothing is done if it is not what the user has confirmed.
            issue_documents(binding: WindowBinding, selection: DocumentSelection, confirmed: BulkPlan) -> BulkRun;
            /// Starts freezing the issued documents of a selection. Nothing is done if it is not what the user has confirmed.
            freeze_documents(binding: WindowBinding, selection: DocumentSelection, confirmed: BulkPlan) -> BulkRun;
            /// Starts saving the documents of a selection as files in a folder that the user chooses. `None`: the user chose none.
            save_documents(binding: WindowBinding, format: DocumentFormat, language: PrintLanguage, selection: DocumentSelection, confirmed: BulkPlan) -> Option<BulkRun>;
            /// The bulk runs of the organization that were not closed, the newest first, also of an earlier start.
            bulk_runs(binding: WindowBinding) -> Vec<BulkRun>;
            /// The bulk runs and exports of the account since the start, of all its organizations: somebody waits for their ends (decision 0144).
            account_work() -> Vec<OrganizationWork>;
            /// A page of the documents of a bulk run with their outcomes, or of those that failed.
            bulk_results(binding: WindowBinding, run: String, failed: bool, skip: u32, page_size: u32) -> BulkResultPage;
            /// Stops a bulk run after its present batch, or after the files that it is writing.
            stop_bulk_run(binding: WindowBinding, run: String) -> ();
            /// Goes on with a bulk run that was stopped or interrupted.
            continue_bulk_run(binding: WindowBinding, run: String) -> ();
            /// Forgets a bulk run that does not run. What it has done stays done.
            close_bulk_run(binding: WindowBinding, run: String) -> ();

            /// Exports a selection to a file that the user chooses. `None`: the user chose none.
            export_documents(binding: WindowBinding, selection: DocumentSelection, options: ExportOptions, total: u32) -> Option<Export>;
            /// The exports of the organization since the start, and those that its last end has interrupted, the newest first.
            exports(binding: WindowBinding) -> Vec<Export>;
            /// Starts an export again that was interrupted, cancelled or failed, to the same file. `None`: there is none such.
            restart_export(binding: WindowBinding, id: u32) -> Option<Export>;
            /// Cancels an export. Nothing of it stays on the disk.
            cancel_export(binding: WindowBinding, id: u32) -> ();
            /// Forgets an export that has ended. Its file stays.
            close_export(binding: WindowBinding, id: u32) -> ();

            /// The saved views and columns of the organization's list on this computer.
            list_settings(binding: WindowBinding) -> ListSettings;
            /// Saves views and columns of the organization's list on this computer.
            save_list_settings(binding: WindowBinding, settings: ListSettings) -> ();

            /// The drafts of the organization, newest first.
            drafts(binding: WindowBinding) -> Vec<DraftSummary>;
            /// How many drafts each organization of the account has on this computer, after those were made that its schedules made due;
            /// those without any are left out. It asks no service, and changes no binding (decision 0135).
            draft_counts() -> Vec<DraftCount>;
            /// A new draft with a key of its own: with this content, or empty and dated today, which its first input writes (decision 0193).
            new_draft(binding: WindowBinding, content: Option<InvoiceContent>) -> Draft;
            /// One draft, taken out of the outbox. It is edited in this window alone, until the window closes it.
            open_draft(binding: WindowBinding, key: DocumentKey) -> Draft;
            /// Another window may edit the draft now.
            close_draft(binding: WindowBinding, key: DocumentKey) -> ();
            /// Brings the window to the front that edits a draft. False: no other window edits it any more.
            show_window_of_draft(binding: WindowBinding, key: DocumentKey) -> bool;
            /// Saves a draft; on disk, encrypted, when it answers.
            save_draft(binding: WindowBinding, draft: Draft) -> ();
            /// Notes similar documents that the person has seen: a draft is sent all the same until it is changed (decision 0193). One
            /// that the outbox has refused for them waits again.
            accept_similar(binding: WindowBinding, key: DocumentKey, documents: Vec<DocumentKey>) -> ();
            /// Creates a document from a saved draft, and deletes the draft.
            create_document(binding: WindowBinding, key: DocumentKey) -> InvoiceView;
            /// Changes the document that a saved draft was made from, and deletes the draft.
            update_document(binding: WindowBinding, key: DocumentKey) -> InvoiceView;
            /// Deletes a draft. One in doubt is asked for first: `alreadyExists` with the document if the service has it, `unknownOutcome`
            /// if that cannot be learned now, or the draft is being sent (decision 0187).
            discard_draft(binding: WindowBinding, key: DocumentKey) -> ();
            /// Deletes a draft into which nothing was typed. False: files wait for it, so that it was kept.
            discard_blank_draft(binding: WindowBinding, key: DocumentKey) -> bool;
            /// Moves a draft that only this computer has to another organization of the account, with the files that wait for it.
            /// Returns its key there. It changes no binding (decision 0185). `alreadyExists` with the document if the service has it.
            move_draft(binding: WindowBinding, key: DocumentKey, organization: OrganizationId) -> DocumentKey;
            /// The drafts of the organization whose files cannot be read, newest first.
            unreadable_drafts(binding: WindowBinding) -> Vec<UnreadableDraft>;
            /// Copies the drafts that cannot be read into a new folder: as text if they can be decrypted, otherwise as they
            /// are.
            export_unreadable_drafts(binding: WindowBinding) -> DraftExport;
            /// Deletes the file of a draft that cannot be read.
            delete_unreadable_draft(binding: WindowBinding, file: String) -> ();

            /// The templates of the organization on this computer, the one that was used or saved last first.
            templates(binding: WindowBinding) -> TemplateList;
            /// Keeps a content as a new template, without its number and dates, and returns its id.
            save_template(binding: WindowBinding, name: String, content: InvoiceContent) -> String;
            /// Gives a template another name.
            rename_template(binding: WindowBinding, template: String, name: String) -> ();
            /// Removes a template and its schedule. For a day it can be restored.
            remove_template(binding: WindowBinding, template: String) -> ();
            /// Restores a template that was removed.
            restore_template(binding: WindowBinding, template: String) -> ();
            /// Creates a draft of today from a template, on this computer.
            new_from_template(binding: WindowBinding, template: String) -> Draft;
            /// Sets or removes the schedule of a template. Dates before today make no drafts.
            schedule_template(binding: WindowBinding, template: String, schedule: Option<Schedule>) -> ();
            /// The first dates of a schedule from today on.
            schedule_dates(binding: WindowBinding, schedule: Schedule) -> Vec<String>;
            /// Makes the drafts that are due by schedules, each once, and returns those that were not sent or discarded yet.
            recurring_drafts(binding: WindowBinding) -> RecurringDrafts;
            /// Asks the service for the document of a draft whose write has an unknown outcome. `None`: the write has not arrived.
            check_outcome(binding: WindowBinding, key: DocumentKey) -> Option<InvoiceView>;

            /// What the person may do in the organization, as the service says.
            permissions(binding: WindowBinding) -> Permissions;
            /// People of the organization, and those of others with a role in it: a page of those whose username, name or mail
            /// address contains the text. `page` is empty at first.
            list_users(binding: WindowBinding, text: String, page: String) -> UserPage;
            /// Adds a person without a password. The returned code, with which the person sets one, is shown once.
            invite_user(binding: WindowBinding, user: NewUser) -> PasswordCodeView;
            /// Changes roles or sign-in of a person or machine user.
            change_user(binding: WindowBinding, user: String, change: UserChange) -> ();
            /// Takes the password of a person away and makes a code to set another, which is shown once.
            reset_password(binding: WindowBinding, user: String) -> PasswordCodeView;
            /// The machine users of the organization.
            list_machine_users(binding: WindowBinding) -> Vec<MachineUserView>;
            /// Adds a machine user with its application, whose secret is shown once.
            create_machine_user(binding: WindowBinding, name: String, role: String) -> CreatedMachineUser;
            /// A page of the personal access tokens of a machine user, the newest first.
            list_personal_tokens(binding: WindowBinding, user: String, page: String) -> PersonalTokenPage;
            /// Mints a personal access token for a machine user, which is shown once.
            mint_personal_token(binding: WindowBinding, user: String, name: String, days: i32) -> MintedToken;
            /// Revokes a personal access token.
            revoke_personal_token(binding: WindowBinding, user: String, token: String) -> ();
            /// A version of the authorization rules; the current one if it is not named.
            get_rules(binding: WindowBinding, version: Option<i32>) -> RulesView;
            /// The published versions of the rules, the latest first: a page. `page` is empty at first.
            list_rule_versions(binding: WindowBinding, page: String) -> RuleVersionPage;
            /// What a publication of these rules would change, and what forbids it.
            check_rules(binding: WindowBinding, matrix: RuleMatrix) -> RulesCheck;
            /// Makes these rules the current version, based on the version of that stamp.
            publish_rules(binding: WindowBinding, matrix: RuleMatrix, stamp: String, comment: String) -> RulesView;
            /// The changes of the rules that are kept on this computer until they are published or discarded.
            rule_edits(binding: WindowBinding) -> RuleEdits;
            /// Keeps changes of the rules on this computer; without any there is nothing to keep. Acting as another person keeps none.
            save_rule_edits(binding: WindowBinding, edits: RuleEdits) -> ();
            /// Publishes the rules of an earlier version again.
            roll_back_rules(binding: WindowBinding, version: i32, stamp: String, comment: String) -> RulesView;
            /// The plan of the organization with what it uses.
            get_own_plan(binding: WindowBinding) -> PlanView;
            /// The tenant of the organization: what its documents state about the seller.
            get_own_tenant(binding: WindowBinding) -> TenantView;
            /// Changes the fields of the own tenant that differ from those that were read.
            update_own_tenant(binding: WindowBinding, before: TenantView, fields: OwnTenantFields) -> TenantView;
            /// Events of the audit, newest first: a page. `page` is empty at first. The service records each call as an event.
            list_audit_events(binding: WindowBinding, query: AuditQuery, page: String) -> AuditPage;

            /// Acts as another person in this window: of the organization of the window, or of another one, which only an operator
            /// may. The window is then bound to that person's home organization.
            impersonate(binding: WindowBinding, organization: Option<OrganizationId>, user: String) -> ();
            /// Ends that. The window returns to the organization that it had.
            end_impersonation() -> ();

            /// Tenants whose id, name or tax number contains the text, in a state or in any: a page. `page` is empty at first.
            list_tenants(binding: WindowBinding, text: String, state: Option<TenantState>, page: String) -> TenantPage;
            /// Adds a tenant with a machine user, whose secret is shown once.
            create_tenant(binding: WindowBinding, tenant: NewTenant) -> CreatedTenant;
            /// Changes the fields of a tenant that differ from those that were read.
            update_tenant(binding: WindowBinding, before: TenantView, fields: TenantFields) -> TenantView;
            /// Disables or enables a tenant. Requests that target a disabled one are not answered.
            set_tenant_enabled(binding: WindowBinding, tenant: OrganizationId, enabled: bool) -> TenantView;
            /// The changes of a tenant, newest first: a page. `page` is empty at first.
            tenant_history(binding: WindowBinding, tenant: OrganizationId, page: String) -> TenantHistoryPage;
            /// The plan of a tenant with what the tenant uses.
            tenant_plan(binding: WindowBinding, tenant: OrganizationId) -> TenantPlanView;
            /// Gives a tenant a plan; none if the id is empty.
            assign_plan(binding: WindowBinding, tenant: OrganizationId, plan: String) -> TenantPlanView;
            /// Replaces the limits of a tenant's own, which replace those of its plan.
            set_tenant_limits(binding: WindowBinding, tenant: OrganizationId, limits: PlanLimits) -> ();
            /// The plans that tenants can have, the oldest first.
            list_plans(binding: WindowBinding) -> Vec<PlanDefinition>;
            /// Adds a plan.
            create_plan(binding: WindowBinding, fields: PlanFields) -> PlanDefinition;
            /// Changes the parts of a plan that differ from those that were read.
            update_plan(binding: WindowBinding, before: PlanDefinition, fields: PlanFields) -> PlanDefinition;
            /// Deletes a plan that no tenant has.
            delete_plan(binding: WindowBinding, plan: String, stamp: String) -> ();
            /// The tax authority of a tenant. `None`: it has none.
            get_authority(binding: WindowBinding, tenant: OrganizationId) -> Option<AuthorityView>;
            /// Gives a tenant a tax authority if `stamp` is `None`, else changes it. Credentials are written and never read.
            save_authority(binding: WindowBinding, tenant: OrganizationId, stamp: Option<String>, settings: AuthoritySettings, credentials: CredentialsChange) -> AuthorityView;
            /// Connects to the tax authority of a tenant with the stored settings. No document is sent.
            test_authority(binding: WindowBinding, tenant: OrganizationId) -> AuthorityTest;

            /// What support needs to know, as a text for the user to read: version, states, the last diagnosis, the end of the
            /// log. No token, no name of a customer, no amount.
            support_packet() -> String;
            /// Saves the packet that was shown last to a file that the user chooses. False: the user chose none.
            save_support_packet() -> bool;

            /// What is open now, by currency and days since the due date.
            ageing(binding: WindowBinding) -> Ageing;
            /// Sums of issued and frozen documents of the months from `from` to `to`, as `2026-01`, at most 120.
            monthly_sums(binding: WindowBinding, from: String, to: String) -> MonthlySums;
            /// Sums of the buyers of documents that were issued from `from` to `to`, as `2026-01-01`, at most ten years: in each
            /// currency the 20 largest, and the rest.
            buyer_sums(binding: WindowBinding, from: String, to: String) -> BuyerSums;
            /// Taxes of the documents that were issued from `from` to `to`, as `2026-01-01`, at most ten years.
            tax_sums(binding: WindowBinding, from: String, to: String) -> TaxSums;
            /// What needs work in the organization.
            overview(binding: WindowBinding) -> Overview;
            /// The same for any organization of the roles claim. It only reads, and changes no binding (decision 0135). What fails is
            /// in the answer; it is not retried.
            client_overview(organization: OrganizationId) -> Overview;
            /// The overviews that were read last, from the cache of this computer, without asking the service.
            kept_client_overviews() -> Vec<Overview>;
            /// Saves a table as CSV to a file that the user chooses. `name` is the suggested name without its ending. False: the user
            /// chose none.
            save_table(name: String, rows: Vec<Vec<String>>) -> bool;

            /// Retries a pending call at once.
            retry_now(id: u32) -> ();
            /// Cancels a pending retry: its command fails with the error of the last attempt.
            cancel_retry(id: u32) -> ();

            /// How the application looks and behaves on this computer.
            preferences() -> Preferences;
            /// Saves the preferences. They apply at once.
            save_preferences(preferences: Preferences) -> ();
        }
    };
}
