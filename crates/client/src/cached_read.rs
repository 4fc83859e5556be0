//! Reads that are answered from the cache of this computer while the service cannot be reached (decision 0065).

use std::time::Duration;

use invoicing_contract::{Code, operation};

use crate::clock::Clock;
use crate::gateway::{CallContext, GatewayError};
use crate::read_cache::{Cached, ReadCache};
use crate::views::CommandError;

/// How long a read waits for a service that was not reached before, if there is a cached answer.
const OFFLINE_PATIENCE: Duration = Duration::from_millis(1500);

/// Where an answer is from.
pub(crate) enum Answer<T> {
    /// The service.
    Current(T),
    /// The cache of this computer: the service cannot be reached.
    Cached(Cached<T>),
}

/// Calls the service. Without a connection, the cached answer is returned instead, if there is one. A service that denies the read
/// says that the user has lost the role that reads these `kinds` of data of the organization: they are deleted from `cache`.
pub(crate) async fn read_or_cached<T>(
    cache: &ReadCache,
    clock: &dyn Clock,
    context: &CallContext,
    kinds: &'static [&'static str],
    call: impl Future<Output = Result<T, GatewayError>> + Send,
    cached: impl Future<Output = Option<Cached<T>>> + Send,
) -> Result<Answer<T>, GatewayError> {
    let answer = read(clock, context, call, cached).await;
    if let Err(error) = &answer
        && error.code() == Some(Code::PermissionDenied)
    {
        cache
            .remove_kinds(&context.session, &context.organization, kinds)
            .await;
    }
    answer
}

async fn read<T>(
    clock: &dyn Clock,
    context: &CallContext,
    call: impl Future<Output = Result<T, GatewayError>> + Send,
    cached: impl Future<Output = Option<Cached<T>>> + Send,
) -> Result<Answer<T>, GatewayError> {
    if context.session.is_online() {
        return match call.await {
            Ok(answer) => Ok(Answer::Current(answer)),
            Err(error) if is_offline(clock, context, &error) => {
                cached.await.map(Answer::Cached).ok_or(error)
            }
            Err(error) => Err(error),
        };
    }
    let Some(cached) = cached.await else {
        return call.await.map(Answer::Current);
    };
    tokio::select! {
        answer = call => match answer {
            Err(error) if is_offline(clock, context, &error) => Ok(Answer::Cached(cached)),
            answer => answer.map(Answer::Current),
        },
        () = clock.sleep(OFFLINE_PATIENCE) => Ok(Answer::Cached(cached)),
    }
}

/// Whether the service was not reached. A rejection of any kind is shown, and never hidden behind a cached answer.
fn is_offline(clock: &dyn Clock, context: &CallContext, error: &GatewayError) -> bool {
    let error = error.to_command_error(context, &operation::GET_INVOICE, clock.now());
    matches!(error, CommandError::Offline { .. })
}
