//! The tenant of the window's organization, as its administrators administer it (decision 0184).

use invoicing_contract::messages::identity;
use invoicing_contract::{FieldMask, operation};

use super::Administration;
use super::tenants::{
    address_to_wire, changed_own_fields, number_to_wire, own_fields, own_numbers_to_latin_digits,
    tenant,
};
use crate::gateway::CallContext;
use crate::views::{CommandError, OwnTenantFields, TenantView};

impl Administration {
    pub(crate) async fn own_tenant(
        &self,
        context: &CallContext,
    ) -> Result<TenantView, CommandError> {
        let operation = &operation::GET_OWN_TENANT;
        let request = identity::GetOwnTenantRequest {};
        let answer: identity::Tenant = self.call(context, operation, &request).await?;
        Ok(tenant(answer))
    }

    /// Changes the fields that differ from those of the state that was read. They are changed also if the answer to an attempt was lost:
    /// then the tenant has them, with another stamp.
    pub(crate) async fn update_own_tenant(
        &self,
        context: &CallContext,
        before: TenantView,
        mut fields: OwnTenantFields,
    ) -> Result<TenantView, CommandError> {
        own_numbers_to_latin_digits(&mut fields.registration_number, &mut fields.address);
        let paths = changed_own_fields(&own_fields(&before.fields), &fields);
        if paths.is_empty() {
            return Ok(before);
        }
        let request = identity::UpdateOwnTenantRequest {
            tenant: Some(changes_to_wire(fields.clone())),
            concurrency_stamp: before.stamp.clone(),
            update_mask: Some(FieldMask::of(paths)),
            ..Default::default()
        };
        let changed = self
            .write::<identity::Tenant>(context, &operation::UPDATE_OWN_TENANT, &request)
            .await;
        let failed = match changed {
            Ok(changed) => return Ok(tenant(changed)),
            Err(failed) => failed,
        };
        if failed.may_be_done
            && let Ok(found) = self.own_tenant(context).await
            && found.stamp != before.stamp
            && own_fields(&found.fields) == fields
        {
            return Ok(found);
        }
        Err(failed.into())
    }
}

fn changes_to_wire(fields: OwnTenantFields) -> identity::OwnTenantChanges {
    identity::OwnTenantChanges {
        address: Some(address_to_wire(fields.address)),
        registration_number: number_to_wire(fields.registration_number),
    }
}
