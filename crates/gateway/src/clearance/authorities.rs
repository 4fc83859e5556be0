//! The settings of tax authorities: operations on the platform (decision 0127).

use std::sync::Arc;

use invoicing_contract::messages::authorities::{
    AuthorityCredentials, AuthorityMode as WireMode, CreateAuthorityRequest, GetAuthorityRequest,
    ListAuthoritiesRequest, ListAuthoritiesResponse, TaxAuthority, TestConnectionRequest,
    TestConnectionResponse, UpdateAuthorityRequest,
};
use invoicing_contract::messages::documents::Kind;
use invoicing_contract::{FieldViolation, OrganizationId, field_mask, output_violations};
use invoicing_http::{PageRequest, PageTokens, RequestContext, truncate_page};
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::clearance::{AuthorityMode, AuthoritySettings};
use url::Url;

use super::adapter::{Answer, Verdict};
use super::addresses::parse_endpoint;
use super::credentials::Credentials;
use super::problem::ProblemKind;
use super::{AuthorityError, Clearance};
use crate::audit_event::platform_event;
use crate::new_identifiers::{new_stamp, require_stamp};

/// Most characters of a user name.
const MAX_USERNAME_CHARACTERS: usize = 200;
/// Most characters of a secret.
const MAX_SECRET_CHARACTERS: usize = 4_000;
/// What the pages of the list belong to: there is one list.
const LIST: &[u8] = b"authorities";

/// The settings of the tax authorities of all tenants.
pub(crate) struct Authorities {
    clearance: Arc<Clearance>,
    page_tokens: PageTokens,
}

impl Authorities {
    pub(crate) const fn new(clearance: Arc<Clearance>, page_tokens: PageTokens) -> Self {
        Self {
            clearance,
            page_tokens,
        }
    }

    pub(super) async fn get(
        &self,
        request: GetAuthorityRequest,
    ) -> Result<TaxAuthority, AuthorityError> {
        let settings = self.stored(&request.organization_id.into()).await?;
        Ok(to_message(&settings))
    }

    pub(super) async fn list(
        &self,
        request: ListAuthoritiesRequest,
    ) -> Result<ListAuthoritiesResponse, AuthorityError> {
        let page: PageRequest<String> = self
            .page_tokens
            .read_request(request.page_size, &request.page_token, LIST)
            .map_err(AuthorityError::Invalid)?;
        let after = page.after.unwrap_or_default().into();
        let store = &self.clearance.store;
        let mut found = store.authorities(&after, page.size + 1).await?;
        let last = truncate_page(&mut found, page.size);
        let next = last.map(|last| self.page_tokens.sign(&last.organization.as_str(), LIST));
        Ok(ListAuthoritiesResponse {
            items: found.iter().map(to_message).collect(),
            next_page_token: next.unwrap_or_default(),
        })
    }

    pub(super) async fn create(
        &self,
        context: &RequestContext,
        request: CreateAuthorityRequest,
    ) -> Result<TaxAuthority, AuthorityError> {
        let organization: OrganizationId = request.organization_id.into();
        let authority = request.authority.unwrap_or_default();
        let mut settings = self.read(&organization, &authority)?;
        settings.credentials = self.seal(&organization, request.credentials.as_ref(), None)?;
        let basis = self.clearance.store.basis().await?;
        let tenant = self.clearance.store.tenant(&organization, basis).await?;
        if tenant.is_none() {
            return Err(AuthorityError::NoTenant);
        }
        if request.validate_only {
            return match self.clearance.store.authority(&organization).await? {
                Some(_) => Err(AuthorityError::Exists),
                None => Ok(unstored(&settings)),
            };
        }
        if self.put(context, &settings, None).await? {
            Ok(to_message(&settings))
        } else {
            Err(AuthorityError::Exists)
        }
    }

