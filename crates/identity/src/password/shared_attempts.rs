//! Attempts to sign in, with those that other processes have counted: a failure is stored, and whoever counts an attempt has read what is
//! stored (decision 0192).

use invoicing_storage::StorageError;

use super::throttle::{SignInAttempt, ThrottledAttempt};
use crate::provider::Provider;

impl Provider {
    /// Counts an attempt before its password or code is checked.
    pub(super) async fn count_attempt(
        &self,
        attempt: &mut SignInAttempt,
    ) -> Result<Result<(), ThrottledAttempt>, StorageError> {
        let throttle = &self.password_throttle;
        // What this process knows refuses a flood without reading what is stored.
        if !throttle.is_delayed(attempt, self.monotonic()) {
            let (now, monotonic) = (self.now(), self.monotonic());
            let counters = attempt.shared_counters();
            let shared = self.store.failed_attempts(&counters, now).await?;
            throttle.learn(attempt, &shared, now, monotonic);
        }
        Ok(throttle.count(attempt, self.monotonic()))
    }

    /// Stores that an attempt has failed, whether its account exists or not. What cannot be stored is no error: the password or code is
    /// wrong in any case, and this process has counted the attempt.
    pub(super) async fn store_failed_attempt(&self, attempt: &mut SignInAttempt) {
        let (now, monotonic) = (self.now(), self.monotonic());
        let counters = attempt.shared_counters();
        let throttle = &self.password_throttle;
        match self.store.count_failed_attempt(&counters, now).await {
            Ok(shared) => throttle.learn(attempt, &shared, now, monotonic),
            Err(error) => {
                tracing::warn!(%error, "a failed attempt is counted by this process alone")
            }
        }
    }

    /// After the right password or code. It writes only if there were failures before. What cannot be taken back is no error: a password
    /// that was set with a code is set, and its failures only delay later attempts until they are forgotten.
    pub(super) async fn succeed_attempt(&self, attempt: &SignInAttempt) {
        self.password_throttle.succeed(attempt);
        let Some((keys, attempts)) = attempt.shared_to_take_back() else {
            return;
        };
        if let Err(error) = self.store.forget_failed_attempts(&keys, attempts).await {
            tracing::warn!(%error, "failed attempts before a success were not taken back");
        }
    }
}
