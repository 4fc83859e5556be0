//! What deploy/compose.yaml says about a service, read line by line: without what several services have in common.

use std::collections::BTreeMap;

/// The file.
const COMPOSE: &str = include_str!("../../../deploy/compose.yaml");
/// The file that is added to it after a failover.
const AFTER_FAILOVER: &str = include_str!("../../../deploy/compose.failover.yaml");

/// A service of the file.
#[derive(Debug)]
pub(crate) struct ComposeService {
    lines: Vec<&'static str>,
}

impl ComposeService {
    /// The service with this name.
    pub(crate) fn new(name: &str) -> Self {
        Self::of(COMPOSE, name)
    }

    /// What changes of it after a failover.
    pub(crate) fn after_failover(name: &str) -> Self {
        Self::of(AFTER_FAILOVER, name)
    }

    fn of(file: &'static str, name: &str) -> Self {
        let head = format!("  {name}:");
        let mut lines = file.lines().skip_while(|line| *line != head);
        assert!(lines.next().is_some(), "there is no service {name}");
        let lines = lines.take_while(|line| line.starts_with("    "));
        Self {
            lines: lines.collect(),
        }
    }

    /// The only word of `key`, which is a list on one line.
    pub(crate) fn word(&self, key: &str) -> &'static str {
        let line = self.lines.iter().find_map(|line| {
            let list = line.strip_prefix("    ")?.strip_prefix(key)?;
            list.strip_prefix(": [")?.strip_suffix(']')
        });
        line.unwrap_or_else(|| panic!("there is no list {key}"))
            .trim_matches('"')
    }

    /// Its variables. References to others are as they are in the file.
    pub(crate) fn environment(&self) -> BTreeMap<&'static str, &'static str> {
        let variables = self.below("environment");
        let variables = variables.filter_map(|line| line.split_once(": "));
        variables
            .map(|(name, value)| (name, value.trim_matches('"')))
            .collect()
    }

    /// Its volumes: a name or a path beside the file, and the path in the container.
    pub(crate) fn volumes(&self) -> Vec<(&'static str, &'static str)> {
        let volumes = self.below("volumes");
        let volumes = volumes.filter_map(|line| line.strip_prefix("- ")?.split_once(':'));
        volumes
            .map(|(source, target)| (source, target.trim_end_matches(":ro")))
            .collect()
    }

    /// The lines below `key`, without comments.
    fn below(&self, key: &str) -> impl Iterator<Item = &'static str> {
        let head = format!("    {key}:");
        let lines = self.lines.iter().copied();
        lines
            .skip_while(move |line| *line != head)
            .skip(1)
            .take_while(|line| line.starts_with("      "))
            .map(str::trim)
            .filter(|line| !line.starts_with('#'))
    }
}
