//! Clearance by tax authorities (decisions 0020, 0126): documents that were issued are sent until the authority answers.

mod adapter;
mod addresses;
mod authorities;
mod authority_error;
mod backoff;
mod credentials;
mod delivery;
mod http_adapter;
mod problem;
mod rpc;
mod seal;
mod turns;
mod worker;

pub use adapter::SealError;
pub use addresses::AddressPolicy;
pub(crate) use authorities::Authorities;
pub(crate) use authority_error::AuthorityError;
pub(crate) use problem::problem_code;
pub use worker::ClearanceWorker;

use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::messages::documents::{Authority, AuthorityState, Document, Kind};
use invoicing_contract::{ConcurrencyStamp, OrganizationId};
use invoicing_storage::clearance::AuthoritySettings;
use invoicing_storage::documents::{Claim, NewSubmission, assigned_number};
use invoicing_storage::encryption::EncryptionKeys;
use invoicing_storage::{Clock, Rng, StorageError, Store};
use sha2::{Digest as _, Sha256};
use tokio::sync::Notify;
use uuid::Uuid;

use self::adapter::{AuthorityAdapter, Unsealed};
use self::http_adapter::HttpAdapter;

/// Longer than an attempt takes: nobody else sends the submission meanwhile. After a crash it is sent again this much later.
const CLAIM_DURATION: Duration = Duration::from_secs(20);

/// Sends documents to the tax authorities of tenants.
pub struct Clearance {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    adapters: Vec<Box<dyn AuthorityAdapter>>,
    policy: AddressPolicy,
    keys: Option<EncryptionKeys>,
    /// Submissions that nobody has claimed yet.
    waiting: Notify,
}

/// What is fixed about a submission before the transaction that stores it.
#[derive(Debug, Clone)]
pub struct SubmissionPlan {
    /// Its id.
    pub id: Uuid,
    /// The right to send it at once; `None`: the worker sends it.
    pub claim: Option<Claim>,
    adapter: String,
}

impl Clearance {
    /// Connects to addresses of `policy`, and waits for an answer for `timeout`, eight seconds at most. Without `keys` no
    /// credentials can be stored.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        policy: AddressPolicy,
        timeout: Option<Duration>,
        keys: Option<EncryptionKeys>,
    ) -> Self {
        let http = HttpAdapter::new(policy.clone(), timeout);
        Self {
            store,
            clock,
            rng,
            adapters: vec![Box::new(http)],
            policy,
            keys,
            waiting: Notify::new(),
        }
    }

    /// The authority that documents of a kind are sent to, if the organization has one.
    ///
    /// # Errors
    /// Storage failed.
    pub async fn authority(
        &self,
        organization: &OrganizationId,
        kind: Kind,
    ) -> Result<Option<AuthoritySettings>, StorageError> {
        let settings = self.store.authority(organization).await?;
        Ok(settings.filter(|settings| settings.applies_to(kind)))
    }

    /// A submission of `document`, not yet issued, to `settings`. Its caller sends it if `sends`. The first one of a document has
    /// its key as id, by which other files name it; a corrected document, which has a number already, is another one for the
    /// authority.
    #[must_use]
    pub fn plan(
        &self,
        settings: &AuthoritySettings,
        document: &Document,
        sends: bool,
    ) -> SubmissionPlan {
        let key = Uuid::try_parse(&document.document_key).ok();
        let first = key.filter(|_| assigned_number(document).is_empty());
        SubmissionPlan {
            id: first.unwrap_or_else(|| self.random_id()),
            claim: sends.then(|| self.new_claim()),
            adapter: settings.adapter.clone(),
        }
    }

    /// Seals a document, as issued from the state with the stamp `issued_from`.
    ///
    /// # Errors
    /// See [`SealError`].
    pub(crate) fn seal(
        &self,
        plan: &SubmissionPlan,
        unsealed: &Unsealed<'_>,
        issued_from: &ConcurrencyStamp,
    ) -> Result<NewSubmission, SealError> {
        let adapter = self.adapter(&plan.adapter)?;
        let content = adapter.seal(unsealed)?;
        let document = unsealed.document;
        Ok(NewSubmission {
            id: plan.id,
            issued_from: issued_from.clone(),
            number: assigned_number(document).to_owned(),
            hash: Sha256::digest(&content).into(),
            content,
            created_at: invoicing_contract::Timestamp::from_millis(
                unsealed.issued_at.as_millisecond(),
            ),
            claim: plan.claim,
        })
    }

    /// Claims a submission whose answer is missing, for a caller that waits for it. `None` if somebody sends it.
    ///
    /// # Errors
    /// Storage failed.
    pub async fn claim(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
    ) -> Result<Option<Uuid>, StorageError> {
        let (now, claim) = (self.clock.timestamp(), self.new_claim());
        let claimed = self.store.claim(organization, submission, now, claim);
        Ok(claimed.await?.then_some(claim.holder))
    }

    /// Lets the worker look for submissions now.
    pub fn wake(&self) {
        self.waiting.notify_one();
    }

    fn adapter(&self, name: &str) -> Result<&dyn AuthorityAdapter, StorageError> {
        let adapter = self.adapters.iter().find(|adapter| adapter.name() == name);
        adapter
            .map(|adapter| &**adapter)
            .ok_or_else(|| StorageError::corrupt(format!("no adapter is called {name:?}")))
    }

    fn new_claim(&self) -> Claim {
        Claim {
            holder: self.random_id(),
            until: self.clock.timestamp().plus(CLAIM_DURATION),
        }
    }

    fn random_id(&self) -> Uuid {
        let mut random = [0; 16];
        self.rng.fill(&mut random);
        uuid::Builder::from_random_bytes(random).into_uuid()
    }
}

/// The state of a document that was issued and not sent yet.
#[must_use]
pub fn pending(submission: Uuid) -> Authority {
    Authority {
        status: state_name(AuthorityState::Pending).to_owned(),
        state: AuthorityState::Pending.into(),
        submission_id: submission.to_string(),
        ..Authority::default()
    }
}

/// The submission that a document was sent with last.
pub(crate) fn submission_of(document: &Document) -> Option<Uuid> {
    let authority = document.authority.as_ref()?;
    Uuid::try_parse(&authority.submission_id).ok()
}

/// Whether the authority has not answered yet.
pub(crate) fn is_unanswered(document: &Document) -> bool {
    let state = document.authority.as_ref().map(Authority::state);
    matches!(
        state,
        Some(AuthorityState::Pending | AuthorityState::Unknown)
    )
}

/// The name of a state in `Authority.status`.
pub(crate) const fn state_name(state: AuthorityState) -> &'static str {
    match state {
        AuthorityState::Unspecified => "",
        AuthorityState::Pending => "pending",
        AuthorityState::Unknown => "unknown",
        AuthorityState::Cleared => "cleared",
        AuthorityState::Reported => "reported",
        AuthorityState::Accepted => "accepted",
        AuthorityState::Rejected => "rejected",
    }
}

pub(crate) use self::adapter::Unsealed as UnsealedDocument;
