//! W3C Trace Context: the trace that a request belongs to, in the log and in requests to others
//! (<https://www.w3.org/TR/trace-context/>).

use http::{HeaderMap, HeaderValue};
use invoicing_storage::Rng;

/// The header of the trace and of the caller's span.
pub const TRACEPARENT: &str = "traceparent";
/// What vendors add to it. It is passed on unchanged.
pub const TRACESTATE: &str = "tracestate";
/// Most bytes of a `tracestate` that are passed on.
const MAX_STATE_BYTES: usize = 512;

tokio::task_local! {
    static CURRENT: Option<TraceContext>;
}

/// The trace of a request, with a span of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceContext {
    trace_id: String,
    parent_id: Option<String>,
    span_id: String,
    flags: String,
    state: Option<HeaderValue>,
}

impl TraceContext {
    /// The trace that the caller names; `None` if it names none, or not in the form of version 00.
    #[must_use]
    pub fn from_headers(headers: &HeaderMap, rng: &dyn Rng) -> Option<Self> {
        let mut values = headers.get_all(TRACEPARENT).iter();
        let (Some(value), None) = (values.next(), values.next()) else {
            return None;
        };
        let (trace_id, parent_id, flags) = parse(value.to_str().ok()?)?;
        let state = headers.get(TRACESTATE);
        Some(Self {
            trace_id: trace_id.to_owned(),
            parent_id: Some(parent_id.to_owned()),
            span_id: random_id::<8>(rng),
            flags: flags.to_owned(),
            state: state
                .filter(|state| state.len() <= MAX_STATE_BYTES)
                .cloned(),
        })
    }

    /// A new trace, for a request whose caller names none.
    #[must_use]
    pub fn root(rng: &dyn Rng) -> Self {
        Self {
            trace_id: random_id::<16>(rng),
            parent_id: None,
            span_id: random_id::<8>(rng),
            flags: "01".to_owned(),
            state: None,
        }
    }

    /// The id of the trace: 32 hexadecimal digits.
    #[must_use]
    pub fn trace_id(&self) -> &str {
        &self.trace_id
    }

    /// The id of the caller's span: 16 hexadecimal digits. `None` if the trace begins with this request.
    #[must_use]
    pub fn parent_id(&self) -> Option<&str> {
        self.parent_id.as_deref()
    }

    /// The id of the span of this request: 16 hexadecimal digits.
    #[must_use]
    pub fn span_id(&self) -> &str {
        &self.span_id
    }

    /// Whether the caller records the trace.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        u8::from_str_radix(&self.flags, 16).is_ok_and(|flags| flags & 1 == 1)
    }

    /// The headers of a request that is made for this one.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, HeaderValue)> {
        let Self {
            trace_id,
            span_id,
            flags,
            ..
        } = self;
        let parent = HeaderValue::try_from(format!("00-{trace_id}-{span_id}-{flags}")).ok();
        let state = parent.is_some().then(|| self.state.clone()).flatten();
        let parent = parent.map(|value| (TRACEPARENT, value));
        parent
            .into_iter()
            .chain(state.map(|value| (TRACESTATE, value)))
    }

    /// The trace of the request that the current task serves. `None` outside of a request, and in a task that it started.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok().flatten()
    }
}

/// Runs the handling of a request with its trace as the current one.
pub async fn with_current<Handling: Future>(
    trace: Option<TraceContext>,
    handling: Handling,
) -> Handling::Output {
    match trace {
        // Most callers name no trace, and have no task-local value then.
        None => handling.await,
        trace => CURRENT.scope(trace, handling).await,
    }
}

/// Random bytes in hexadecimal digits. Zeros alone would be an invalid id.
fn random_id<const BYTES: usize>(rng: &dyn Rng) -> String {
    let mut random = [0; BYTES];
    rng.fill(&mut random);
    if let Some(last) = random.last_mut() {
        *last |= 1;
    }
    base16ct::lower::encode_string(&random)
}

/// Trace id, span id and flags.
fn parse(value: &str) -> Option<(&str, &str, &str)> {
    let mut parts = value.split('-');
    let mut part = |length: usize| {
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let part = parts.next()?;
        (part.len() == length && part.bytes().all(hex)).then_some(part)
    };
    let (version, trace_id, parent_id, flags) = (part(2)?, part(32)?, part(16)?, part(2)?);
    let zeros = |text: &str| text.bytes().all(|byte| byte == b'0');
    // A later version may have more parts, and must keep these.
    let ends = version != "00" || parts.next().is_none();
    (version != "ff" && ends && !zeros(trace_id) && !zeros(parent_id))
        .then_some((trace_id, parent_id, flags))
}

#[cfg(test)]
mod tests {
    use invoicing_storage::SystemRng;

    use super::*;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn read(values: &[&str]) -> Option<TraceContext> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(TRACEPARENT, HeaderValue::from_str(value).expect("ASCII"));
        }
        headers.insert(TRACESTATE, HeaderValue::from_static("vendor=1"));
        TraceContext::from_headers(&headers, &SystemRng)
    }

    #[test]
    fn trace_is_kept_and_the_span_is_a_new_one() {
        let trace = read(&[PARENT]).expect("a trace");
        assert_eq!(trace.trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(trace.parent_id(), Some("00f067aa0ba902b7"));
        assert!(trace.is_sampled());
        let sent: Vec<_> = trace.headers().collect();
        let expected = format!("00-{}-{}-01", trace.trace_id(), trace.span_id());
        assert_eq!(sent[0], (TRACEPARENT, expected.parse().expect("ASCII")));
        assert_eq!(sent[1], (TRACESTATE, HeaderValue::from_static("vendor=1")));
        assert_eq!(
            read(&[sent[0].1.to_str().expect("ASCII")]).map(|next| next.trace_id),
            Some(trace.trace_id)
        );
    }

    #[test]
    fn header_that_is_not_of_the_standard_is_ignored() {
        let with = |index: usize, part: &str| {
            let mut parts: Vec<_> = PARENT.split('-').collect();
            parts[index] = part;
            parts.join("-")
        };
        for wrong in [
            with(0, "ff"),
            with(1, &"0".repeat(32)),
            with(1, "4BF92F3577B34DA6A3CE929D0E0E4736"),
            with(2, &"0".repeat(16)),
            with(2, "00f067aa0ba902b"),
            format!("{PARENT}-x"),
            String::new(),
        ] {
            assert_eq!(read(&[&wrong]), None, "{wrong:?}");
        }
        assert_eq!(read(&[PARENT, PARENT]), None, "two are ambiguous");
        assert!(read(&[&format!("{}-more", with(0, "01"))]).is_some());
    }
}