    pub(super) async fn update(
        &self,
        context: &RequestContext,
        request: UpdateAuthorityRequest,
    ) -> Result<TaxAuthority, AuthorityError> {
        let organization: OrganizationId = request.organization_id.into();
        let stamp = require_stamp(request.concurrency_stamp)?;
        let stored = self.stored(&organization).await?;
        let authority = request.authority.unwrap_or_default();
        let mask = request.update_mask.as_ref();
        // With a mask output fields are ignored (decision 0129).
        if mask.is_none() {
            refuse_outputs(&authority)?;
        }
        let updated = field_mask::apply(&to_message(&stored), &authority, mask)
            .map_err(AuthorityError::Invalid)?;
        let mut settings = self.read_fields(&organization, &updated)?;
        let credentials = request.credentials.as_ref();
        if credentials.is_none() && stored.credentials.is_some() {
            require_same_origin(&stored.endpoint, &settings.endpoint)?;
        }
        settings.credentials = self.seal(&organization, credentials, stored.credentials.clone())?;
        if stored.concurrency_stamp != stamp {
            return Err(AuthorityError::StampMismatch);
        }
        if request.validate_only || is_same(&settings, &stored) {
            return Ok(TaxAuthority {
                concurrency_stamp: stamp.into_string(),
                ..unstored(&settings)
            });
        }
        if !self.put(context, &settings, Some(&stored)).await? {
            return Err(AuthorityError::StampMismatch);
        }
        // What waited for another endpoint or other credentials is sent when it is due.
        self.clearance.wake();
        Ok(to_message(&settings))
    }

    pub(super) async fn test_connection(
        &self,
        request: TestConnectionRequest,
    ) -> Result<TestConnectionResponse, AuthorityError> {
        let settings = self.stored(&request.organization_id.into()).await?;
        let credentials = self.clearance.credentials(&settings)?;
        let adapter = self.clearance.adapter(&settings.adapter)?;
        let Answer {
            http_status,
            verdict,
            ..
        } = adapter
            .test_connection(&settings.endpoint, credentials.as_ref())
            .await;
        let problem = match verdict {
            Verdict::Decided(_) => None,
            Verdict::NotReceived(problem) | Verdict::Unknown(problem) => Some(problem.kind),
        };
        let code = problem.map(ProblemKind::code).unwrap_or_default();
        Ok(TestConnectionResponse {
            reachable: problem.is_none(),
            http_status: http_status.map_or(0, i32::from),
            problem: problem.map(|kind| kind.to_string()).unwrap_or_default(),
            problem_code: code.into(),
        })
    }

    async fn stored(
        &self,
        organization: &OrganizationId,
    ) -> Result<AuthoritySettings, AuthorityError> {
        let found = self.clearance.store.authority(organization).await?;
        found.ok_or(AuthorityError::NotFound)
    }

    /// Stores settings: the first ones of a tenant, or those in place of `before`.
    async fn put(
        &self,
        context: &RequestContext,
        settings: &AuthoritySettings,
        before: Option<&AuthoritySettings>,
    ) -> Result<bool, AuthorityError> {
        let values_before = before.map(AuthoritySettings::audited_values);
        let kind = AuditEventKind::AuthorityChanged;
        let event = platform_event(context, settings.updated_at, kind)
            .organization(&settings.organization)
            .difference(
                &values_before.unwrap_or_default(),
                &settings.audited_values(),
            );
        let expected = before.map(|before| &before.concurrency_stamp);
        let store = &self.clearance.store;
        Ok(store.put_authority(settings, expected, &event).await?)
    }

    fn read(
        &self,
        organization: &OrganizationId,
        authority: &TaxAuthority,
    ) -> Result<AuthoritySettings, AuthorityError> {
        refuse_outputs(authority)?;
        self.read_fields(organization, authority)
    }

    /// Settings with a new stamp, of valid fields.
    fn read_fields(
        &self,
        organization: &OrganizationId,
        authority: &TaxAuthority,
    ) -> Result<AuthoritySettings, AuthorityError> {
        let mut violations = Vec::new();
        let mut add = |field: &str, description: String| {
            violations.push(FieldViolation::new(
                format!("authority.{field}"),
                description,
            ));
        };
        if self.clearance.adapter(&authority.adapter).is_err() {
            add("adapter", "must be one of the adapters: http".to_owned());
        }
        if let Err(problem) = parse_endpoint(&authority.endpoint, &self.clearance.policy) {
            add("endpoint", problem.to_string());
        }
        let mode = match authority.mode() {
            WireMode::Clearance => Some(AuthorityMode::Clearance),
            WireMode::Reporting => Some(AuthorityMode::Reporting),
            WireMode::Unspecified => None,
        };
        if mode.is_none() {
            add("mode", "must be given".to_owned());
        }
        if authority.kinds.is_empty() {
            add("kinds", "must have at least one".to_owned());
        }
        let mut kinds = std::collections::BTreeSet::new();
        for (index, number) in authority.kinds.iter().enumerate() {
            match Kind::try_from(*number) {
                Ok(kind) if kind != Kind::Unspecified => {
                    kinds.insert(kind);
                }
                Ok(_) | Err(_) => add(
                    &format!("kinds[{index}]"),
                    "is not one of the values that exist".to_owned(),
                ),
            }
        }
        let Some(mode) = mode.filter(|_| violations.is_empty()) else {
            return Err(AuthorityError::Invalid(violations));
        };
        Ok(AuthoritySettings {
            organization: organization.clone(),
            adapter: authority.adapter.clone(),
            endpoint: authority.endpoint.clone(),
            credentials: None,
            mode,
            kinds,
            enabled: authority.enabled,
            concurrency_stamp: new_stamp(&*self.clearance.rng).into(),
            updated_at: self.clearance.clock.timestamp(),
        })
    }

