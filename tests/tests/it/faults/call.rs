//! The rows of the table: every call of every flow of the client.

/// A call of the client to a server, in a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Call {
    /// Sign-in: the discovery document.
    SignInDiscovery,
    /// Sign-in: the code is exchanged.
    SignInExchange,
    /// Sign-in: the signing keys.
    SignInKeys,
    /// Start of the program: the discovery document.
    RestoreDiscovery,
    /// Start of the program: the stored refresh token is exchanged.
    RestoreRefresh,
    /// A read with an expired access token: the refresh token is exchanged.
    RefreshBeforeRead,
    /// A write with an expired access token: the refresh token is exchanged.
    RefreshBeforeWrite,
    /// A read whose access token the gateway rejected: the refresh token is exchanged.
    RefreshAfterRejection,
    /// The probe of an offline session.
    Probe,
    /// The role grants are read again: the discovery document.
    OrganizationsDiscovery,
    /// The role grants are read again: the code is exchanged.
    OrganizationsExchange,
    /// The role grants are read again: the signing keys.
    OrganizationsKeys,
    /// Sign-out: the refresh token is revoked.
    Revoke,
    /// Sign-out: the session ends at the provider.
    EndSession,
    /// A page of invoices.
    List,
    /// A page of invoices after the window has switched to another organization.
    ListAfterSwitch,
    /// One invoice.
    Get,
    /// A new invoice.
    Create,
    /// A new credit note.
    CreateDocument,
    /// A new invoice whose answer was lost: the document is looked for.
    CreateInDoubt,
    /// A change of a document.
    Update,
    /// A change of a document that is not in memory: it is read first.
    ReadBeforeUpdate,
    /// A change whose answer was lost: the document is looked for.
    UpdateInDoubt,
    /// A document is numbered.
    Issue,
    /// A document is frozen.
    Freeze,
    /// A document is frozen and the answer lost: the document is looked for.
    FreezeInDoubt,
    /// The outbox sends a draft.
    Outbox,
    /// The outbox sends a draft whose answer is lost: the document is looked for.
    OutboxInDoubt,
    /// The person asks whether a draft has arrived.
    CheckOutcome,
}

/// The server that a call goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Server {
    Identity,
    Gateway,
}

/// What a call does, which decides what its failure means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallClass {
    /// The discovery document or the signing keys.
    Metadata,
    /// A code is exchanged.
    Exchange,
    /// A refresh token is exchanged.
    Refresh,
    /// As [`Refresh`](Self::Refresh), at the start of the program, where no command waits for it.
    Restore,
    Probe,
    SignOut,
    Read,
    /// A write that creates a document.
    Create,
    /// A write that changes a document.
    Change,
    /// A read that decides whether a write was done.
    InDoubt,
    /// A write of the outbox.
    Background,
    /// A read of the outbox that decides whether a write was done.
    BackgroundInDoubt,
}

pub(crate) const DISCOVERY: &str = "/.well-known/openid-configuration";
pub(crate) const KEYS: &str = "/oauth/v2/keys";
pub(crate) const TOKEN: &str = "/oauth/v2/token";
pub(crate) const REVOKE: &str = "/oauth/v2/revoke";
pub(crate) const END_SESSION: &str = "/oidc/v1/end_session";
pub(crate) const LIST: &str = "/invoices/list";
pub(crate) const CREATE: &str = "/invoices/create";
pub(crate) const FREEZE: &str = "/invoices/freeze";
pub(crate) const DOCUMENTS: &str = "/api/v2/documents";

impl Call {
    pub(crate) const ALL: [Self; 29] = [
        Self::SignInDiscovery,
        Self::SignInExchange,
        Self::SignInKeys,
        Self::RestoreDiscovery,
        Self::RestoreRefresh,
        Self::RefreshBeforeRead,
        Self::RefreshBeforeWrite,
        Self::RefreshAfterRejection,
        Self::Probe,
        Self::OrganizationsDiscovery,
        Self::OrganizationsExchange,
        Self::OrganizationsKeys,
        Self::Revoke,
        Self::EndSession,
        Self::List,
        Self::ListAfterSwitch,
        Self::Get,
        Self::Create,
        Self::CreateDocument,
        Self::CreateInDoubt,
        Self::Update,
        Self::ReadBeforeUpdate,
        Self::UpdateInDoubt,
        Self::Issue,
        Self::Freeze,
        Self::FreezeInDoubt,
        Self::Outbox,
        Self::OutboxInDoubt,
        Self::CheckOutcome,
    ];

