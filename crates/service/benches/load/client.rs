//! The load generator: each connection sends its next request after the previous response and records the latency.
//!
//! It does less work per request than any server (no parser, no allocation, one read and one write), so that it is not the
//! bottleneck; the report contains its processor use. It never sleeps: waking an idle core costs the server more than most of
//! a response, especially in a virtual machine, and would favor the faster server.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use super::Problem;

/// The longest response, of a list.
const MAX_RESPONSE_BYTES: usize = 256 * 1024;

/// The requests of a scenario and the check of their responses. It runs on one thread: interior state needs no lock.
pub(crate) trait Load {
    /// Writes the next request of a connection. False when there is nothing left to send.
    fn request(&self, connection: usize, into: &mut Vec<u8>) -> bool;
    /// Whether the body of a 200 response is the expected one.
    fn is_expected(&self, connection: usize, body: &[u8]) -> bool;
}

/// The measurements of one run.
#[derive(Debug, Default)]
pub(crate) struct Measurements {
    /// Responses within the window.
    pub(crate) responses: u64,
    /// Unexpected responses and broken connections.
    pub(crate) errors: u64,
    /// Latency of each response: microseconds from the first byte sent to the last received.
    pub(crate) latencies: Vec<u32>,
}

impl Measurements {
    /// The `per_mille` percentile of the latencies, in microseconds.
    pub(crate) fn percentile(&mut self, per_mille: usize) -> u64 {
        self.latencies.sort_unstable();
        let at = self.latencies.len() * per_mille / 1000;
        let last = self.latencies.len().saturating_sub(1);
        self.latencies
            .get(at.min(last))
            .copied()
            .map_or(0, u64::from)
    }
}

/// Sends `load` over `connections`: first `settle` without measurement, then measured for `window`.
pub(crate) fn run(
    runtime: &tokio::runtime::Runtime,
    address: SocketAddr,
    connections: usize,
    settle: Duration,
    window: Duration,
    load: &Rc<dyn Load>,
) -> Result<Measurements, Problem> {
    LocalSet::new().block_on(runtime, async {
        let mut streams = Vec::new();
        for _ in 0..connections {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            streams.push(stream);
        }
        let begins = Instant::now() + settle;
        let ends = begins + window;
        let tasks: Vec<_> = streams
            .into_iter()
            .enumerate()
            .map(|(number, stream)| {
                tokio::task::spawn_local(run_connection(number, stream, load.clone(), begins, ends))
            })
            .collect();
        let busy_loop = tokio::task::spawn_local(async {
            loop {
                tokio::task::yield_now().await;
            }
        });
        let mut all = Measurements::default();
        for task in tasks {
            let measurements = task.await?;
            all.responses += measurements.responses;
            all.errors += measurements.errors;
            all.latencies.extend(measurements.latencies);
        }
        busy_loop.abort();
        Ok(all)
    })
}

#[expect(
    clippy::future_not_send,
    reason = "the load generator runs on one thread"
)]
async fn run_connection(
    number: usize,
    mut stream: TcpStream,
    load: Rc<dyn Load>,
    begins: Instant,
    ends: Instant,
) -> Measurements {
    let mut measurements = Measurements::default();
    let mut request = Vec::with_capacity(1024);
    let mut response = vec![0; MAX_RESPONSE_BYTES];
    loop {
        request.clear();
        let sent = Instant::now();
        if sent >= ends || !load.request(number, &mut request) {
            return measurements;
        }
        let body = exchange(&mut stream, &request, &mut response).await;
        let now = Instant::now();
        let expected = match body {
            Ok(Some((from, to))) => load.is_expected(number, &response[from..to]),
            Ok(None) => false,
            Err(_) => {
                measurements.errors += 1;
                return measurements;
            }
        };
        if !expected {
            measurements.errors += 1;
        }
        if sent >= begins && now <= ends {
            measurements.responses += 1;
            let micros = now.duration_since(sent).as_micros();
            measurements
                .latencies
                .push(u32::try_from(micros).unwrap_or(u32::MAX));
        }
    }
}

/// Sends one request and reads its response; the range of its body in `response`, or `None` if its status is not 200.
async fn exchange(
    stream: &mut TcpStream,
    request: &[u8],
    response: &mut [u8],
) -> std::io::Result<Option<(usize, usize)>> {
    stream.write_all(request).await?;
    let mut filled = 0;
    let mut complete = None;
    loop {
        let read = stream.read(&mut response[filled..]).await?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        filled += read;
        if complete.is_none() {
            complete = body_range(&response[..filled]);
        }
        if let Some((body, end)) = complete
            && filled >= end
        {
            let ok = response.starts_with(b"HTTP/1.1 200");
            return Ok(ok.then_some((body, end)));
        }
    }
}

/// Start and end of the body, once the head is complete.
fn body_range(response: &[u8]) -> Option<(usize, usize)> {
    let body = find(response, b"\r\n\r\n")? + 4;
    let head = &response[..body];
    let length = find(head, b"content-length: ")? + b"content-length: ".len();
    let digits = head[length..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    let length = digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0'));
    Some((body, body + length))
}

/// The position of `needle` in `haystack`.
pub(crate) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}