    /// New credentials, encrypted; the stored ones if there are no new ones, and none if those have no secret.
    fn seal(
        &self,
        organization: &OrganizationId,
        new: Option<&AuthorityCredentials>,
        stored: Option<Vec<u8>>,
    ) -> Result<Option<Vec<u8>>, AuthorityError> {
        let Some(new) = new else {
            return Ok(stored);
        };
        check_credentials(new)?;
        if new.secret.is_empty() {
            return Ok(None);
        }
        let credentials = Credentials {
            username: new.username.clone(),
            secret: new.secret.clone().into(),
        };
        self.clearance
            .encrypt_credentials(organization, &credentials)
            .map(Some)
    }
}

/// Stored credentials go to the origin (RFC 6454) that they were given for, and to no other: who may write settings must not
/// read credentials at a host of their own.
fn require_same_origin(stored: &str, updated: &str) -> Result<(), AuthorityError> {
    let origin = |endpoint| Url::parse(endpoint).map(|url| url.origin());
    match (origin(stored), origin(updated)) {
        (Ok(stored), Ok(updated)) if stored == updated => Ok(()),
        _ => Err(FieldViolation::new(
            "credentials",
            "must be given again, or without a secret: the endpoint has another scheme, host or port",
        )
        .into()),
    }
}

/// Whether settings differ from the stored ones in nothing but the stamp and the time of a change.
fn is_same(settings: &AuthoritySettings, stored: &AuthoritySettings) -> bool {
    let unchanged = AuthoritySettings {
        concurrency_stamp: stored.concurrency_stamp.clone(),
        updated_at: stored.updated_at,
        ..settings.clone()
    };
    unchanged == *stored
}

/// Fields that the service computes cannot be sent.
fn refuse_outputs(authority: &TaxAuthority) -> Result<(), AuthorityError> {
    let violations = output_violations(authority, "authority.");
    if violations.is_empty() {
        Ok(())
    } else {
        Err(AuthorityError::Invalid(violations))
    }
}

/// A user name without a colon (RFC 7617), and both in ASCII that a header can have.
fn check_credentials(credentials: &AuthorityCredentials) -> Result<(), AuthorityError> {
    let mut violations = Vec::new();
    let is_text = |text: &str| text.chars().all(|character| matches!(character, ' '..='~'));
    let AuthorityCredentials { username, secret } = credentials;
    if username.len() > MAX_USERNAME_CHARACTERS || !is_text(username) || username.contains(':') {
        violations.push(FieldViolation::new(
            "credentials.username",
            "must have at most 200 characters of ASCII and no colon",
        ));
    }
    if secret.len() > MAX_SECRET_CHARACTERS || !is_text(secret) {
        violations.push(FieldViolation::new(
            "credentials.secret",
            "must have at most 4,000 characters of ASCII",
        ));
    }
    if secret.is_empty() && !username.is_empty() {
        violations.push(FieldViolation::new(
            "credentials.secret",
            "must be given with a user name",
        ));
    }
    if violations.is_empty() {
        Ok(())
    } else {
        Err(AuthorityError::Invalid(violations))
    }
}

/// The answer to a request that only validates: there is no stored state for a stamp.
fn unstored(settings: &AuthoritySettings) -> TaxAuthority {
    TaxAuthority {
        concurrency_stamp: String::new(),
        ..to_message(settings)
    }
}

fn to_message(settings: &AuthoritySettings) -> TaxAuthority {
    let mode = match settings.mode {
        AuthorityMode::Clearance => WireMode::Clearance,
        AuthorityMode::Reporting => WireMode::Reporting,
    };
    TaxAuthority {
        organization_id: settings.organization.to_string(),
        adapter: settings.adapter.clone(),
        endpoint: settings.endpoint.clone(),
        mode: mode.into(),
        kinds: settings.kinds.iter().map(|kind| *kind as i32).collect(),
        enabled: settings.enabled,
        has_credentials: settings.credentials.is_some(),
        concurrency_stamp: settings.concurrency_stamp.as_str().to_owned(),
    }
}
