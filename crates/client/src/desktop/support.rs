//! Commands about the connection and support.

use std::sync::PoisonError;

use super::{CommandResult, Desktop, WindowKey};
use crate::diagnosis;
use crate::files;
use crate::support_packet::{self, PacketContent};
use crate::views::{CommandError, Diagnosis};

/// The suggested name of the file.
const FILE: &str = "invoice-desk-support.txt";

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn diagnose(
        &self,
        _window: &WindowKey,
        environment: String,
    ) -> CommandResult<Diagnosis> {
        let environment = self.environments.get(&environment).await?;
        let diagnosis =
            diagnosis::diagnose(&environment, self.session.network(), &self.clock, &self.rng).await;
        *self
            .support
            .diagnosis
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(diagnosis.clone());
        Ok(diagnosis)
    }

    pub async fn support_packet(&self, _window: &WindowKey) -> CommandResult<String> {
        let lock = || self.support.diagnosis.lock();
        let diagnosis = lock().unwrap_or_else(PoisonError::into_inner).clone();
        let packet = support_packet::write(&PacketContent {
            now: self.clock.now(),
            session: &self.session.state(),
            drafts_vault: self.drafts.vault_problem(),
            environments: self.environments.views().len(),
            pending_retries: &self.pending_retries.list(),
            deliveries: self.deliveries.load(std::sync::atomic::Ordering::Acquire),
            diagnosis: diagnosis.as_ref(),
            log: self.host.log().as_ref(),
        });
        *self
            .support
            .packet
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(packet.clone());
        Ok(packet)
    }

    pub async fn save_support_packet(&self, window: &WindowKey) -> CommandResult<bool> {
        let shown = || self.support.packet.lock();
        let packet = shown().unwrap_or_else(PoisonError::into_inner).clone();
        let packet = packet.ok_or_else(|| CommandError::InvalidCall {
            reason: "no support packet has been shown".to_owned(),
        })?;
        let Some(path) = self.host.choose_file(window, FILE).await else {
            return Ok(false);
        };
        files::run_blocking(move || files::write(&path, packet.as_bytes())).await?;
        Ok(true)
    }
}
