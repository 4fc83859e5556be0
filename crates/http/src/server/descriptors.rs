//! The limit of file descriptors of the process.

/// Raises the limit of open file descriptors as far as the system allows without privileges, and returns it. `None` where
/// there is no limit.
///
/// Each connection is a descriptor. Many systems begin with 1,024 or 256, for the sake of programs that use `select`.
#[cfg(unix)]
#[must_use]
pub fn raise_descriptor_limit() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Darwin has no hard limit by default, and accepts no soft limit above this.
    const DARWIN_LIMIT: u64 = 10_240;

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let before = current?;
    for raised in [
        maximum,
        Some(maximum.unwrap_or(DARWIN_LIMIT).min(DARWIN_LIMIT)),
    ] {
        if raised.is_some_and(|raised| raised <= before) {
            break;
        }
        let limit = Rlimit {
            current: raised,
            maximum,
        };
        if setrlimit(Resource::Nofile, limit).is_ok() {
            break;
        }
    }
    descriptor_limit()
}

/// The limit of open file descriptors. `None` where there is no limit.
#[cfg(unix)]
#[must_use]
pub fn descriptor_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

/// `None`: sockets are no file descriptors, and have no limit of their own.
#[cfg(not(unix))]
#[must_use]
pub const fn raise_descriptor_limit() -> Option<u64> {
    None
}

/// `None`: sockets are no file descriptors, and have no limit of their own.
#[cfg(not(unix))]
#[must_use]
pub const fn descriptor_limit() -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn raised_limit_is_not_below_the_former_one() {
        let before = descriptor_limit();
        let raised = raise_descriptor_limit();
        assert!(
            raised.is_none() || raised >= before,
            "{before:?} {raised:?}"
        );
        assert_eq!(descriptor_limit(), raised);
    }
}
