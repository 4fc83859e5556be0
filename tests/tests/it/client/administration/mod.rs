//! Administration of an organization and of the platform.

mod audit;
mod impersonation;
mod lost_answers;
mod own_tenant;
mod people;
mod platform;
mod rules;

/// The administrator of the home organization in the demo seed.
const ADMINISTRATOR: &str = "khalid@alkhair.example";
/// The clerk's id.
const CLERK_ID: &str = "310000000000000002";
/// The operator of the demo seed, and the operator organization.
const OPERATOR: &str = "hessa@diwan.example";
const OPERATORS: &str = "274893009";
/// A tenant of the demo seed in which nobody of these tests works.
const ANDALUS: &str = "274893005";
