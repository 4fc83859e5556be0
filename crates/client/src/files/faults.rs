//! Faults of file operations, for tests: the operations below a folder are counted, and each can fail or stop the process.

use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::FileOperation;

/// What happens at the operation with a given number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFault {
    /// It fails with an input/output error, and later operations succeed.
    IoOnce,
    /// It and all later operations fail with an input/output error.
    IoFromThen,
    /// It and all later operations that need space fail, as on a full disk. A part of the content is written.
    NoSpaceFromThen,
    /// It waits until the faults are cleared, and is done then. Later operations do not wait.
    Hold,
    /// The process prints `stopped` and its threads that reach this or a later operation wait for ever. Another process
    /// then kills it.
    Stop,
}

/// The operations below a folder, as long as it lives.
pub struct FileFaults {
    plan: Arc<Plan>,
}

struct Plan {
    root: PathBuf,
    state: Mutex<PlanState>,
}

#[derive(Default)]
struct PlanState {
    operations: Vec<FileOperation>,
    /// With the number of operations before it.
    fault: Option<(usize, FileFault)>,
}

const HOLD_POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Each has its own folder, so that tests run in parallel.
static PLANS: Mutex<Vec<Arc<Plan>>> = Mutex::new(Vec::new());

impl FileFaults {
    /// Begins to count the operations below `root`.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let plan = Arc::new(Plan {
            root: root.into(),
            state: Mutex::default(),
        });
        lock(&PLANS).push(Arc::clone(&plan));
        Self { plan }
    }

    /// Injects a fault after `number` further operations. It replaces the earlier one.
    pub fn set(&self, number: usize, fault: FileFault) {
        let mut state = lock(&self.plan.state);
        state.fault = Some((state.operations.len() + number, fault));
    }

    /// Ends the faults.
    pub fn clear(&self) {
        lock(&self.plan.state).fault = None;
    }

    /// The operations so far.
    #[must_use]
    pub fn operations(&self) -> Vec<FileOperation> {
        lock(&self.plan.state).operations.clone()
    }
}

impl Drop for FileFaults {
    fn drop(&mut self) {
        self.clear();
        lock(&PLANS).retain(|plan| !Arc::ptr_eq(plan, &self.plan));
    }
}

/// Counts an operation, and fails it if its plan says so.
pub(super) fn before(operation: FileOperation, path: &Path) -> io::Result<()> {
    let plan = lock(&PLANS)
        .iter()
        .find(|plan| path.starts_with(&plan.root))
        .map(Arc::clone);
    let Some(plan) = plan else {
        return Ok(());
    };
    let fault = {
        let mut state = lock(&plan.state);
        state.operations.push(operation);
        let number = state.operations.len() - 1;
        state
            .fault
            .and_then(|(at, fault)| applies(fault, operation, at, number).then_some(fault))
    };
    match fault {
        None => Ok(()),
        Some(FileFault::IoOnce | FileFault::IoFromThen) => Err(io::Error::other("I/O error")),
        Some(FileFault::NoSpaceFromThen) => Err(ErrorKind::StorageFull.into()),
        Some(FileFault::Hold) => {
            while lock(&plan.state).fault.is_some() {
                std::thread::sleep(HOLD_POLL_INTERVAL);
            }
            Ok(())
        }
        Some(FileFault::Stop) => {
            let mut output = io::stdout();
            let _ = writeln!(output, "stopped").and_then(|()| output.flush());
            loop {
                std::thread::park();
            }
        }
    }
}

fn applies(fault: FileFault, operation: FileOperation, at: usize, number: usize) -> bool {
    match fault {
        FileFault::IoOnce | FileFault::Hold => number == at,
        FileFault::IoFromThen | FileFault::Stop => number >= at,
        FileFault::NoSpaceFromThen => {
            let needs_space = match operation {
                FileOperation::CreateFolder
                | FileOperation::Create
                | FileOperation::Write
                | FileOperation::Sync
                | FileOperation::Rename
                | FileOperation::SyncFolder
                | FileOperation::OpenLock => true,
                FileOperation::Read | FileOperation::List | FileOperation::Remove => false,
            };
            number >= at && needs_space
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
