//! Tenants, as an operator administers them.

use invoicing_contract::messages::identity;
use invoicing_contract::{Code, FieldMask, OrganizationId, operation};

use super::{Administration, PAGE_SIZE, from_wire::time};
use crate::gateway::CallContext;
use crate::invoices::to_latin_digits;
use crate::rng::time_ordered_id;
use crate::views::{
    AddressFields, CommandError, CreatedTenant, IdentifierContent, NewTenant, OwnTenantFields,
    TenantAction, TenantChange, TenantFields, TenantHistoryPage, TenantPage, TenantRevision,
    TenantState, TenantView,
};

impl Administration {
    pub(crate) async fn tenants(
        &self,
        context: &CallContext,
        text: String,
        state: Option<TenantState>,
        page: String,
    ) -> Result<TenantPage, CommandError> {
        use identity::tenant::State;
        let state = match state {
            None => State::Unspecified,
            Some(TenantState::ProfileIncomplete) => State::ProfileIncomplete,
            Some(TenantState::Active) => State::Active,
            Some(TenantState::Disabled) => State::Disabled,
        };
        let request = identity::ListTenantsRequest {
            filter: Some(identity::OrganizationFilter {
                text,
                state: state.into(),
                ..Default::default()
            }),
            page_size: PAGE_SIZE,
            page_token: page,
        };
        let answer: identity::ListTenantsResponse = self
            .call(context, &operation::LIST_TENANTS, &request)
            .await?;
        Ok(TenantPage {
            tenants: answer.items.into_iter().map(tenant).collect(),
            next_page: answer.next_page_token,
        })
    }

    /// Creates a tenant. It is not tried again by itself: the credentials of an attempt whose answer was lost are lost too.
    pub(crate) async fn create_tenant(
        &self,
        context: &CallContext,
        new: NewTenant,
    ) -> Result<CreatedTenant, CommandError> {
        let once = CallContext {
            retries: false,
            ..context.clone()
        };
        let fields = in_latin_digits(new.fields);
        let request = identity::CreateTenantRequest {
            organization_id: time_ordered_id(&*self.clock, &*self.rng).to_string(),
            name: fields.name,
            name_ar: fields.name_ar,
            domain: new.domain,
            profile: Some(identity::Profile {
                currency: new.currency,
                country: new.country,
                time_zone: fields.time_zone,
                tax_id: fields.tax_id,
                address: Some(address_to_wire(fields.address)),
                registration_number: number_to_wire(fields.registration_number),
            }),
        };
        let answer: identity::CreateTenantResponse = self
            .write(&once, &operation::CREATE_TENANT, &request)
            .await?;
        Ok(CreatedTenant {
            tenant: tenant(answer.tenant.unwrap_or_default()),
            client_id: answer.client_id,
            client_secret: answer.client_secret.into(),
        })
    }

    /// Changes the fields that differ from those of the state that was read. They are changed also if the answer to an attempt was lost:
    /// then the tenant has them, with another stamp.
    pub(crate) async fn update_tenant(
        &self,
        context: &CallContext,
        before: TenantView,
        fields: TenantFields,
    ) -> Result<TenantView, CommandError> {
        let fields = in_latin_digits(fields);
        let paths = changed_fields(&before.fields, &fields);
        if paths.is_empty() {
            return Ok(before);
        }
        let request = identity::UpdateTenantRequest {
            organization_id: before.id.as_str().to_owned(),
            tenant: Some(changes_to_wire(fields.clone())),
            concurrency_stamp: before.stamp.clone(),
            update_mask: Some(FieldMask::of(paths)),
            ..Default::default()
        };
        let changed = self
            .write::<identity::Tenant>(context, &operation::UPDATE_TENANT, &request)
            .await;
        let failed = match changed {
            Ok(changed) => return Ok(tenant(changed)),
            Err(failed) => failed,
        };
        if failed.may_be_done
            && let Ok(Some(found)) = self.find_tenant(context, &before.id).await
            && found.stamp != before.stamp
            && found.fields == fields
        {
            return Ok(found);
        }
        Err(failed.into())
    }

