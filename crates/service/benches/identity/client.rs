//! The load: connections that each send the next request when the last one is answered, and note how long it took.
//!
//! It does less for a request than any server must (no parser, no allocation, one read and one write), so that it is not
//! what is measured; how busy it was stands in the report. It never sleeps: to wake a sleeping core costs the server more
//! than most of an answer, above all in a virtual machine, and the faster of two servers would be spared it.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::Problem;

/// What connections send, and what they do with the answers. One thread: interior state needs no lock.
pub(crate) trait Load {
    /// Writes the next request of a connection. False when there is nothing left to send.
    fn request(&self, connection: usize, into: &mut Vec<u8>) -> bool;
    /// Whether the body of a 200 is what was asked for.
    fn answered(&self, connection: usize, body: &[u8]) -> bool;
}

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Answers within the window.
    pub(crate) answers: u64,
    /// Answers that were not what was asked for, and connections that broke.
    pub(crate) errors: u64,
    /// One entry each: microseconds from the first byte sent to the last received.
    pub(crate) latencies: Vec<u32>,
}

impl Seen {
    /// The latency that `per_mille` of all answers did not exceed, in microseconds.
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

/// Sends `load` over that many connections: first `settle` unnoted, then `window`.
pub(crate) fn run(
    runtime: &tokio::runtime::Runtime,
    address: SocketAddr,
    connections: usize,
    settle: Duration,
    window: Duration,
    load: &Rc<dyn Load>,
) -> Result<Seen, Problem> {
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
                tokio::task::spawn_local(one(number, stream, load.clone(), begins, ends))
            })
            .collect();
        let awake = tokio::task::spawn_local(async {
            loop {
                tokio::task::yield_now().await;
            }
        });
        let mut all = Seen::default();
        for task in tasks {
            let seen = task.await?;
            all.answers += seen.answers;
            all.errors += seen.errors;
            all.latencies.extend(seen.latencies);
        }
        awake.abort();
        Ok(all)
    })
}

#[expect(
    clippy::future_not_send,
    reason = "all of it runs on the one thread of the load"
)]
async fn one(
    number: usize,
    mut stream: TcpStream,
    load: Rc<dyn Load>,
    begins: Instant,
    ends: Instant,
) -> Seen {
    let mut seen = Seen::default();
    let mut request = Vec::with_capacity(1024);
    let mut answer = vec![0; 16 * 1024];
    loop {
        request.clear();
        let sent = Instant::now();
        if sent >= ends || !load.request(number, &mut request) {
            return seen;
        }
        let body = exchange(&mut stream, &request, &mut answer).await;
        let now = Instant::now();
        let right = match body {
            Ok(Some((from, to))) => load.answered(number, &answer[from..to]),
            Ok(None) => false,
            Err(_) => {
                seen.errors += 1;
                return seen;
            }
        };
        if !right {
            seen.errors += 1;
        }
        if sent >= begins && now <= ends {
            seen.answers += 1;
            let micros = now.duration_since(sent).as_micros();
            seen.latencies
                .push(u32::try_from(micros).unwrap_or(u32::MAX));
        }
    }
}

/// One request and its answer: where its body stands in `answer`, or `None` if its status is not 200.
async fn exchange(
    stream: &mut TcpStream,
    request: &[u8],
    answer: &mut [u8],
) -> std::io::Result<Option<(usize, usize)>> {
    stream.write_all(request).await?;
    let mut filled = 0;
    let mut whole = None;
    loop {
        let read = stream.read(&mut answer[filled..]).await?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        filled += read;
        if whole.is_none() {
            whole = extent(&answer[..filled]);
        }
        if let Some((body, end)) = whole
            && filled >= end
        {
            let ok = answer.starts_with(b"HTTP/1.1 200");
            return Ok(ok.then_some((body, end)));
        }
    }
}

/// Where the body begins and ends, once the head is there.
fn extent(answer: &[u8]) -> Option<(usize, usize)> {
    let body = find(answer, b"\r\n\r\n")? + 4;
    let head = &answer[..body];
    let length = find(head, b"content-length: ")? + b"content-length: ".len();
    let digits = head[length..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    let length = digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0'));
    Some((body, body + length))
}

/// Where `needle` begins in `haystack`.
pub(crate) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}
