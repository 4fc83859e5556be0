//! Leases: what one process at a time does.

use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use invoicing_storage::secret::random_id;

use super::{Engine, Parameter};

/// A lease that this process holds. It ends by itself when the process does not release it.
pub(crate) struct Lease {
    name: &'static str,
    holder: String,
}

impl Lease {
    /// Takes the lease until `now` + `duration`; `None` while another holds it.
    ///
    /// # Errors
    /// [`StorageError`] when the database does not answer.
    pub(crate) async fn acquire(
        engine: &Engine,
        name: &'static str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Option<Self>, StorageError> {
        let insert = "INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $3)
             ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
                WHERE leases.expires_at <= $4 OR leases.holder = excluded.holder
             RETURNING name";
        let holder = random_id(engine.rng());
        let expires_at = now.plus(duration).as_millis();
        let key: [Parameter<'_>; 4] = [&name, &holder, &expires_at, &now.as_millis()];
        let acquired = !engine.write_statement(&[], insert, &key).await?.is_empty();
        Ok(acquired.then_some(Self { name, holder }))
    }

    /// Ends the lease.
    ///
    /// # Errors
    /// [`StorageError`] when the database does not answer. The lease ends at its time then.
    pub(crate) async fn release(self, engine: &Engine) -> Result<(), StorageError> {
        let update = "UPDATE leases SET expires_at = 0 WHERE name = $1 AND holder = $2";
        let key: [Parameter<'_>; 2] = [&self.name, &self.holder];
        engine.write_statement(&[], update, &key).await?;
        Ok(())
    }
}
