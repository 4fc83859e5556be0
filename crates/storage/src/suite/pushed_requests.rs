//! Cases of [`PushedRequestStore`](crate::PushedRequestStore).

use futures_util::future::join_all;

use super::fixtures::{LATER, NOW, populate};
use crate::Store;
use crate::SystemRng;
use crate::pushed_requests::{FoundPushedRequest, PushedRequest};
use crate::secret::{Secret, TokenHash};

/// A request under a reference of its own.
pub(super) fn request(access_token: Option<TokenHash>) -> PushedRequest {
    PushedRequest {
        hash: Secret::time_ordered(NOW, &SystemRng).hash(),
        client_id: "app".into(),
        parameters: "client_id=app&state=%D8%A3".to_owned(),
        access_token,
        expires_at: LATER,
    }
}

pub async fn pushed_request_reads_back_with_and_without_its_access_token(store: &dyn Store) {
    populate(store).await;
    let access_token = Secret::time_ordered(NOW, &SystemRng).hash();
    for access_token in [None, Some(access_token)] {
        let request = request(access_token);
        store.insert_pushed_request(&request).await.unwrap();
        let found = store.pushed_request(&request.hash).await.unwrap();
        let key = request.access_token.as_ref().map(TokenHash::lookup_key);
        let found_token = found
            .as_ref()
            .and_then(|found| found.request.access_token.as_ref());
        assert_eq!(found_token.map(TokenHash::lookup_key), key);
        let used = false;
        assert_eq!(found, Some(FoundPushedRequest { request, used }));
    }
    let unknown = Secret::time_ordered(NOW, &SystemRng).hash();
    assert_eq!(store.pushed_request(&unknown).await.unwrap(), None);
}

pub async fn pushed_request_is_used_by_one_of_many(store: &dyn Store) {
    populate(store).await;
    let (request, other) = (request(None), request(None));
    for request in [&request, &other] {
        store.insert_pushed_request(request).await.unwrap();
    }
    let uses = (0..20).map(|_| store.use_pushed_request(&request.hash, NOW));
    let outcomes = join_all(uses).await;
    let winners = outcomes
        .into_iter()
        .filter(|outcome| *outcome.as_ref().unwrap());
    assert_eq!(winners.count(), 1);
    assert!(
        store
            .pushed_request(&request.hash)
            .await
            .unwrap()
            .unwrap()
            .used
    );
    assert!(
        !store
            .pushed_request(&other.hash)
            .await
            .unwrap()
            .unwrap()
            .used
    );
    let unknown = Secret::time_ordered(NOW, &SystemRng).hash();
    assert!(!store.use_pushed_request(&unknown, NOW).await.unwrap());
}

pub async fn maintenance_removes_pushed_requests_that_expired(store: &dyn Store) {
    populate(store).await;
    let request = request(None);
    store.insert_pushed_request(&request).await.unwrap();
    store.use_pushed_request(&request.hash, NOW).await.unwrap();
    store.maintain(NOW).await.unwrap();
    assert!(store.pushed_request(&request.hash).await.unwrap().is_some());
    let day = std::time::Duration::from_secs(24 * 60 * 60);
    assert_eq!(store.maintain(LATER.plus(day)).await.unwrap(), 1);
    assert_eq!(store.pushed_request(&request.hash).await.unwrap(), None);
}
