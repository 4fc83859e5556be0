//! A TCP proxy in front of several processes: each connection goes to the next that accepts it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::{TcpListener, TcpStream};

/// Starts a proxy to `ports` of this machine. Its port.
pub(super) async fn start(ports: Vec<u16>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (ports, next) = (Arc::new(ports), Arc::new(AtomicUsize::new(0)));
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let (ports, next) = (ports.clone(), next.clone());
            tokio::spawn(async move {
                let first = next.fetch_add(1, Ordering::Relaxed);
                for at in 0..ports.len() {
                    let port = ports[(first + at) % ports.len()];
                    if let Ok(mut process) = TcpStream::connect(("127.0.0.1", port)).await {
                        // The end of either side ends the connection.
                        let _ = tokio::io::copy_bidirectional(&mut client, &mut process).await;
                        return;
                    }
                }
            });
        }
    });
    port
}
