//! The registration numbers of demo tenants that a former version has seeded without (decision 0184).

use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::directory::Tenant;
use invoicing_storage::tenants::{TenantAction, TenantRevision};
use invoicing_storage::{Clock, StorageError, Store};
use serde_json::json;

use super::demo::SEED;

/// The stamp of a tenant that got its number here.
const STAMP: &str = "registered";

/// Gives a stored tenant the registration number of the seed, without which a seller in Saudi Arabia issues nothing, unless somebody has
/// changed the tenant since it was seeded.
pub(super) async fn add_missing(
    store: &dyn Store,
    clock: &dyn Clock,
    seeded: &Tenant,
) -> Result<(), StorageError> {
    let (id, number) = (&seeded.organization.id, &seeded.registration_number);
    let basis = store.basis().await?;
    let Some(stored) = store.tenant(id, basis).await? else {
        return Ok(());
    };
    let is_missing = stored.registration_number.value.is_empty() && !number.value.is_empty();
    let is_as_seeded = stored.concurrency_stamp == Tenant::INITIAL_STAMP;
    if !is_missing || !is_as_seeded {
        return Ok(());
    }
    let changed = Tenant {
        registration_number: number.clone(),
        concurrency_stamp: STAMP.to_owned(),
        ..(*stored).clone()
    };
    let now = clock.timestamp();
    let event = AuditEvent::new(now, AuditEventKind::TenantChanged)
        .actor(SEED)
        .organization(id)
        .difference(&stored.audited_values(), &changed.audited_values());
    let changes = json!([
        {"field": "profile.registrationNumber.scheme", "before": "", "after": number.scheme},
        {"field": "profile.registrationNumber.value", "before": "", "after": number.value},
    ]);
    let revision = TenantRevision {
        revision: 0,
        at: now,
        actor: SEED.to_owned(),
        action: TenantAction::Updated,
        changes: changes.to_string(),
    };
    // A tenant that somebody changes meanwhile keeps that change.
    store
        .update_tenant(&changed, &stored.concurrency_stamp, &revision, &event)
        .await
        .map(drop)
}
