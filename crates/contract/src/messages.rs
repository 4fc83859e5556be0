//! The generated messages (and with the feature `grpc` clients and servers), in modules named after their packages.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    reason = "generated code"
)]

/// Package `google`.
pub mod google {
    /// Package `google.api`: a body that is not JSON over REST.
    pub mod api {
        include!(concat!(env!("OUT_DIR"), "/google.api.rs"));
    }
    /// Package `google.rpc`: a Status in a message.
    pub mod rpc {
        include!(concat!(env!("OUT_DIR"), "/google.rpc.rs"));
        include!(concat!(env!("OUT_DIR"), "/google.rpc.serde.rs"));
    }
}

/// Package `invoicing`.
pub mod invoicing {
    /// Package `invoicing.audit`.
    pub mod audit {
        /// Package `invoicing.audit.v2`: events of the audit.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.audit.v2.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.audit.v2.serde.rs"));
        }
    }
    /// Package `invoicing.authorities`.
    pub mod authorities {
        /// Package `invoicing.authorities.v2`: tax authorities of tenants.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.authorities.v2.rs"));
            include!(concat!(
                env!("OUT_DIR"),
                "/invoicing.authorities.v2.serde.rs"
            ));
        }
    }
    /// Package `invoicing.documents`.
    pub mod documents {
        /// Package `invoicing.documents.v2`: the whole invoice.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.documents.v2.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.documents.v2.serde.rs"));
        }
    }
    /// Package `invoicing.identity`.
    pub mod identity {
        /// Package `invoicing.identity.v2`: tenants and impersonation.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.identity.v2.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.identity.v2.serde.rs"));
        }
    }
    /// Package `invoicing.rules`.
    pub mod rules {
        /// Package `invoicing.rules.v2`: authorization rules.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.rules.v2.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.rules.v2.serde.rs"));
        }
    }
    /// Package `invoicing.items`.
    pub mod items {
        /// Package `invoicing.items.v2`: goods and services.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.items.v2.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.items.v2.serde.rs"));
        }
    }
    /// Package `invoicing.parties`.
    pub mod parties {
        /// Package `invoicing.parties.v2`: buyers and sellers.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.parties.v2.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.parties.v2.serde.rs"));
        }
    }
    /// Package `invoicing.permissions`.
    pub mod permissions {
        /// Package `invoicing.permissions.v2`: what a caller may do.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.permissions.v2.rs"));
            include!(concat!(
                env!("OUT_DIR"),
                "/invoicing.permissions.v2.serde.rs"
            ));
        }
    }
    /// Package `invoicing.plans`.
    pub mod plans {
        /// Package `invoicing.plans.v2`: plans, limits and entitlements.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.plans.v2.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.plans.v2.serde.rs"));
        }
    }
    /// Package `invoicing.payments`.
    pub mod payments {
        /// Package `invoicing.payments.v2`: what was paid of documents.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.payments.v2.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.payments.v2.serde.rs"));
        }
    }
    /// Package `invoicing.reports`.
    pub mod reports {
        /// Package `invoicing.reports.v2`: ageing, sums of months, taxes.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.reports.v2.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.reports.v2.serde.rs"));
        }
    }
    /// Package `invoicing.simple`.
    pub mod simple {
        /// Package `invoicing.simple.v1`: the flat view.
        pub mod v1 {
            pub use super::super::documents::v2::{
                AmountRange, AuthorityState, CurrencySum, DateRange, Filter, PaymentState, Sort,
                SortField,
            };

            include!(concat!(env!("OUT_DIR"), "/invoicing.simple.v1.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.simple.v1.serde.rs"));
        }
    }
}

pub use invoicing::audit::v2 as audit;
pub use invoicing::authorities::v2 as authorities;
pub use invoicing::documents::v2 as documents;
pub use invoicing::identity::v2 as identity;
pub use invoicing::items::v2 as items;
pub use invoicing::parties::v2 as parties;
pub use invoicing::payments::v2 as payments;
pub use invoicing::permissions::v2 as permissions;
pub use invoicing::plans::v2 as plans;
pub use invoicing::reports::v2 as reports;
pub use invoicing::rules::v2 as rules;
pub use invoicing::simple::v1 as simple;

macro_rules! debug_without_secrets {
    ($($message:ident { $($shown:ident),* })*) => {$(
        impl std::fmt::Debug for identity::$message {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter
                    .debug_struct(stringify!($message))
                    $(.field(stringify!($shown), &self.$shown))*
                    .finish_non_exhaustive()
            }
        }
    )*};
}

debug_without_secrets! {
    CreateTenantResponse { tenant, client_id }
    CompleteProfileResponse { tenant, client_id }
    ImpersonateResponse { expires_in, scope }
    PasswordCode { page_url, expire_time }
    CreateMachineUserResponse { machine_user, client_id }
    MintPatResponse { pat }
    CreateApplicationResponse { application }
    RotateApplicationSecretResponse { application }
}

impl std::fmt::Debug for authorities::AuthorityCredentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("AuthorityCredentials")
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::authorities::{AuthorityCredentials, UpdateAuthorityRequest};
    use super::identity::{
        CompleteProfileResponse, CreateApplicationResponse, CreateMachineUserResponse,
        CreateTenantResponse, ImpersonateResponse, MintPatResponse, PasswordCode,
        RotateApplicationSecretResponse,
    };

    #[test]
    fn debug_output_has_no_secret() {
        let secret = || "hush".to_owned();
        let outputs = [
            format!(
                "{:?}",
                CreateTenantResponse {
                    client_secret: secret(),
                    ..Default::default()
                }
            ),
            format!(
                "{:?}",
                CompleteProfileResponse {
                    client_secret: secret(),
                    ..Default::default()
                }
            ),
            format!(
                "{:?}",
                ImpersonateResponse {
                    access_token: secret(),
                    id_token: secret(),
                    ..Default::default()
                }
            ),
            format!(
                "{:?}",
                PasswordCode {
                    code: secret(),
                    ..Default::default()
                }
            ),
            format!(
                "{:?}",
                CreateMachineUserResponse {
                    client_secret: secret(),
                    ..Default::default()
                }
            ),
            format!(
                "{:?}",
                MintPatResponse {
                    token: secret(),
                    ..Default::default()
                }
            ),
            format!(
                "{:?}",
                CreateApplicationResponse {
                    client_secret: secret(),
                    ..Default::default()
                }
            ),
            format!(
                "{:?}",
                RotateApplicationSecretResponse {
                    client_secret: secret(),
                    ..Default::default()
                }
            ),
        ];
        let update = UpdateAuthorityRequest {
            credentials: Some(AuthorityCredentials {
                username: secret(),
                secret: secret(),
            }),
            ..Default::default()
        };
        let outputs = outputs.into_iter().chain([format!("{update:?}")]);
        for debug in outputs {
            assert!(!debug.contains("hush"), "{debug}");
        }
    }
}
