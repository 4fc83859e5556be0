//! Binding of a listener.

use std::io;
use std::net::SocketAddr;

use tokio::net::TcpListener;

/// Why a listener cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program has the address.
    #[error("another program listens on {address}")]
    PortInUse {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system refuses the address.
    #[error("{address} cannot be listened on: {source}")]
    NotBound {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the operating system said.
        source: io::Error,
    },
}

/// Binds `address`.
///
/// # Errors
/// [`BindError::PortInUse`] or [`BindError::NotBound`].
pub async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), BindError> {
    let not_bound = |error: io::Error| {
        if error.kind() == io::ErrorKind::AddrInUse {
            return BindError::PortInUse {
                address,
                source: error,
            };
        }
        BindError::NotBound {
            address,
            source: error,
        }
    };
    let listener = TcpListener::bind(address).await.map_err(not_bound)?;
    let bound = listener.local_addr().map_err(not_bound)?;
    Ok((listener, bound))
}
