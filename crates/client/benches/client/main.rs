//! `cargo xtask bench client`: calls of the core beside the same calls of a bare HTTP client, drafts and the read cache.
//!
//! The gateway is a stub on a thread of its own, which answers at once with the same page: what is left is the client.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a benchmark reads the clock and prints its progress; a test prints its name"
)]

mod stub;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use invoicing_client::measurement::{ACCESS_TOKEN, Core, ORGANIZATION};
use invoicing_client::views::{InvoiceContent, LineContent};
use invoicing_contract::messages::simple;
use invoicing_contract::operation::LIST_INVOICES;

/// Any error; it is printed and ends the run.
type Problem = Box<dyn Error>;
type Figures = BTreeMap<&'static str, u64>;

const ROWS_OF_A_PAGE: usize = 100;

/// How often each thing is done.
struct Scale {
    pairs: usize,
    calls_of_a_pair: u32,
    saves: usize,
    cached_pages: usize,
    /// Calls before the memory is measured: the allocator and the pools have reached their size.
    warm_up: usize,
    calls: usize,
}

const WHOLE: Scale = Scale {
    pairs: 60,
    calls_of_a_pair: 300,
    saves: 300,
    cached_pages: 1_000,
    warm_up: 50_000,
    calls: 1_000_000,
};
/// To see that the benchmark runs. Its figures say nothing.
const QUICK: Scale = Scale {
    pairs: 2,
    calls_of_a_pair: 10,
    saves: 10,
    cached_pages: 10,
    warm_up: 10,
    calls: 100,
};

