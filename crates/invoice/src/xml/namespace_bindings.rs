//! The namespaces that the prefixes of an open element stand for.

/// The namespace index of an element outside the vocabulary.
pub(super) const UNKNOWN: usize = usize::MAX;

/// The prefix bindings in scope.
#[derive(Default)]
pub(super) struct NamespaceBindings {
    /// Innermost last.
    bindings: Vec<Binding>,
    /// The index of the binding that was looked up last, which is mostly that of the next element. `None` after a binding was
    /// added or removed.
    last: Option<usize>,
}

struct Binding {
    prefix: String,
    namespace: usize,
    depth: usize,
}

impl NamespaceBindings {
    /// Binds a prefix, within the element at `depth`.
    pub(super) fn add(&mut self, prefix: &str, namespace: usize, depth: usize) {
        self.last = None;
        self.bindings.push(Binding {
            prefix: prefix.to_owned(),
            namespace,
            depth,
        });
    }

    /// Removes the bindings of the element at `depth`, which is the innermost.
    pub(super) fn remove_of_depth(&mut self, depth: usize) {
        while self.bindings.pop_if(|last| last.depth == depth).is_some() {
            self.last = None;
        }
    }

    /// The namespace of a prefix, or [`UNKNOWN`].
    pub(super) fn namespace(&mut self, prefix: &str) -> usize {
        let binds = |binding: &Binding| binding.prefix == prefix;
        let last = self
            .last
            .filter(|last| self.bindings.get(*last).is_some_and(binds));
        self.last = last.or_else(|| self.bindings.iter().rposition(binds));
        let binding = self.last.and_then(|last| self.bindings.get(last));
        binding.map_or(UNKNOWN, |binding| binding.namespace)
    }
}
