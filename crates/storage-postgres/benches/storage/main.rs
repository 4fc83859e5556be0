//! `cargo xtask bench storage`: operations of the store beside pgbench on the same server in the same run.
//!
//! The server writes to the disk at each commit. Load and server share the processors, as pgbench and server do.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a benchmark reads the clock, prints its progress, ends at the first error; a test prints its name"
)]

mod documents;
mod list_peers;
mod load;
mod peer;
mod sizes;
mod tokens;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_storage::SystemRng;
use invoicing_storage::suite::fixtures::populate;
use invoicing_storage_postgres::{Options, Postgres, migrate};
use invoicing_test_postgres::{Database, Server};

use self::list_peers::ListPeers;
use self::sizes::Sizes;

/// Whole numbers by name; the unit is in the name.
type Figures = BTreeMap<String, u64>;

/// Callers at the same time, as many as the peer has.
const CALLERS: usize = 16;

/// How a server is deployed (deploy/postgres/postgresql.conf). That compresses with lz4, which not every build of the server has.
const DEPLOYED: [&str; 3] = [
    "max_wal_size=4GB",
    "checkpoint_timeout=15min",
    "wal_compression=on",
];

/// As many callers as fill the statements and transactions that several share.
const MANY_CALLERS: usize = 128;

const TOKENS: [(&str, usize); 2] = [
    ("client-credentials", CALLERS),
    ("client-credentials-of-128", MANY_CALLERS),
];
/// Each organization has several of the callers, or one.
const ISSUES: [(&str, usize); 2] = [("issue", CALLERS), ("issue-of-128", MANY_CALLERS)];

/// How much is measured.
struct Scale {
    /// Each measurement of a rate.
    duration: Duration,
    /// Documents of the list.
    documents: u32,
    /// Reads of the list.
    reads: usize,
}

const WHOLE: Scale = Scale {
    duration: Duration::from_secs(10),
    documents: 1_000_000,
    reads: 60,
};
/// To see that the benchmark runs. Its figures say nothing.
const QUICK: Scale = Scale {
    duration: Duration::from_millis(100),
    documents: 2_000,
    reads: 3,
};

fn main() {
    let arguments: Vec<_> = std::env::args().collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    if has("--list") {
        // nextest asks for the tests, and then for those that are ignored.
        if !has("--ignored") {
            println!("benchmark_runs: test");
        }
        return;
    }
    // Only `cargo bench` measures. As a test it shows that it runs.
    let scale = if has("--quick") || !has("--bench") {
        QUICK
    } else {
        let documents = arguments
            .iter()
            .position(|argument| argument == "--documents");
        let documents = documents.and_then(|at| arguments.get(at + 1)?.parse().ok());
        Scale {
            documents: documents.unwrap_or(WHOLE.documents),
            ..WHOLE
        }
    };
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let figures = runtime.block_on(measure(&scale));
    let lines: Vec<_> = figures
        .iter()
        .map(|(name, value)| format!("  \"{name}\": {value}"))
        .collect();
    let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-storage.json");
    fs::write(report, format!("{{\n{}\n}}\n", lines.join(",\n"))).expect("the report is written");
}

async fn measure(scale: &Scale) -> Figures {
    let mut figures = Figures::new();
    measure_operations(scale, &mut figures).await;
    measure_slow_disk(scale, &mut figures).await;
    measure_standby(scale, &mut figures).await;
    figures
}

/// A server of its own with a database and its store.
struct Environment {
    store: Arc<Postgres>,
    // Dropped before its server.
    database: Database,
    server: Server,
}

impl Environment {
    /// A server as deployed, but with `settings`.
    async fn start(settings: &[&str]) -> Self {
        let server = Server::start(&[&DEPLOYED, settings].concat());
        let database = server
            .database("bench", async |owner_url| {
                let options = Options::from_url(owner_url).unwrap();
                migrate(&options, Timestamp::from_millis(0)).await.unwrap();
            })
            .await;
        let mut options = Options::from_url(database.application_url()).unwrap();
        options.connections = CALLERS;
        let store = Arc::new(Postgres::open(options, Arc::new(SystemRng)).await.unwrap());
        populate(&*store).await;
        Self {
            server,
            database,
            store,
        }
    }
}

/// All operations and lists, on this disk.
async fn measure_operations(scale: &Scale, figures: &mut Figures) {
    let environment = Environment::start(&["shared_buffers=512MB"]).await;
    let Environment {
        server,
        database,
        store,
    } = &environment;
    eprintln!("pgbench");
    let inserts = peer::inserts(database, scale, CALLERS);
    let inserts_of_one = peer::inserts(database, scale, 1);
    let selects = peer::selects(database, scale);
    figures.insert("peer/insert-16-per-s".to_owned(), inserts);
    figures.insert("peer/insert-1-per-s".to_owned(), inserts_of_one);
    figures.insert("peer/select-16-per-s".to_owned(), selects);
    let sizes = Sizes::connect(server, database).await;
    let mut recorder = Recorder::new(&sizes, "", figures).await;
    let duration = scale.duration;
    let measured = tokens::rotate(store, duration).await;
    recorder.record("rotation", &measured, inserts).await;
    for (name, callers) in TOKENS {
        let measured = tokens::insert(store, callers, duration).await;
        recorder.record(name, &measured, inserts).await;
    }
    tokens::prepare_admission(store).await;
    recorder.begin().await;
    let measured = tokens::admit(store, duration).await;
    recorder.record("admission", &measured, selects).await;
    let organizations = documents::add_organizations(store).await;
    recorder.begin().await;
    let measured = documents::create(store, &organizations, duration).await;
    recorder.record("create", &measured, inserts).await;
    for (name, callers) in ISSUES {
        let drafts = documents::prepare(store, &organizations, callers, duration).await;
        recorder.begin().await;
        let measured = documents::issue(store, drafts, duration).await;
        recorder.record(name, &measured, inserts).await;
    }
    let drafts = documents::prepare(store, &organizations[..1], CALLERS, duration).await;
    recorder.begin().await;
    let measured = documents::issue(store, drafts, duration).await;
    recorder
        .record("issue-one-organization", &measured, inserts_of_one)
        .await;
    eprintln!("{} documents", scale.documents);
    documents::fill(store, scale.documents).await;
    documents::analyze(server, database).await;
    sizes.measure(figures).await;
    let peers = ListPeers::connect(server, database, scale.reads).await;
    documents::read_lists(store, &peers, scale.reads, figures).await;
    store.close();
}

