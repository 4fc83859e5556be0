//! A proxy between the store and the server that understands requests of the PostgreSQL protocol, and breaks one of them.

use std::io;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What happens to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The connection breaks before the server gets it.
    RequestLost,
    /// The server executes it, and the connection breaks before the client gets the answer.
    AnswerLost,
    /// The server answers with the error of this SQLSTATE and executes nothing. A transaction is aborted, a COMMIT rolls back.
    Error(&'static str),
    /// The server does not get it, and the connection stays open: what the client sends is accepted and not answered.
    NoAnswer,
}

/// Which request breaks, and how.
#[derive(Debug, Default)]
struct Plan {
    /// Requests until the one that breaks; `None` for none.
    fault: Option<(usize, Fault)>,
    /// Requests that come before the answer to any of them is given; 0 if each is answered at once.
    awaited: usize,
    /// Requests since the plan was made.
    requests: usize,
    fired: bool,
}

/// A connection to the server.
#[derive(Debug)]
struct ServerConnection {
    stream: TcpStream,
    /// The message that it began with.
    startup: Vec<u8>,
    /// The answer to that.
    greeting: Vec<u8>,
}

/// The server behind a proxy.
#[derive(Debug)]
struct Upstream {
    port: u16,
    /// Connections whose client is gone, for the next clients. `None` if each client gets a new one.
    idle: Option<Mutex<Vec<ServerConnection>>>,
}

impl Upstream {
    /// A connection that begins with the message `startup`.
    async fn connect(&self, startup: Vec<u8>) -> io::Result<ServerConnection> {
        if let Some(idle) = self.take(&startup) {
            return Ok(idle);
        }
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
        stream.set_nodelay(true)?;
        stream.write_all(&startup).await?;
        let (greeting, _) = read_answer(&mut stream).await?;
        Ok(ServerConnection {
            stream,
            startup,
            greeting,
        })
    }

    fn take(&self, startup: &[u8]) -> Option<ServerConnection> {
        let mut idle = self.idle.as_ref()?.lock().unwrap();
        let found = idle.iter().position(|one| one.startup == startup)?;
        Some(idle.swap_remove(found))
    }

    /// Ends what the client of a connection has begun, and makes it like a new one for the next client.
    async fn release(&self, mut connection: ServerConnection) -> io::Result<()> {
        let Some(idle) = &self.idle else {
            return Ok(());
        };
        for statement in ["ROLLBACK", "DISCARD ALL"] {
            let request = simple_query(statement);
            connection.stream.write_all(&request).await?;
            read_answer(&mut connection.stream).await?;
        }
        idle.lock().unwrap().push(connection);
        Ok(())
    }
}

/// A running proxy.
#[derive(Debug)]
pub(crate) struct Proxy {
    port: u16,
    plan: Arc<Mutex<Plan>>,
}

impl Proxy {
    /// A proxy to the server at `server`, a port of this machine.
    pub(crate) async fn start(server: u16) -> Self {
        let upstream = Upstream {
            port: server,
            idle: None,
        };
        Self::start_before(upstream).await
    }

    /// The same, but connections to the server outlive their clients: one that connects again gets a connection that is like a new
    /// one (`DISCARD ALL`), without a new process of the server that reads the catalogs first. Requests that prepare a statement are
    /// neither broken nor counted: how many there are depends on the fault before.
    pub(crate) async fn start_with_lasting_connections(server: u16) -> Self {
        let upstream = Upstream {
            port: server,
            idle: Some(Mutex::default()),
        };
        Self::start_before(upstream).await
    }

    async fn start_before(upstream: Upstream) -> Self {
        let upstream = Arc::new(upstream);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let plan = Arc::<Mutex<Plan>>::default();
        let plans = plan.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (plan, upstream) = (plans.clone(), upstream.clone());
                tokio::spawn(async move {
                    // Its end is what a test provokes.
                    let _ = relay(client, &upstream, &plan).await;
                });
            }
        });
        Self { port, plan }
    }

    /// Its port.
    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// Breaks the request after `skipped` others.
    pub(crate) fn arm(&self, skipped: usize, fault: Fault) {
        *self.plan.lock().unwrap() = Plan {
            fault: Some((skipped, fault)),
            ..Plan::default()
        };
    }

    /// Gives no answer until so many requests have come.
    pub(crate) fn await_requests(&self, awaited: usize) {
        *self.plan.lock().unwrap() = Plan {
            awaited,
            ..Plan::default()
        };
    }

    /// How many requests there were since it was armed or disarmed.
    pub(crate) fn requests(&self) -> usize {
        self.plan.lock().unwrap().requests
    }

    /// Breaks nothing any more. Whether a request was broken.
    pub(crate) fn disarm(&self) -> bool {
        std::mem::take(&mut *self.plan.lock().unwrap()).fired
    }
}

