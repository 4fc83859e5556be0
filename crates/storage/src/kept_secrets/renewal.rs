//! Encrypts what is stored with the first key (decision 0160).

use invoicing_contract::Timestamp;

use super::{
    EncryptionAtRest, KeptSecret, KeptSecretError, SecretSetting, encrypted_text, record_in,
};
use crate::audit::{AuditEvent, AuditEventKind};
use crate::encryption::is_record;
use crate::{DirectoryStore, KeyStore, Rng};

/// How many secrets are encrypted with the first key. Those that stay in clear are not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RenewedSecrets {
    /// Those that were in clear, or encrypted with another key.
    pub encrypted: u32,
    /// Those that were before.
    pub unchanged: u32,
}

impl EncryptionAtRest {
    /// The secrets that are stored in clear although the operator has configured keys: those of before, until
    /// [`Self::renew_signing_keys`] and [`Self::renew_settings`].
    ///
    /// # Errors
    /// See [`KeptSecretError`].
    pub async fn secrets_in_clear<S>(&self, store: &S) -> Result<Vec<KeptSecret>, KeptSecretError>
    where
        S: KeyStore + DirectoryStore + ?Sized,
    {
        let mut secrets = Vec::new();
        if !matches!(self, Self::Configured(_)) {
            return Ok(secrets);
        }
        let keys = store.signing_keys().await?.into_iter();
        let keys = keys.filter(|key| !is_record(&key.pkcs8));
        secrets.extend(keys.map(|key| KeptSecret::SigningKey { kid: key.kid }));
        for setting in SecretSetting::ALL {
            let secret = KeptSecret::Setting(setting);
            if let Some(value) = store.setting(setting.name()).await?
                && record_in(&secret, &value)?.is_none()
            {
                secrets.push(secret);
            }
        }
        Ok(secrets)
    }

    /// Encrypts the private parts of all signing keys with the first key. It can run beside the service, and be repeated.
    ///
    /// # Errors
    /// See [`KeptSecretError`]. What was encrypted before stays so.
    pub async fn renew_signing_keys(
        &self,
        store: &(impl KeyStore + ?Sized),
        rng: &dyn Rng,
        now: Timestamp,
        actor: &str,
    ) -> Result<RenewedSecrets, KeptSecretError> {
        let mut renewed = RenewedSecrets::default();
        for key in store.signing_keys().await? {
            let secret = KeptSecret::signing_key(&key.kid);
            let event = event(now, actor).detail("signingKey", &*key.kid);
            let mut stored = Some(key.pkcs8);
            while let Some(current) = stored {
                let is_encrypted = is_record(&current);
                let replacement = if is_encrypted {
                    self.rewrap(rng, &secret, &current)?
                } else {
                    self.encrypt(rng, &secret, &current)
                };
                let Some(replacement) = replacement else {
                    renewed.unchanged += u32::from(is_encrypted);
                    break;
                };
                let replaced = store.replace_signing_key(&key.kid, &current, &replacement, &event);
                if replaced.await? {
                    renewed.encrypted += 1;
                    break;
                }
                // Somebody else has encrypted it, or a rotation has removed it.
                let keys = store.signing_keys().await?;
                let found = keys.into_iter().find(|found| found.kid == key.kid);
                stored = found.map(|found| found.pkcs8);
            }
        }
        Ok(renewed)
    }

    /// Encrypts the values of all secret settings with the first key. It can run beside the service, and be repeated.
    ///
    /// # Errors
    /// See [`KeptSecretError`]. What was encrypted before stays so.
    pub async fn renew_settings(
        &self,
        store: &(impl DirectoryStore + ?Sized),
        rng: &dyn Rng,
        now: Timestamp,
        actor: &str,
    ) -> Result<RenewedSecrets, KeptSecretError> {
        let mut renewed = RenewedSecrets::default();
        for setting in SecretSetting::ALL {
            let (name, secret) = (setting.name(), KeptSecret::Setting(setting));
            let event = event(now, actor).detail("setting", name);
            while let Some(value) = store.setting(name).await? {
                let record = record_in(&secret, &value)?;
                let replacement = match &record {
                    Some(record) => self.rewrap(rng, &secret, record)?,
                    None => self.encrypt(rng, &secret, value.as_bytes()),
                };
                let Some(replacement) = replacement else {
                    renewed.unchanged += u32::from(record.is_some());
                    break;
                };
                let replacement = encrypted_text(&replacement);
                let replaced = store.replace_setting(name, &value, &replacement, &event);
                if replaced.await? {
                    renewed.encrypted += 1;
                    break;
                }
            }
        }
        Ok(renewed)
    }
}

fn event(now: Timestamp, actor: &str) -> AuditEvent {
    AuditEvent::new(now, AuditEventKind::EncryptionRotated).actor(actor)
}
