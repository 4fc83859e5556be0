//! Which version of the directory a request is decided by.

/// A version of subjects, role grants, organizations, tenants and applications.
///
/// A request obtains one basis after it has arrived and passes it to every read that may answer from a cache, so that all its
/// decisions are based on one version, and one query per request tells whether the cache is current.
#[derive(Debug, Clone, Copy)]
pub struct Basis {
    version: i64,
    assumed: bool,
}

impl Basis {
    /// The version that the database returned.
    #[must_use]
    pub const fn read(version: i64) -> Self {
        Self {
            version,
            assumed: false,
        }
    }

    /// A version that was current some time ago. The write that is based on it verifies it.
    #[must_use]
    pub const fn assumed(version: i64) -> Self {
        Self {
            version,
            assumed: true,
        }
    }

    /// The number of the version. It grows with each change, and goes back in a failover that loses commits: which of two versions is
    /// the newer one does not follow from their numbers (decision 0172).
    #[must_use]
    pub const fn version(self) -> i64 {
        self.version
    }

    /// Whether it has not been read for this request.
    #[must_use]
    pub const fn is_assumed(self) -> bool {
        self.assumed
    }

    /// Whether both are the same version.
    #[must_use]
    pub const fn same_version(self, other: Self) -> bool {
        self.version == other.version
    }
}
