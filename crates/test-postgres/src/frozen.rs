//! A server that is frozen: its host accepts connections and data, and nothing answers them.

use std::process::{Command, Stdio};

use crate::{Server, programs};

/// A server whose processes are stopped. They go on when the value is dropped.
#[derive(Debug)]
#[must_use = "it goes on when the value is dropped"]
pub struct Frozen(Vec<String>);

impl Server {
    /// Stops its processes with SIGSTOP. The system goes on accepting what is sent to them.
    pub fn freeze(&self) -> Frozen {
        let main = &self.processes()[0];
        programs::run(Command::new("kill").args(["-STOP", main]));
        // The main process starts no others any more.
        let processes = self.processes();
        for process in &processes {
            // One may have ended by itself.
            signal("-STOP", process);
        }
        Frozen(processes)
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        // The main one last: it does not take the others for lost.
        for process in self.0.iter().rev() {
            signal("-CONT", process);
        }
    }
}

fn signal(name: &str, process: &str) {
    let mut kill = Command::new("kill");
    kill.args([name, process]).stderr(Stdio::null());
    let _ = kill.status();
}
