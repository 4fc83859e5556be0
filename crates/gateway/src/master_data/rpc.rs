//! The tonic services over [`MasterData`]. The request guard has put the context into the extensions of the request.

use invoicing_contract::messages::items::items_server::Items as ItemsRpc;
use invoicing_contract::messages::items::{
    ArchiveItemRequest, CreateItemRequest, CreateItemResponse, GetItemHistoryRequest,
    GetItemRequest, GetLastPriceRequest, Item, ItemHistory, ItemRevision, LastPrice,
    ListItemsRequest, ListItemsResponse, RememberItemRequest, RestoreItemRequest,
    UpdateItemRequest,
};
use invoicing_contract::messages::parties::parties_server::Parties as PartiesRpc;
use invoicing_contract::messages::parties::{
    ArchivePartyRequest, CreatePartyRequest, CreatePartyResponse, GetPartyHistoryRequest,
    GetPartyRequest, ListPartiesRequest, ListPartiesResponse, Party, PartyHistory, PartyRevision,
    RememberPartyRequest, RestorePartyRequest, UpdatePartyRequest,
};
use invoicing_http::RequestContext;
use tonic::Request;

use super::{MasterData, Update, WriteOptions};
use crate::rpc_response::{RpcResult, respond};

#[tonic::async_trait]
impl PartiesRpc for MasterData {
    async fn create_party(
        &self,
        request: Request<CreatePartyRequest>,
    ) -> RpcResult<CreatePartyResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        let options = WriteOptions {
            allow_shared: request.allow_shared_tax_id,
            validate_only: request.validate_only,
        };
        let created = self.create(&context, &request.party_key, request.party, options);
        let response = created.await.map(|(party, similar)| CreatePartyResponse {
            party: Some(party),
            similar,
        });
        respond(&context, response)
    }

    async fn remember_party(&self, request: Request<RememberPartyRequest>) -> RpcResult<Party> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.remember_party(&context, request).await)
    }

    async fn get_party(&self, request: Request<GetPartyRequest>) -> RpcResult<Party> {
        let (context, request) = RequestContext::from_request(request)?;
        let found = self.get(&context, &request.party_key).await;
        respond(&context, found.map(|(_, party)| party))
    }

    async fn list_parties(
        &self,
        request: Request<ListPartiesRequest>,
    ) -> RpcResult<ListPartiesResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        let filter = request.filter.unwrap_or_default();
        let (size, token) = (request.page_size, &request.page_token);
        let page = self.list(&context, &filter.text, filter.archived, size, token);
        let response = page
            .await
            .map(|(items, next_page_token)| ListPartiesResponse {
                items,
                next_page_token,
            });
        respond(&context, response)
    }

    async fn update_party(&self, request: Request<UpdatePartyRequest>) -> RpcResult<Party> {
        let (context, request) = RequestContext::from_request(request)?;
        let options = WriteOptions {
            allow_shared: request.allow_shared_tax_id,
            validate_only: request.validate_only,
        };
        let update = Update {
            stamp: request.concurrency_stamp,
            message: request.party,
            mask: request.update_mask,
        };
        let updated = self.update(&context, &request.party_key, update, options);
        respond(&context, updated.await)
    }

    async fn archive_party(&self, request: Request<ArchivePartyRequest>) -> RpcResult<Party> {
        let (context, request) = RequestContext::from_request(request)?;
        let (key, stamp) = (&request.party_key, request.concurrency_stamp);
        respond(
            &context,
            self.set_archived(&context, key, stamp, true).await,
        )
    }

    async fn restore_party(&self, request: Request<RestorePartyRequest>) -> RpcResult<Party> {
        let (context, request) = RequestContext::from_request(request)?;
        let (key, stamp) = (&request.party_key, request.concurrency_stamp);
        respond(
            &context,
            self.set_archived(&context, key, stamp, false).await,
        )
    }

    async fn get_party_history(
        &self,
        request: Request<GetPartyHistoryRequest>,
    ) -> RpcResult<PartyHistory> {
        let (context, request) = RequestContext::from_request(request)?;
        let history = self.history(
            &context,
            &request.party_key,
            request.page_size,
            &request.page_token,
        );
        let history = history.await.map(|(revisions, next)| PartyHistory {
            revisions: revisions
                .into_iter()
                .map(|revision| PartyRevision {
                    action: revision.action,
                    party: Some(revision.message),
                    number: revision.number,
                })
                .collect(),
            next_page_token: next,
        });
        respond(&context, history)
    }
}

