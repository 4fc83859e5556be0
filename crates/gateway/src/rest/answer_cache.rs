//! Answers of lists that are given again until something is committed (decision 0157).
//!
//! All windows of an organization that hear of a write read the same page again, and so does a window that comes back to a list.

use axum::body::Bytes;
use http::request::Parts;
use invoicing_contract::Timestamp;
use invoicing_http::{RequestContext, accepts_gzip};
use invoicing_storage::documents::DataVersion;
use quick_cache::sync::Cache;

use super::answer::JsonAnswer;
use super::routes::Route;

/// Most bytes of all answers together.
const CAPACITY_BYTES: u64 = 8 * 1024 * 1024;
/// An estimate of their number.
const ANSWERS: usize = 256;
/// Most bytes of a request whose answer is kept.
const MAX_REQUEST_BYTES: usize = 4 * 1024;
/// Which documents are overdue depends on the day of the tenant. In every time zone it begins with a quarter of an hour.
const QUARTER_HOUR_MILLIS: i64 = 15 * 60 * 1000;

/// The answers that were given last.
pub(super) struct AnswerCache(Cache<Question, KeptAnswer, ByBytes>);

/// Everything that an answer depends on, beside what is stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Question {
    method: &'static str,
    organization: String,
    body: Bytes,
    accepts_gzip: bool,
    quarter_hour: i64,
}

#[derive(Debug, Clone)]
struct KeptAnswer {
    /// Of before it was read.
    version: DataVersion,
    answer: JsonAnswer,
}

impl AnswerCache {
    pub(super) fn new() -> Self {
        Self(Cache::with_weighter(ANSWERS, CAPACITY_BYTES, ByBytes))
    }

    /// The answer that was given to the same question, if nothing was committed since.
    pub(super) fn get(&self, question: &Question, version: DataVersion) -> Option<JsonAnswer> {
        let kept = self.0.get(question)?;
        (kept.version == version).then_some(kept.answer)
    }

    /// Keeps an answer that was read after `version`.
    pub(super) fn insert(&self, question: Question, version: DataVersion, answer: &JsonAnswer) {
        let answer = answer.clone();
        self.0.insert(question, KeptAnswer { version, answer });
    }
}

impl Question {
    /// The question of an authorized request with a body in JSON. `None` if its answer is not kept.
    pub(super) fn of(
        route: &Route,
        parts: &Parts,
        body: &Bytes,
        context: &RequestContext,
        now: Timestamp,
    ) -> Option<Self> {
        let is_kept = parts.uri.query().is_none()
            && body.len() <= MAX_REQUEST_BYTES
            && !context.lacks_profile;
        is_kept.then(|| Self {
            method: route.operation.method,
            organization: context.organization().as_str().to_owned(),
            // A copy: the body may be a part of the much larger buffer of its connection.
            body: Bytes::copy_from_slice(body),
            accepts_gzip: accepts_gzip(&parts.headers),
            quarter_hour: now.as_millis().div_euclid(QUARTER_HOUR_MILLIS),
        })
    }
}

/// Weighs answers by what they take in memory.
#[derive(Debug, Clone)]
struct ByBytes;

impl quick_cache::Weighter<Question, KeptAnswer> for ByBytes {
    fn weight(&self, question: &Question, kept: &KeptAnswer) -> u64 {
        let bytes = size_of::<(Question, KeptAnswer)>()
            + question.organization.len()
            + question.body.len()
            + kept.answer.body.len();
        bytes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(body: &'static str, quarter_hour: i64) -> Question {
        Question {
            method: "ListInvoices",
            organization: "1".to_owned(),
            body: Bytes::from_static(body.as_bytes()),
            accepts_gzip: false,
            quarter_hour,
        }
    }

    fn answer(bytes: usize) -> JsonAnswer {
        JsonAnswer {
            body: Bytes::from(vec![b' '; bytes]),
            is_compressed: false,
        }
    }

    #[test]
    fn answer_is_given_again_to_its_question_until_a_commit() {
        let cache = AnswerCache::new();
        let asked = question("{}", 1);
        cache.insert(asked.clone(), DataVersion(7), &answer(3));
        let given = |question: &Question, version| {
            let answer = cache.get(question, DataVersion(version));
            answer.map(|answer| answer.body.len())
        };
        assert_eq!(given(&asked, 7), Some(3));
        assert_eq!(given(&asked, 8), None, "something was committed");
        assert_eq!(given(&question("{}", 2), 7), None, "the day may be over");
        assert_eq!(given(&question("{ }", 1), 7), None, "another request");
        for other in [
            Question {
                organization: "2".to_owned(),
                ..asked.clone()
            },
            Question {
                method: "ListDocuments",
                ..asked.clone()
            },
            Question {
                accepts_gzip: true,
                ..asked.clone()
            },
        ] {
            assert_eq!(given(&other, 7), None, "{other:?}");
        }
        cache.insert(asked.clone(), DataVersion(8), &answer(5));
        assert_eq!(given(&asked, 8), Some(5));
        assert_eq!(given(&asked, 7), None, "one answer for each question");
    }

    #[test]
    fn answers_take_a_bounded_part_of_memory() {
        let cache = AnswerCache::new();
        let bytes = 64 * 1024;
        for quarter_hour in 0..1_000 {
            cache.insert(question("{}", quarter_hour), DataVersion(1), &answer(bytes));
        }
        assert!(cache.0.weight() <= CAPACITY_BYTES, "{}", cache.0.weight());
        assert!(!cache.0.is_empty());
    }
}
