//! The address that callers reach a listener by.

use std::net::SocketAddr;

use url::Url;

use crate::start_error::StartError;

/// The public base address. Without TLS only a loopback address is allowed (decision 0003).
pub(crate) fn public_url(
    public: Option<&Url>,
    bound: SocketAddr,
    encrypted: bool,
) -> Result<String, StartError> {
    if let Some(public) = public {
        let loopback = matches!(public.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"));
        let plain =
            public.query().is_none() && public.fragment().is_none() && public.username().is_empty();
        if !plain || !(public.scheme() == "https" || (public.scheme() == "http" && loopback)) {
            return Err(StartError::InvalidPublicUrl {
                url: public.clone(),
            });
        }
        return Ok(public.as_str().trim_end_matches('/').to_owned());
    }
    match (encrypted, bound.ip()) {
        (false, ip) if ip.is_loopback() => Ok(format!("http://{bound}")),
        (false, _) => Err(StartError::NotEncrypted { address: bound }),
        (true, ip) if ip.is_unspecified() => Err(StartError::PublicUrlMissing { address: bound }),
        (true, _) => Ok(format!("https://{bound}")),
    }
}