    pub(crate) fn class(self) -> CallClass {
        match self {
            Self::SignInDiscovery
            | Self::SignInKeys
            | Self::OrganizationsDiscovery
            | Self::OrganizationsKeys => CallClass::Metadata,
            Self::SignInExchange | Self::OrganizationsExchange => CallClass::Exchange,
            Self::RestoreDiscovery | Self::RestoreRefresh => CallClass::Restore,
            Self::RefreshBeforeRead | Self::RefreshBeforeWrite | Self::RefreshAfterRejection => {
                CallClass::Refresh
            }
            Self::Probe => CallClass::Probe,
            Self::Revoke | Self::EndSession => CallClass::SignOut,
            Self::List
            | Self::ListAfterSwitch
            | Self::Get
            | Self::ReadBeforeUpdate
            | Self::CheckOutcome => CallClass::Read,
            Self::Create | Self::CreateDocument => CallClass::Create,
            Self::Update | Self::Issue | Self::Freeze => CallClass::Change,
            Self::CreateInDoubt | Self::UpdateInDoubt | Self::FreezeInDoubt => CallClass::InDoubt,
            Self::Outbox => CallClass::Background,
            Self::OutboxInDoubt => CallClass::BackgroundInDoubt,
        }
    }

    pub(crate) fn server(self) -> Server {
        match self.class() {
            CallClass::Metadata
            | CallClass::Exchange
            | CallClass::Refresh
            | CallClass::Restore
            | CallClass::Probe
            | CallClass::SignOut => Server::Identity,
            CallClass::Read
            | CallClass::Create
            | CallClass::Change
            | CallClass::InDoubt
            | CallClass::Background
            | CallClass::BackgroundInDoubt => Server::Gateway,
        }
    }

    /// The end of method and path of the call. `key`: that of the document of the scenario.
    pub(crate) fn path(self, key: &str) -> String {
        match self {
            Self::SignInDiscovery
            | Self::RestoreDiscovery
            | Self::Probe
            | Self::OrganizationsDiscovery => DISCOVERY.to_owned(),
            Self::SignInKeys | Self::OrganizationsKeys => KEYS.to_owned(),
            Self::SignInExchange
            | Self::OrganizationsExchange
            | Self::RestoreRefresh
            | Self::RefreshBeforeRead
            | Self::RefreshBeforeWrite
            | Self::RefreshAfterRejection => TOKEN.to_owned(),
            Self::Revoke => REVOKE.to_owned(),
            Self::EndSession => END_SESSION.to_owned(),
            Self::List | Self::ListAfterSwitch => LIST.to_owned(),
            Self::Create | Self::Outbox => CREATE.to_owned(),
            Self::CreateDocument => DOCUMENTS.to_owned(),
            Self::Update => format!("PATCH {DOCUMENTS}/{key}"),
            Self::Get
            | Self::CreateInDoubt
            | Self::OutboxInDoubt
            | Self::CheckOutcome
            | Self::ReadBeforeUpdate
            | Self::UpdateInDoubt
            | Self::FreezeInDoubt => format!("GET {DOCUMENTS}/{key}"),
            Self::Issue => format!("{DOCUMENTS}/{key}:issue"),
            Self::Freeze => FREEZE.to_owned(),
        }
    }

    /// The end of method and path of the request to the same server that comes before this one, if the same command makes it. A
    /// fault of connections begins after it.
    pub(crate) fn preceded_by(self, key: &str) -> Option<String> {
        match self {
            Self::SignInKeys | Self::OrganizationsKeys => Some(TOKEN.to_owned()),
            Self::RestoreRefresh => Some(DISCOVERY.to_owned()),
            Self::EndSession => Some(REVOKE.to_owned()),
            Self::CreateInDoubt | Self::OutboxInDoubt => Some(CREATE.to_owned()),
            // The outbox looks for a document that the draft would repeat.
            Self::Outbox => Some(LIST.to_owned()),
            Self::UpdateInDoubt => Some(format!("PATCH {DOCUMENTS}/{key}")),
            Self::FreezeInDoubt => Some(FREEZE.to_owned()),
            Self::SignInDiscovery
            | Self::SignInExchange
            | Self::RestoreDiscovery
            | Self::RefreshBeforeRead
            | Self::RefreshBeforeWrite
            | Self::RefreshAfterRejection
            | Self::Probe
            | Self::OrganizationsDiscovery
            | Self::OrganizationsExchange
            | Self::Revoke
            | Self::List
            | Self::ListAfterSwitch
            | Self::Get
            | Self::Create
            | Self::CreateDocument
            | Self::Update
            | Self::ReadBeforeUpdate
            | Self::Issue
            | Self::Freeze
            | Self::CheckOutcome => None,
        }
    }
}
