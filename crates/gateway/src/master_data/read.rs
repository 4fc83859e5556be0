//! Reads of parties and items: one, a page, a history.

use invoicing_contract::{FieldViolation, Timestamp};
use invoicing_http::{PageRequest, RequestContext, truncate_page};
use invoicing_storage::master_data::MasterDataQuery;
use uuid::Uuid;

use super::record::{self, MasterMessage, read};
use super::search_text::words;
use super::{MasterData, MasterDataError};

/// Most characters of a searched text.
const MAX_SEARCH_CHARACTERS: usize = 200;

/// A record after one write to it.
pub(super) struct Revision<Message> {
    /// The writes to a record are counted from 1.
    pub(super) number: i32,
    /// What the write did.
    pub(super) action: String,
    pub(super) message: Message,
}

impl MasterData {
    /// A record by key.
    pub(super) async fn get<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        key: &str,
    ) -> Result<(Uuid, Message), MasterDataError> {
        let not_found = MasterDataError::NotFound(Message::KIND);
        let Ok(key) = Uuid::try_parse(key) else {
            return Err(not_found);
        };
        let record = self
            .store
            .master_record(context.organization(), Message::KIND, key)
            .await?;
        Ok((key, read(&record.ok_or(not_found)?)?))
    }

    /// A page of records, and the token of the next.
    pub(super) async fn list<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        text: &str,
        archived: bool,
        page_size: i32,
        page_token: &str,
    ) -> Result<(Vec<Message>, String), MasterDataError> {
        let words = words(text);
        let list = format!(
            "{}\0{}\0{archived}\0{}",
            context.organization(),
            Message::KEY_FIELD,
            words.join(" ")
        );
        let mut violations = Vec::new();
        if text.chars().count() > MAX_SEARCH_CHARACTERS {
            let description = "is longer than 200 characters";
            violations.push(FieldViolation::new("filter.text", description));
        }
        let page =
            self.page_tokens
                .read_request::<(i64, Uuid)>(page_size, page_token, list.as_bytes());
        let page = match page {
            Ok(page) if violations.is_empty() => page,
            Ok(_) => return Err(MasterDataError::InvalidRequest(violations)),
            Err(more) => {
                violations.extend(more);
                return Err(MasterDataError::InvalidRequest(violations));
            }
        };
        let mut records = self
            .store
            .master_records(&MasterDataQuery {
                organization: context.organization().clone(),
                kind: Message::KIND,
                words,
                archived: Some(archived),
                after: page
                    .after
                    .map(|(at, key)| (Timestamp::from_millis(at), key)),
                // One more tells whether there is a next page.
                size: page.size + 1,
            })
            .await?;
        let last = truncate_page(&mut records, page.size);
        let next = last.map(|last| {
            let position = (last.last_used_at.as_millis(), last.key);
            self.page_tokens.sign(&position, list.as_bytes())
        });
        let messages = records.iter().map(read).collect::<Result<_, _>>()?;
        Ok((messages, next.unwrap_or_default()))
    }

    /// A page of the revisions of a record, newest first, and the token of the next.
    pub(super) async fn history<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        key: &str,
        page_size: i32,
        page_token: &str,
    ) -> Result<(Vec<Revision<Message>>, String), MasterDataError> {
        let organization = context.organization();
        let (key, _) = self.get::<Message>(context, key).await?;
        let list = format!("history {organization} {} {key}", Message::KEY_FIELD);
        let page: PageRequest<i32> = self
            .page_tokens
            .read_request(page_size, page_token, list.as_bytes())
            .map_err(MasterDataError::InvalidRequest)?;
        let revisions = self
            .store
            .master_record_history(organization, Message::KIND, key, page.after, page.size)
            .await?;
        let earlier = revisions.last().filter(|last| last.number > 1);
        let next = earlier
            .map(|last| self.page_tokens.sign(&last.number, list.as_bytes()))
            .unwrap_or_default();
        let revisions = revisions.into_iter().map(|revision| {
            Ok(Revision {
                number: revision.number,
                action: revision.action,
                message: record::decode(&revision.body)?,
            })
        });
        let revisions: Result<_, MasterDataError> = revisions.collect();
        Ok((revisions?, next))
    }
}