fn main() -> ExitCode {
    let has = |name: &str| std::env::args().any(|argument| argument == name);
    if has("--list") {
        // nextest asks for the tests, and then for those that are ignored.
        if !has("--ignored") {
            println!("benchmark_runs: test");
        }
        return ExitCode::SUCCESS;
    }
    // Only `cargo bench` measures. As a test it shows that it runs.
    let measures = has("--bench") && !has("--quick");
    match run(if measures { &WHOLE } else { &QUICK }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench client: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(scale: &Scale) -> Result<(), Problem> {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let folder = tempfile::Builder::new()
        .prefix("bench-client")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let page = stub::page(ROWS_OF_A_PAGE);
    let address = stub::serve(serde_json::to_vec(&page)?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let figures = runtime.block_on(async {
        let core = Core::new(&address, folder.path());
        let mut figures = Figures::new();
        saves(&core, scale, folder.path(), &mut figures).await?;
        cache(&core, scale, &page, &mut figures).await;
        calls(&core, scale, &address, &mut figures).await?;
        memory(&core, scale, &mut figures).await?;
        Ok::<_, Problem>(figures)
    })?;
    let lines: Vec<_> = figures
        .iter()
        .map(|(name, value)| format!("  \"{name}\": {value}"))
        .collect();
    let report = format!("{{\n{}\n}}\n", lines.join(",\n"));
    fs::write(
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-client.json"),
        report,
    )?;
    Ok(())
}

/// Calls in pairs, the first of each pair in turn, so that a change of the machine's speed meets both.
async fn calls(
    core: &Core,
    scale: &Scale,
    address: &str,
    figures: &mut Figures,
) -> Result<(), Problem> {
    let request = stub::request(0);
    let bare = Bare::new(address)?;
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for pair in 0..scale.pairs {
        let mut times = [Duration::ZERO; 2];
        for turn in 0..2 {
            let is_core = (pair + turn) % 2 == 0;
            let start = Instant::now();
            for _ in 0..scale.calls_of_a_pair {
                let rows = if is_core {
                    core.list(&request).await
                } else {
                    bare.list(&request).await?
                };
                assert_eq!(rows, ROWS_OF_A_PAGE);
            }
            times[usize::from(!is_core)] = start.elapsed();
        }
        let [core_time, bare_time] = times.map(|time| time / scale.calls_of_a_pair);
        ours.push(micros(core_time));
        theirs.push(micros(bare_time));
        ratios.push(micros(times[0]) * 1000 / micros(times[1]).max(1));
    }
    figures.insert("call/core-us", median(ours));
    figures.insert("call/bare-us", median(theirs));
    figures.insert("call/ratio-permille", median(ratios));
    Ok(())
}

/// The same request and response as the core's, with nothing that the core adds.
struct Bare {
    client: reqwest::Client,
    address: String,
}

impl Bare {
    fn new(address: &str) -> Result<Self, Problem> {
        Ok(Self {
            client: reqwest::Client::builder().no_proxy().build()?,
            address: format!("{address}{}", LIST_INVOICES.path),
        })
    }

    async fn list(&self, request: &simple::ListInvoicesRequest) -> Result<usize, Problem> {
        let response = self
            .client
            .post(&self.address)
            .bearer_auth(ACCESS_TOKEN)
            .header("x-idp-orgid", ORGANIZATION)
            .json(request)
            .send()
            .await?;
        let body = response.bytes().await?;
        let page: simple::ListInvoicesResponse = serde_json::from_slice(&body)?;
        Ok(page.items.len())
    }
}

async fn memory(core: &Core, scale: &Scale, figures: &mut Figures) -> Result<(), Problem> {
    let request = stub::request(0);
    for _ in 0..scale.warm_up {
        core.list(&request).await;
    }
    let before = resident_kib()?;
    for call in 0..scale.calls {
        core.list(&request).await;
        if call % 100_000 == 0 {
            eprintln!("{call} calls, {} KiB", resident_kib()?);
        }
    }
    let after = resident_kib()?;
    figures.insert("memory/calls", scale.calls as u64);
    figures.insert("memory/before-kib", before);
    figures.insert("memory/growth-kib", after.saturating_sub(before));
    Ok(())
}

/// Saves of one draft, and writes of as many bytes that reach the disk in the same way.
async fn saves(
    core: &Core,
    scale: &Scale,
    folder: &Path,
    figures: &mut Figures,
) -> Result<(), Problem> {
    let key = "0199f3a0-0000-7000-8000-000000000002".into();
    let content = InvoiceContent {
        currency: "SAR".to_owned(),
        lines: vec![LineContent::default(); 20],
        ..InvoiceContent::default()
    };
    let size = serde_json::to_vec(&content)?.len();
    let (mut saves, mut writes, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..scale.saves {
        let content = InvoiceContent {
            note: number.to_string(),
            ..content.clone()
        };
        let start = Instant::now();
        core.save_draft(&key, content).await;
        let save = micros(start.elapsed());
        let start = Instant::now();
        write_and_sync(&folder.join("bare"), &vec![0; size])?;
        let write = micros(start.elapsed());
        saves.push(save);
        writes.push(write);
        own.push(save.saturating_sub(write));
    }
    figures.insert("draft/save-us", median(saves));
    figures.insert("draft/bare-write-us", median(writes));
    figures.insert("draft/own-us", median(own));
    Ok(())
}

fn write_and_sync(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    use std::io::Write as _;
    let temporary = path.with_extension("new");
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    File::open(path.parent().ok_or("no folder")?)?.sync_all()?;
    Ok(())
}

async fn cache(
    core: &Core,
    scale: &Scale,
    page: &simple::ListInvoicesResponse,
    figures: &mut Figures,
) {
    let mut stores = Vec::new();
    for number in 0..scale.cached_pages {
        let start = Instant::now();
        core.cache_list(&stub::request(number), page).await;
        stores.push(micros(start.elapsed()));
    }
    let mut opens = Vec::new();
    for _ in 0..21 {
        let start = Instant::now();
        let rows = core.open_cached_list(&stub::request(0)).await;
        opens.push(micros(start.elapsed()));
        assert_eq!(rows, ROWS_OF_A_PAGE, "the page was evicted");
    }
    figures.insert("cache/store-page-us", median(stores));
    figures.insert("cache/first-page-of-100000-us", median(opens));
}

fn resident_kib() -> Result<u64, Problem> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    kib.ok_or_else(|| "the system does not tell its memory".into())
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}
