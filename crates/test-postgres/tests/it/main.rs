//! The commands for operators, run on a server of their own.

mod recovery;
