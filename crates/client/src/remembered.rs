//! Records that an organization remembers, as buyers and items: search, also without a connection, and remembering (decision 0123).

use std::collections::HashSet;
use std::marker::PhantomData;
use std::sync::Arc;

use invoicing_contract::fold::words;
use invoicing_contract::{Operation, OrganizationId};
use serde::Serialize;

use crate::cached_read::{Answer, read_or_cached};
use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError, ResponseMessage};
use crate::read_cache::{Cached, ReadCache};
use crate::session::ActiveSession;
use crate::views::CommandError;

/// How many records a search returns.
pub(crate) const HITS: usize = 12;
/// How many records the start of a form reads, to have them without a connection.
const RECENT: i32 = 200;
/// How many records are cached. The least recently used are left out.
const MAX_KNOWN: usize = 1_000;

/// A message of master data that is searched by the beginnings of its words.
pub(crate) trait RememberedRecord:
    ResponseMessage + prost::Message + Default + PartialEq + Clone
{
    /// A page of records, which is also what is cached.
    type Page: ResponseMessage + prost::Message + Default;
    /// The request for a page.
    type Search: Serialize + Sync;
    /// The kind of the cached page.
    const KIND: &'static str;
    /// What is deleted from the read cache when a read is denied: the page, and what else is known of the records.
    const KINDS: &'static [&'static str];
    /// The operation that answers a search.
    const LIST: &'static Operation;
    /// The operation that remembers a record of a document.
    const REMEMBER: &'static Operation;

    /// Unique within the organization.
    fn key(&self) -> &str;
    /// Whether it is not to be suggested any more.
    fn is_archived(&self) -> bool;
    /// Whether each of the words begins one of the record's.
    fn matches(&self, searched: &[String]) -> bool;
    /// The request for records that are not archived.
    fn search(text: String, page_size: i32) -> Self::Search;
    /// A page with these records and no next one.
    fn page(items: Vec<Self>) -> Self::Page;
    /// The records of a page.
    fn items(page: Self::Page) -> Vec<Self>;
}

/// The remembered records of one kind, of the signed-in user's organizations.
pub(crate) struct Remembered<R> {
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    read_cache: Arc<ReadCache>,
    record: PhantomData<fn() -> R>,
}

impl<R: RememberedRecord> Remembered<R> {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>, read_cache: Arc<ReadCache>) -> Self {
        Self {
            gateway,
            clock,
            read_cache,
            record: PhantomData,
        }
    }

    /// The records whose words begin with those of `text`, most recently used first; without a text the most recently used.
    pub(crate) async fn find(
        &self,
        context: &CallContext,
        text: &str,
    ) -> Result<Vec<R>, CommandError> {
        let searched = words(text);
        let size = if searched.is_empty() {
            RECENT
        } else {
            i32::try_from(HITS).unwrap_or(i32::MAX)
        };
        let request = R::search(text.trim().to_owned(), size);
        let call = self
            .gateway
            .call::<_, R::Page>(context, R::LIST, None, &request);
        let cached = self.cached(context);
        let clock = self.clock.as_ref();
        match read_or_cached(&self.read_cache, clock, context, R::KINDS, call, cached).await {
            Ok(Answer::Current(page)) => {
                let items = R::items(page);
                self.cache(context, items.clone()).await;
                Ok(items)
            }
            Ok(Answer::Cached(Cached { value, .. })) => Ok(R::items(value)
                .into_iter()
                .filter(|record| record.matches(&searched))
                .collect()),
            Err(error) => Err(error.to_command_error(context, R::LIST, clock.now())),
        }
    }

    /// Makes a record of what a document holds, or the most recently used one of it if there is one. Returns that as it is remembered.
    pub(crate) async fn remember(
        &self,
        context: &CallContext,
        request: &(impl Serialize + Sync),
    ) -> Result<R, GatewayError> {
        self.call(context, R::REMEMBER, request).await
    }

    /// Reads or changes one record. Returns it as it is then, and caches it.
    pub(crate) async fn one(
        &self,
        context: &CallContext,
        operation: &Operation,
        request: &(impl Serialize + Sync),
    ) -> Result<R, CommandError> {
        let called = self.call(context, operation, request).await;
        called.map_err(|error| error.to_command_error(context, operation, self.clock.now()))
    }

    async fn call(
        &self,
        context: &CallContext,
        operation: &Operation,
        request: &(impl Serialize + Sync),
    ) -> Result<R, GatewayError> {
        let record: R = self.gateway.call(context, operation, None, request).await?;
        self.cache(context, vec![record.clone()]).await;
        Ok(record)
    }

    /// The records of an organization that this computer has, most recently used first. The service is not asked.
    pub(crate) async fn kept(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
    ) -> Vec<R> {
        let page = self
            .read_cache
            .message::<R::Page>(session, organization, R::KIND, "")
            .await;
        page.map(|page| R::items(page.value)).unwrap_or_default()
    }

    async fn cached(&self, context: &CallContext) -> Option<Cached<R::Page>> {
        self.read_cache
            .message(&context.session, &context.organization, R::KIND, "")
            .await
    }

    /// Puts records that the service has answered with before those that are cached. One that is archived goes.
    async fn cache(&self, context: &CallContext, found: Vec<R>) {
        let (session, organization) = (&context.session, &context.organization);
        let known = self.kept(session, organization).await;
        if found.iter().all(|record| known.contains(record)) {
            return;
        }
        let answered: HashSet<String> = found.iter().map(|it| it.key().to_owned()).collect();
        let mut items = found;
        items.retain(|record| !record.is_archived());
        for record in known {
            if items.len() < MAX_KNOWN && !answered.contains(record.key()) {
                items.push(record);
            }
        }
        self.read_cache
            .store_message(session, organization, R::KIND, "", &R::page(items))
            .await;
    }
}