/// The operations that share transactions, on a disk that takes 2 ms to flush: what they save are flushes.
async fn measure_slow_disk(scale: &Scale, figures: &mut Figures) {
    // Whoever flushes the WAL for all that wait sleeps before.
    let settings = ["commit_delay=2000", "commit_siblings=0"];
    let environment = Environment::start(&settings).await;
    let Environment {
        server,
        database,
        store,
    } = &environment;
    eprintln!("pgbench with flushes of 2 ms");
    let inserts = peer::inserts(database, scale, CALLERS);
    let inserts_of_one = peer::inserts(database, scale, 1);
    figures.insert("slow-disk/peer/insert-16-per-s".to_owned(), inserts);
    figures.insert("slow-disk/peer/insert-1-per-s".to_owned(), inserts_of_one);
    let sizes = Sizes::connect(server, database).await;
    let mut recorder = Recorder::new(&sizes, "slow-disk/", figures).await;
    let duration = scale.duration;
    for (name, callers) in TOKENS {
        let measured = tokens::insert(store, callers, duration).await;
        recorder.record(name, &measured, inserts).await;
    }
    let organizations = documents::add_organizations(store).await;
    let drafts = documents::prepare(store, &organizations[..1], CALLERS, duration).await;
    recorder.begin().await;
    let measured = documents::issue(store, drafts, duration).await;
    recorder
        .record("issue-one-organization", &measured, inserts_of_one)
        .await;
    store.close();
}

/// Writes beside a standby that has each of them on its disk before it is acknowledged, as ratios to those without. Primary,
/// standby and load share the processors.
async fn measure_standby(scale: &Scale, figures: &mut Figures) {
    // It ends after its primary: without it, the primary would wait for it when the database is dropped.
    let _standby;
    let environment = Environment::start(&[]).await;
    let Environment { server, store, .. } = &environment;
    let organizations = documents::add_organizations(store).await;
    let measure = async || {
        // The first write to a page after a checkpoint, as before the copy for a standby, puts the whole page into the WAL: not measured.
        documents::create(store, &organizations, scale.duration).await;
        let created = documents::create(store, &organizations, scale.duration).await;
        let drafts = documents::prepare(store, &organizations, CALLERS, scale.duration).await;
        let issued = documents::issue(store, drafts, scale.duration).await;
        [("create", created), ("issue", issued)]
    };
    let alone = measure().await;
    _standby = Server::standby_of(server, &DEPLOYED);
    server.require_standby().await;
    for ((name, with), (_, without)) in measure().await.into_iter().zip(alone) {
        let ratio = with.per_second * 1_000 / without.per_second.max(1);
        eprintln!(
            "standby/{name}: {} per second, without {}",
            with.per_second, without.per_second
        );
        figures.insert(format!("standby/{name}/per-s"), with.per_second);
        figures.insert(format!("standby/{name}/alone-per-s"), without.per_second);
        figures.insert(format!("standby/{name}/ratio-permille"), ratio);
    }
    store.close();
}

/// Writes down the rates of operations, and what each wrote to the WAL.
struct Recorder<'a> {
    sizes: &'a Sizes,
    /// Of the names of the figures.
    prefix: &'static str,
    figures: &'a mut Figures,
    /// Of the WAL, before the operation.
    position: u64,
}

impl<'a> Recorder<'a> {
    async fn new(sizes: &'a Sizes, prefix: &'static str, figures: &'a mut Figures) -> Self {
        let position = sizes.wal().await;
        Self {
            sizes,
            prefix,
            figures,
            position,
        }
    }

    /// What was written until now belongs to no operation.
    async fn begin(&mut self) {
        self.position = self.sizes.wal().await;
    }

    /// Writes down a rate, and its ratio to that of its peer.
    async fn record(&mut self, name: &str, measured: &load::Rate, of: u64) {
        let before = self.position;
        self.begin().await;
        let wal = (self.position - before) / measured.count.max(1);
        eprintln!("{}{name}: {} per second", self.prefix, measured.per_second);
        for (what, value) in [
            ("per-s", measured.per_second),
            ("p99-us", measured.p99_micros),
            ("ratio-permille", measured.per_second * 1_000 / of.max(1)),
            ("wal-bytes", wal),
        ] {
            let name = format!("{}{name}/{what}", self.prefix);
            self.figures.insert(name, value);
        }
    }
}