/// The fault of the next request.
fn next(plan: &Mutex<Plan>) -> Option<Fault> {
    let mut plan = plan.lock().unwrap();
    let at = plan.requests;
    plan.requests += 1;
    let (_, fault) = plan.fault.take_if(|(skipped, _)| *skipped == at)?;
    plan.fired = true;
    Some(fault)
}

fn awaits_requests(plan: &Mutex<Plan>) -> bool {
    let plan = plan.lock().unwrap();
    plan.requests < plan.awaited
}

async fn relay(mut client: TcpStream, upstream: &Upstream, plan: &Mutex<Plan>) -> io::Result<()> {
    client.set_nodelay(true)?;
    // The startup message has no type.
    let startup = read_body(&mut client).await?;
    let mut connection = upstream.connect(startup).await?;
    client.write_all(&connection.greeting).await?;
    let counts_preparations = upstream.idle.is_none();
    // The client sees the end first, as that of a connection which breaks.
    let _ = relay_requests(client, &mut connection.stream, plan, counts_preparations).await;
    upstream.release(connection).await
}

async fn relay_requests(
    mut client: TcpStream,
    server: &mut TcpStream,
    plan: &Mutex<Plan>,
    counts_preparations: bool,
) -> io::Result<()> {
    let mut state = b'I';
    let mut answers = Vec::new();
    loop {
        let (request, executes) = read_request(&mut client).await?;
        let fault = if executes || counts_preparations {
            next(plan)
        } else {
            None
        };
        match fault {
            None => server.write_all(&request).await?,
            Some(Fault::RequestLost) => return Ok(()),
            Some(Fault::AnswerLost) => {
                server.write_all(&request).await?;
                read_answer(server).await?;
                return Ok(());
            }
            Some(Fault::NoAnswer) => {
                tokio::io::copy(&mut client, &mut tokio::io::sink()).await?;
                return Ok(());
            }
            Some(Fault::Error(code)) => {
                if is_commit(&request) {
                    server.write_all(&simple_query("ROLLBACK")).await?;
                    state = read_answer(server).await?.1;
                } else if state == b'T' {
                    // What the client has sent already is refused too.
                    server.write_all(&simple_query("SELECT 1 / 0")).await?;
                    state = read_answer(server).await?.1;
                }
                client.write_all(&error(code, state)).await?;
                continue;
            }
        }
        let (answer, ready) = read_answer(server).await?;
        state = ready;
        answers.extend(answer);
        if !awaits_requests(plan) {
            client.write_all(&answers).await?;
            answers.clear();
        }
    }
}

/// The messages up to one that asks for an answer, and whether they execute a statement: others prepare or close one.
async fn read_request(from: &mut TcpStream) -> io::Result<(Vec<u8>, bool)> {
    let mut request = Vec::new();
    let mut executes = false;
    loop {
        let kind = read_message(from, &mut request).await?;
        executes |= matches!(kind, b'B' | b'Q');
        if matches!(kind, b'S' | b'Q') {
            return Ok((request, executes));
        }
        if kind == b'X' {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
    }
}

/// The messages up to ReadyForQuery, and the state of the transaction that it tells. Also up to the request for data of a COPY.
async fn read_answer(from: &mut TcpStream) -> io::Result<(Vec<u8>, u8)> {
    let mut answer = Vec::new();
    loop {
        let kind = read_message(from, &mut answer).await?;
        if matches!(kind, b'Z' | b'G') {
            let state = answer.last().copied().unwrap_or_default();
            return Ok((answer, state));
        }
    }
}

async fn read_message(from: &mut TcpStream, into: &mut Vec<u8>) -> io::Result<u8> {
    let kind = from.read_u8().await?;
    into.push(kind);
    into.extend(read_body(from).await?);
    Ok(kind)
}

/// The length, which counts itself, and the content.
async fn read_body(from: &mut TcpStream) -> io::Result<Vec<u8>> {
    let length = from.read_u32().await?;
    let mut body = length.to_be_bytes().to_vec();
    body.resize(usize::try_from(length).unwrap(), 0);
    from.read_exact(&mut body[4..]).await?;
    Ok(body)
}

fn is_commit(request: &[u8]) -> bool {
    request.first() == Some(&b'Q') && request.windows(6).any(|part| part == b"COMMIT")
}

fn message(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len() + 4).unwrap();
    [&[kind], &length.to_be_bytes()[..], content].concat()
}

fn simple_query(statement: &str) -> Vec<u8> {
    message(b'Q', format!("{statement}\0").as_bytes())
}

/// ErrorResponse and ReadyForQuery.
fn error(code: &str, state: u8) -> Vec<u8> {
    let fields = format!("SERROR\0VERROR\0C{code}\0Minjected\0\0");
    [message(b'E', fields.as_bytes()), message(b'Z', &[state])].concat()
}
