//! The generated messages (and with the feature `grpc` clients and servers), in modules named after their packages.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    reason = "generated code"
)]

/// Package `invoicing`.
pub mod invoicing {
    /// Package `invoicing.documents`.
    pub mod documents {
        /// Package `invoicing.documents.v2`: the whole invoice.
        pub mod v2 {
            include!(concat!(env!("OUT_DIR"), "/invoicing.documents.v2.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.documents.v2.serde.rs"));
        }
    }
    /// Package `invoicing.simple`.
    pub mod simple {
        /// Package `invoicing.simple.v1`: the flat view.
        pub mod v1 {
            pub use super::super::documents::v2::{
                AmountRange, CurrencySum, DateRange, Filter, Sort, SortField,
            };

            include!(concat!(env!("OUT_DIR"), "/invoicing.simple.v1.rs"));
            include!(concat!(env!("OUT_DIR"), "/invoicing.simple.v1.serde.rs"));
        }
    }
}

pub use invoicing::documents::v2 as documents;
pub use invoicing::simple::v1 as simple;
