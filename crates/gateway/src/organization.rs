//! Which organization a request targets (contract, part 5, "Multi-organization access"; decision 0025, steps 4 and 5).

use http::HeaderMap;

use invoicing_storage::access::Principal;

/// Longest organization id.
const LONGEST: usize = 64;

/// The id in the header if there is one, else the caller's home. `None`: the header names nothing that is granted, or there is
/// neither.
pub(super) fn targeted<'request>(
    headers: &'request HeaderMap,
    header: &str,
    principal: &'request Principal,
) -> Option<&'request str> {
    let mut values = headers.get_all(header).iter();
    let Some(value) = values.next() else {
        return principal.home_organization.as_deref();
    };
    if values.next().is_some() {
        return None;
    }
    let id = value.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let fits = (1..=LONGEST).contains(&id.len()) && id.bytes().all(plain);
    (fits && principal.granted(id)).then_some(id)
}