    /// The tenant of an organization.
    async fn find_tenant(
        &self,
        context: &CallContext,
        id: &OrganizationId,
    ) -> Result<Option<TenantView>, CommandError> {
        let text = id.as_str().to_owned();
        let page = self.tenants(context, text, None, String::new()).await?;
        Ok(page.tenants.into_iter().find(|tenant| tenant.id == *id))
    }

    /// Disables or enables a tenant.
    pub(crate) async fn set_tenant_enabled(
        &self,
        context: &CallContext,
        organization_id: String,
        enabled: bool,
    ) -> Result<TenantView, CommandError> {
        let changed: identity::Tenant = if enabled {
            let request = identity::EnableTenantRequest { organization_id };
            self.write(context, &operation::ENABLE_TENANT, &request)
                .await?
        } else {
            let request = identity::DisableTenantRequest { organization_id };
            self.write(context, &operation::DISABLE_TENANT, &request)
                .await?
        };
        Ok(tenant(changed))
    }

    /// The changes of a tenant, newest first.
    pub(crate) async fn tenant_history(
        &self,
        context: &CallContext,
        organization_id: String,
        page: String,
    ) -> Result<TenantHistoryPage, CommandError> {
        let request = identity::GetTenantHistoryRequest {
            organization_id,
            page_size: PAGE_SIZE,
            page_token: page,
        };
        let operation = &operation::GET_TENANT_HISTORY;
        match self.gateway.call(context, operation, None, &request).await {
            Ok(identity::TenantHistory {
                items,
                next_page_token,
            }) => Ok(TenantHistoryPage {
                revisions: items.into_iter().filter_map(revision).collect(),
                next_page: next_page_token,
            }),
            // The tenant was created before revisions were kept.
            Err(error) if error.code() == Some(Code::NotFound) => Ok(TenantHistoryPage::default()),
            Err(error) => Err(error.to_command_error(context, operation, self.clock.now())),
        }
    }
}

pub(super) fn tenant(tenant: identity::Tenant) -> TenantView {
    use identity::tenant::State;
    let state = match tenant.state() {
        State::Active | State::Unspecified => TenantState::Active,
        State::NoTenant | State::ProfileIncomplete => TenantState::ProfileIncomplete,
        State::Disabled => TenantState::Disabled,
    };
    let profile = tenant.profile.unwrap_or_default();
    let address = profile.address.unwrap_or_default();
    let number = profile.registration_number.unwrap_or_default();
    TenantView {
        state,
        id: tenant.organization_id.as_str().into(),
        fields: TenantFields {
            name: tenant.name,
            name_ar: tenant.name_ar,
            time_zone: profile.time_zone,
            tax_id: profile.tax_id,
            registration_number: IdentifierContent {
                scheme: number.scheme,
                value: number.value,
            },
            address: AddressFields {
                building: address.building,
                street: address.street,
                district: address.district,
                city: address.city,
                postal_code: address.postal_code,
            },
        },
        domain: tenant.domain,
        currency: profile.currency,
        country: profile.country,
        stamp: tenant.concurrency_stamp,
        disabled: time(tenant.disabled_time),
    }
}

fn revision(revision: identity::TenantRevision) -> Option<TenantRevision> {
    use identity::tenant_revision::Action;
    let action = match revision.action() {
        Action::Unspecified => return None,
        Action::Created => TenantAction::Created,
        Action::ProfileCompleted => TenantAction::ProfileCompleted,
        Action::Updated => TenantAction::Updated,
        Action::Disabled => TenantAction::Disabled,
        Action::Enabled => TenantAction::Enabled,
    };
    Some(TenantRevision {
        action,
        revision: i32::try_from(revision.revision).unwrap_or(i32::MAX),
        time: time(revision.time).unwrap_or_default(),
        by: revision.actor,
        changes: revision
            .changes
            .into_iter()
            .map(|change| TenantChange {
                field: change.field,
                before: change.before,
                after: change.after,
            })
            .collect(),
    })
}