#[tonic::async_trait]
impl ItemsRpc for MasterData {
    async fn create_item(
        &self,
        request: Request<CreateItemRequest>,
    ) -> RpcResult<CreateItemResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        let options = WriteOptions {
            allow_shared: false,
            validate_only: request.validate_only,
        };
        let created = self.create(&context, &request.item_key, request.item, options);
        let response = created.await.map(|(item, similar)| CreateItemResponse {
            item: Some(item),
            similar,
        });
        respond(&context, response)
    }

    async fn remember_item(&self, request: Request<RememberItemRequest>) -> RpcResult<Item> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.remember_item(&context, request).await)
    }

    async fn get_item(&self, request: Request<GetItemRequest>) -> RpcResult<Item> {
        let (context, request) = RequestContext::from_request(request)?;
        let found = self.get(&context, &request.item_key).await;
        respond(&context, found.map(|(_, item)| item))
    }

    async fn list_items(&self, request: Request<ListItemsRequest>) -> RpcResult<ListItemsResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        let filter = request.filter.unwrap_or_default();
        let (size, token) = (request.page_size, &request.page_token);
        let page = self.list(&context, &filter.text, filter.archived, size, token);
        let response = page
            .await
            .map(|(items, next_page_token)| ListItemsResponse {
                items,
                next_page_token,
            });
        respond(&context, response)
    }

    async fn update_item(&self, request: Request<UpdateItemRequest>) -> RpcResult<Item> {
        let (context, request) = RequestContext::from_request(request)?;
        let options = WriteOptions {
            allow_shared: false,
            validate_only: request.validate_only,
        };
        let update = Update {
            stamp: request.concurrency_stamp,
            message: request.item,
            mask: request.update_mask,
        };
        let updated = self.update(&context, &request.item_key, update, options);
        respond(&context, updated.await)
    }

    async fn archive_item(&self, request: Request<ArchiveItemRequest>) -> RpcResult<Item> {
        let (context, request) = RequestContext::from_request(request)?;
        let (key, stamp) = (&request.item_key, request.concurrency_stamp);
        respond(
            &context,
            self.set_archived(&context, key, stamp, true).await,
        )
    }

    async fn restore_item(&self, request: Request<RestoreItemRequest>) -> RpcResult<Item> {
        let (context, request) = RequestContext::from_request(request)?;
        let (key, stamp) = (&request.item_key, request.concurrency_stamp);
        respond(
            &context,
            self.set_archived(&context, key, stamp, false).await,
        )
    }

    async fn get_item_history(
        &self,
        request: Request<GetItemHistoryRequest>,
    ) -> RpcResult<ItemHistory> {
        let (context, request) = RequestContext::from_request(request)?;
        let history = self.history(
            &context,
            &request.item_key,
            request.page_size,
            &request.page_token,
        );
        let history = history.await.map(|(revisions, next)| ItemHistory {
            revisions: revisions
                .into_iter()
                .map(|revision| ItemRevision {
                    action: revision.action,
                    item: Some(revision.message),
                    number: revision.number,
                })
                .collect(),
            next_page_token: next,
        });
        respond(&context, history)
    }

    async fn get_last_price(&self, request: Request<GetLastPriceRequest>) -> RpcResult<LastPrice> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.last_price(&context, request).await)
    }
}
