//! The types of the IPC between the core and the web UI: plain values in camelCase. No type has a field for a token, an
//! authorization code or a PKCE verifier.
//!
//! Amounts, quantities and rates are decimal strings; dates are `2026-11-14`; times are RFC 3339 in UTC.

mod accounts;
mod administration;
mod attachments;
mod audit;
mod bulk;
mod diagnosis;
mod drafts;
mod due_terms;
mod environments;
mod error;
mod error_details;
mod explanation;
mod export;
#[cfg(any(test, feature = "testing"))]
mod full_content;
mod invoice_details;
mod invoice_file;
mod invoices;
mod links;
mod list_settings;
mod menu;
mod organizations;
mod paper;
mod parties;
mod party_details;
mod payments;
mod permissions;
mod preferences;
mod relations;
mod remembered;
mod reports;
mod rules_check;
mod session;
mod submissions;
mod templates;
mod tenants;

pub use accounts::{AccountData, AccountView};
pub use administration::{
    ChangedCell, CreatedMachineUser, LosingUser, MachineUserView, MintedToken, NewUser,
    PasswordCodeView, PersonalTokenPage, PersonalTokenView, PlanUse, PlanView, RoleRules, RuleEdit,
    RuleEdits, RuleFinding, RuleFindingReason, RuleMatrix, RuleVersionPage, RuleVersionView,
    RulesView, ScopeSet, ShownSecret, UserChange, UserPage, UserState, UserView,
};
pub use attachments::{
    AttachmentFile, AttachmentLimits, AttachmentProblem, AttachmentView, AttachmentsView,
    FileWithoutDocument,
};
pub use audit::{AuditDetail, AuditEventView, AuditPage, AuditPerson, AuditQuery, AuditScope};
pub use bulk::{
    BulkAction, BulkCheck, BulkOutcome, BulkPlan, BulkResult, BulkResultPage, BulkRun, BulkState,
    DocumentSelection, OrganizationWork,
};
pub use diagnosis::{
    ConnectProblem, DiagnosedServer, Diagnosis, DiagnosisFinding, DiagnosisStep, TlsProblem,
};
pub use drafts::{
    Draft, DraftCount, DraftExport, DraftState, DraftSummary, MoveProblem, Revision,
    SimilarDocument, SimilarDocuments, UnreadableDraft, UnreadableReason,
};
pub use due_terms::DueTerms;
pub use environments::{
    DemoAccount, EnvironmentConfig, EnvironmentField, EnvironmentKind, EnvironmentProblem,
    EnvironmentView, InvalidFieldReason,
};
pub use error::{
    CallbackRefusal, CommandError, DiskProblem, LocalEnvironmentProblem, VaultProblem,
};
pub use error_details::{RedactedText, Support, Violation};
pub use explanation::{ExplanationInput, ExplanationOperation, ExplanationStep, NetPrice};
pub use export::{Export, ExportFormat, ExportOptions, ExportState};
#[cfg(any(test, feature = "testing"))]
pub use full_content::full_content;
pub use invoice_details::{
    AllowanceChargeContent, AllowanceChargeKind, CardContent, ClassificationContent,
    InvoiceDetails, ItemAttributeContent, LineDetails, MandateContent, PaymentContent,
    PeriodContent, PrecedingContent, ReferencesContent, SupportingDocumentContent,
};
pub use invoice_file::{
    FileParty, FileProblem, FileReading, FileRelation, FileSyntax, OpenedFile, UnreadElement,
    UnreadReason,
};
pub use invoices::{
    BuyerContent, Calculation, Correction, CurrencySum, Event, InvoiceContent, InvoiceKind,
    InvoicePage, InvoiceQuery, InvoiceRow, InvoiceSort, InvoiceStatus, InvoiceView, LineContent,
    LineView, LocalizedText, MergedChange, SortField, TaxRow, TotalsView,
};
pub use links::LinkTarget;
pub use list_settings::{ListColumn, ListSettings, ReportPeriod, SavedView};
pub use menu::{ApplicationMenu, Menu, MenuItem, MenuRole, Notice, Notifications, SystemItem};
pub use organizations::{ArabicName, OrganizationView, WindowBinding};
pub use paper::{DocumentFormat, PaperPreferences, PrintLanguage, PrintedPages};
pub use parties::{BuyerDoubt, DocumentDefaults, ItemView, PartyView, PriceView};
pub use party_details::{
    AddressContent, BuyerDetails, ContactContent, DeliveryContent, IdentifierContent, PayeeContent,
    TaxRepresentativeContent,
};
pub use payments::{BalanceView, NewPayment, PaymentState, PaymentView, PaymentsView};
pub use permissions::Permissions;
pub use preferences::{
    CalendarSystem, CurrencyDisplay, Density, Digits, Language, Preferences, Theme, Zoom,
};
pub use relations::{DocumentRelations, HistoryEntry, HistoryPage, RelatedDocument};
pub use remembered::{
    ItemChange, ItemDifference, ItemPart, PartyChange, PartyDifference, PartyPart,
    RememberedDifferences,
};
pub use reports::{
    Ageing, AgeingRow, BarAmount, BuyerSumRow, BuyerSums, BuyerSumsGroup, CurrencyBuyers,
    CurrencyMonths, CurrencyTaxes, DocumentCount, MonthRow, MonthTotals, MonthlySums, Overview,
    TaxSumRow, TaxSums,
};
pub use rules_check::{RulesCheck, RulesProblem, RulesViolation};
pub use session::{
    Account, CallbackMethod, ChangeCounts, Connectivity, ImpersonationView, PendingRetry,
    SessionView, Snapshot,
};
pub use submissions::{
    AuthorityMode, AuthorityProblem, AuthorityProblemKind, AuthoritySettings, AuthorityTest,
    AuthorityView, CredentialsChange, EnteredSecret, SubmissionState, SubmissionView,
};
pub use templates::{
    BilledPeriod, Frequency, RecurringDraft, RecurringDrafts, Schedule, TemplateList, TemplateView,
    UnreadableTemplate,
};
pub use tenants::{
    AddressFields, CreatedTenant, NewTenant, OwnTenantFields, PlanDefinition, PlanEntitlements,
    PlanFields, PlanLimits, TenantAction, TenantChange, TenantFields, TenantHistoryPage,
    TenantPage, TenantPlanView, TenantRevision, TenantState, TenantView,
};

/// Identifiers of the contract, which are strings in JSON.
pub use invoicing_contract::{ConcurrencyStamp, DocumentKey, OrganizationId};
