//! The organization that a request is scoped to (contract, part 5, "Multi-organization access"; decision 0025, steps 4 and 5).

use http::HeaderMap;
use invoicing_contract::OrganizationId;
use invoicing_storage::access::Principal;

/// Most bytes of an organization id.
pub(crate) const MAX_ID_BYTES: usize = 64;

/// The id in the header `header_name` if the request has it, else the principal's home organization.
///
/// `None` if the header is repeated, is not an id, or names an organization in which the principal has no role; and if there is
/// neither a header nor a home organization.
pub(crate) fn target_organization<'request>(
    headers: &'request HeaderMap,
    header_name: &str,
    principal: &'request Principal,
) -> Option<&'request OrganizationId> {
    let mut values = headers.get_all(header_name).iter();
    let Some(value) = values.next() else {
        return principal.home_organization.as_ref();
    };
    if values.next().is_some() {
        return None;
    }
    let id = value.to_str().ok()?;
    let is_id_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let is_id = (1..=MAX_ID_BYTES).contains(&id.len()) && id.bytes().all(is_id_byte);
    is_id.then(|| principal.granted_organization(id)).flatten()
}
