//! Messages about tenants and organizations, from their records.

use invoice::content::Identifier;
use invoicing_contract::messages::identity::tenant::State;
use invoicing_contract::messages::identity::tenant_revision::Action;
use invoicing_contract::messages::identity::{
    Address, CallerOrganization, ListCallerOrganizationsResponse,
    Organization as OrganizationMessage, Profile, RegistrationNumber, Tenant as TenantMessage,
    TenantChanges, TenantFieldChange, TenantRevision,
};
use invoicing_storage::directory::{Organization, Tenant, TenantAddress, TenantRegion};
use invoicing_storage::tenants::{OrganizationState, TenantAction};

use super::tenants::{FieldChange, Revision, TenantFields};

pub(super) fn to_tenant(tenant: Tenant) -> TenantMessage {
    let state = to_state(OrganizationState::of(Some(&tenant)));
    let has_profile = tenant.has_profile();
    let Tenant {
        organization,
        currency,
        country,
        time_zone,
        tax_id,
        registration_number,
        address,
        concurrency_stamp,
        disabled_at,
        ..
    } = tenant;
    TenantMessage {
        organization_id: organization.id.into_string(),
        name: organization.name,
        name_ar: organization.name_ar,
        domain: organization.domain,
        profile: has_profile.then(|| Profile {
            currency,
            country,
            time_zone,
            tax_id,
            address: Some(to_address(address)),
            registration_number: to_registration_number(registration_number),
        }),
        state: state.into(),
        concurrency_stamp,
        disabled_time: disabled_at.map(Into::into),
    }
}

pub(super) fn to_organization(
    organization: Organization,
    tenant: Option<&Tenant>,
) -> OrganizationMessage {
    OrganizationMessage {
        organization_id: organization.id.into_string(),
        name: organization.name,
        name_ar: organization.name_ar,
        domain: organization.domain,
        state: to_state(OrganizationState::of(tenant)).into(),
    }
}

pub(super) fn to_caller_organizations(
    organizations: Vec<(Organization, Option<TenantRegion>)>,
) -> ListCallerOrganizationsResponse {
    let items = organizations.into_iter().map(|(organization, region)| {
        let region = region.unwrap_or_default();
        CallerOrganization {
            organization_id: organization.id.into_string(),
            name: organization.name,
            name_ar: organization.name_ar,
            domain: organization.domain,
            time_zone: region.time_zone,
            country: region.country,
            currency: region.currency,
        }
    });
    ListCallerOrganizationsResponse {
        items: items.collect(),
    }
}

pub(super) fn to_revision(revision: Revision) -> TenantRevision {
    let action = match revision.action {
        TenantAction::Created => Action::Created,
        TenantAction::ProfileCompleted => Action::ProfileCompleted,
        TenantAction::Updated => Action::Updated,
        TenantAction::Disabled => Action::Disabled,
        TenantAction::Enabled => Action::Enabled,
    };
    let change = |change: FieldChange| TenantFieldChange {
        field: change.field,
        before: change.before,
        after: change.after,
    };
    TenantRevision {
        revision: revision.revision,
        time: Some(revision.at.into()),
        actor: revision.actor,
        action: action.into(),
        changes: revision.changes.into_iter().map(change).collect(),
    }
}

/// The fields of a tenant that can be changed.
pub(super) fn to_changes(tenant: &Tenant) -> TenantChanges {
    let TenantFields {
        name,
        name_ar,
        time_zone,
        tax_id,
        registration_number,
        address,
    } = TenantFields::of(tenant);
    TenantChanges {
        name,
        name_ar,
        time_zone,
        tax_id,
        address: Some(to_address(address)),
        registration_number: to_registration_number(registration_number),
    }
}

pub(super) fn from_changes(changes: TenantChanges) -> TenantFields {
    TenantFields {
        name: changes.name,
        name_ar: changes.name_ar,
        time_zone: changes.time_zone,
        tax_id: changes.tax_id,
        registration_number: from_registration_number(changes.registration_number),
        address: from_address(changes.address),
    }
}

pub(super) fn from_address(address: Option<Address>) -> TenantAddress {
    let Address {
        building,
        street,
        district,
        city,
        postal_code,
    } = address.unwrap_or_default();
    TenantAddress {
        building,
        street,
        district,
        city,
        postal_code,
    }
}

pub(super) fn from_registration_number(number: Option<RegistrationNumber>) -> Identifier {
    let RegistrationNumber { scheme, value } = number.unwrap_or_default();
    Identifier { scheme, value }
}

/// The state that a filter names; `None` for every state.
pub(super) const fn from_state(state: State) -> Option<OrganizationState> {
    match state {
        State::Unspecified => None,
        State::NoTenant => Some(OrganizationState::NoTenant),
        State::ProfileIncomplete => Some(OrganizationState::ProfileIncomplete),
        State::Active => Some(OrganizationState::Active),
        State::Disabled => Some(OrganizationState::Disabled),
    }
}

const fn to_state(state: OrganizationState) -> State {
    match state {
        OrganizationState::NoTenant => State::NoTenant,
        OrganizationState::ProfileIncomplete => State::ProfileIncomplete,
        OrganizationState::Active => State::Active,
        OrganizationState::Disabled => State::Disabled,
    }
}

fn to_address(address: TenantAddress) -> Address {
    Address {
        building: address.building,
        street: address.street,
        district: address.district,
        city: address.city,
        postal_code: address.postal_code,
    }
}

/// `None`: there is none.
fn to_registration_number(number: Identifier) -> Option<RegistrationNumber> {
    let Identifier { scheme, value } = number;
    (!value.is_empty()).then_some(RegistrationNumber { scheme, value })
}