fn changes_to_wire(fields: TenantFields) -> identity::TenantChanges {
    identity::TenantChanges {
        name: fields.name,
        name_ar: fields.name_ar,
        time_zone: fields.time_zone,
        tax_id: fields.tax_id,
        address: Some(address_to_wire(fields.address)),
        registration_number: number_to_wire(fields.registration_number),
    }
}

/// Absent if there is none: a service of the version before, as a replica is during an upgrade, refuses a field that it does not know.
pub(super) fn number_to_wire(number: IdentifierContent) -> Option<identity::RegistrationNumber> {
    let is_given = number != IdentifierContent::default();
    is_given.then_some(identity::RegistrationNumber {
        scheme: number.scheme,
        value: number.value,
    })
}

pub(super) fn address_to_wire(address: AddressFields) -> identity::Address {
    identity::Address {
        building: address.building,
        street: address.street,
        district: address.district,
        city: address.city,
        postal_code: address.postal_code,
    }
}

/// The paths of the fields that differ, in the names of the .proto file.
fn changed_fields(before: &TenantFields, after: &TenantFields) -> Vec<&'static str> {
    let mut paths = differing([
        ("name", &before.name, &after.name),
        ("name_ar", &before.name_ar, &after.name_ar),
        ("time_zone", &before.time_zone, &after.time_zone),
        ("tax_id", &before.tax_id, &after.tax_id),
    ]);
    paths.extend(changed_own_fields(&own_fields(before), &own_fields(after)));
    paths
}

/// What an administrator of the tenant can change of its fields.
pub(super) fn own_fields(fields: &TenantFields) -> OwnTenantFields {
    OwnTenantFields {
        registration_number: fields.registration_number.clone(),
        address: fields.address.clone(),
    }
}

/// The same of what an administrator of the tenant can change.
pub(super) fn changed_own_fields(
    before: &OwnTenantFields,
    after: &OwnTenantFields,
) -> Vec<&'static str> {
    let (old, new) = (&before.address, &after.address);
    let (old_number, new_number) = (&before.registration_number, &after.registration_number);
    differing([
        (
            "registration_number.scheme",
            &old_number.scheme,
            &new_number.scheme,
        ),
        (
            "registration_number.value",
            &old_number.value,
            &new_number.value,
        ),
        ("address.building", &old.building, &new.building),
        ("address.street", &old.street, &new.street),
        ("address.district", &old.district, &new.district),
        ("address.city", &old.city, &new.city),
        ("address.postal_code", &old.postal_code, &new.postal_code),
    ])
}

fn differing<const FIELDS: usize>(
    fields: [(&'static str, &str, &str); FIELDS],
) -> Vec<&'static str> {
    fields
        .into_iter()
        .filter(|(_, before, after)| before != after)
        .map(|(path, ..)| path)
        .collect()
}

/// The fields with the numbers of the seller in Latin digits, which the rules and the authorities ask for.
fn in_latin_digits(mut fields: TenantFields) -> TenantFields {
    to_latin_digits(&mut fields.tax_id);
    own_numbers_to_latin_digits(&mut fields.registration_number, &mut fields.address);
    fields
}

pub(super) fn own_numbers_to_latin_digits(
    number: &mut IdentifierContent,
    address: &mut AddressFields,
) {
    for text in [
        &mut number.value,
        &mut address.building,
        &mut address.postal_code,
    ] {
        to_latin_digits(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registration_number_that_is_empty_is_named_by_the_mask_alone() {
        let without = TenantFields::default();
        let with = TenantFields {
            registration_number: IdentifierContent {
                scheme: "CRN".to_owned(),
                value: "1010175397".to_owned(),
            },
            ..TenantFields::default()
        };
        assert_eq!(changes_to_wire(without.clone()).registration_number, None);
        assert!(changes_to_wire(with.clone()).registration_number.is_some());
        assert_eq!(
            changed_fields(&with, &without),
            ["registration_number.scheme", "registration_number.value"]
        );
    }
}
