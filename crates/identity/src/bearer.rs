//! What a bearer credential stands for: an access token, or outside of production a personal access token.

use invoicing_contract::Names;

use super::scope::Scope;
use invoicing_contract::EnvironmentKind;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::secret::{TokenHash, is_personal};
use invoicing_storage::tokens::{AccessToken, Bearer};
use invoicing_storage::{StorageError, Store};

/// A refused personal access token is recorded so often at most.
const RECORDED_EVERY_MS: i64 = 15 * 60 * 1000;

/// The valid token that `presented` is, and who it stands for.
pub(crate) async fn resolve(
    store: &dyn Store,
    kind: EnvironmentKind,
    names: &Names,
    presented: &str,
    now: i64,
) -> Result<Option<Bearer>, StorageError> {
    let hash = TokenHash::of(presented);
    if !is_personal(presented) {
        return store.bearer(&hash, now).await;
    }
    let Some((pat, member, basis)) = store.pat(&hash, now).await? else {
        return Ok(None);
    };
    if kind == EnvironmentKind::Production {
        // It can only have come here with a database of another kind (contract, part 5).
        let entry = Entry::new(now, audit::Kind::PatRefused)
            .about(&member.subject.id)
            .of(&member.subject.home_organization)
            .with("pat", &*pat.id);
        store.record_once(&entry, now - RECORDED_EVERY_MS).await?;
        return Ok(None);
    }
    let scope = Scope::default()
        .with(&names.audience_scope(kind.audience_id()))
        .with(names.home_organization_scope());
    let token = AccessToken {
        hash,
        family: None,
        // No application holds it; the machine user does.
        authorization: scope.authorization(&member.subject.id.as_str().into(), true, names),
        subject: member.subject.id.clone(),
        actor: None,
        issued_at: pat.created_at,
        expires_at: pat.expires_at,
    };
    Ok(Some(Bearer {
        token,
        member,
        basis,
    }))
}
