//! Work that takes long, beside the threads of the requests.

/// Starts blocking work on tokio's thread pool for it. A panic is resumed where the result is awaited.
pub(crate) fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = T> + Send {
    let task = tokio::task::spawn_blocking(work);
    async move {
        task.await
            .unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
    }
}
