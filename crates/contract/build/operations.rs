//! Generates the table of operations from the options of the methods.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;

use prost_reflect::{DescriptorPool, MethodDescriptor, Value};

use crate::names::{screaming_snake_case, upper_camel_case};

/// `pub const LIST_INVOICES: Operation = …` for every method, and `ALL`.
///
/// # Errors
/// A method lacks its scope, its least role or its path, or two methods with the same scope have different least roles.
pub(crate) fn generate(pool: &DescriptorPool) -> Result<String, Box<dyn Error>> {
    let mut source = String::new();
    let mut names = Vec::new();
    let mut roles: HashMap<String, String> = HashMap::new();
    for method in pool
        .services()
        .flat_map(|service| service.methods().collect::<Vec<_>>())
    {
        let missing = |option: &str| format!("{} has no ({option})", method.full_name());
        let scope = scope(pool, &method).ok_or_else(|| missing("invoicing.scope"))?;
        let role = least_role(pool, &method).ok_or_else(|| missing("invoicing.least_role"))?;
        let (verb, path) = http(pool, &method).ok_or_else(|| missing("google.api.http"))?;
        let earlier = roles.entry(scope.clone()).or_insert_with(|| role.clone());
        if *earlier != role {
            return Err(
                format!("operations with the scope {scope} differ in their least role").into(),
            );
        }
        let creates_document = flag(pool, &method, "invoicing.creates_document");
        let without_profile = flag(pool, &method, "invoicing.without_profile");
        let without_rules = flag(pool, &method, "invoicing.without_rules");
        let entitlement = entitlement(pool, &method).map_or_else(
            || "None".to_owned(),
            |name| format!("Some(Entitlement::{name})"),
        );
        let name = screaming_snake_case(method.name());
        writeln!(source, "/// `{}`", method.full_name())?;
        writeln!(
            source,
            "pub const {name}: Operation = Operation {{ service: {:?}, method: {:?}, scope: {scope:?}, least_role: Role::{role}, creates_document: {creates_document}, without_profile: {without_profile}, without_rules: {without_rules}, entitlement: {entitlement}, verb: {verb:?}, path: {path:?} }};",
            method.parent_service().full_name(),
            method.name(),
        )?;
        names.push(name);
    }
    writeln!(
        source,
        "/// Every operation of the gateway.\npub const ALL: &[Operation] = &[{}];",
        names.join(", ")
    )?;
    Ok(source)
}

fn scope(pool: &DescriptorPool, method: &MethodDescriptor) -> Option<String> {
    let Value::String(scope) = option(pool, method, "invoicing.scope")? else {
        return None;
    };
    (!scope.is_empty()).then_some(scope)
}

/// The variant of `Role`: `Viewer`.
fn least_role(pool: &DescriptorPool, method: &MethodDescriptor) -> Option<String> {
    let Value::EnumNumber(number) = option(pool, method, "invoicing.least_role")? else {
        return None;
    };
    if number == 0 {
        return None;
    }
    let role = pool.get_enum_by_name("invoicing.Role")?.get_value(number)?;
    Some(upper_camel_case(role.name()))
}

/// The variant of `Entitlement`: `ApiAccess`.
fn entitlement(pool: &DescriptorPool, method: &MethodDescriptor) -> Option<String> {
    let Value::EnumNumber(number @ 1..) = option(pool, method, "invoicing.entitlement")? else {
        return None;
    };
    let entitlements = pool.get_enum_by_name("invoicing.Entitlement")?;
    Some(upper_camel_case(entitlements.get_value(number)?.name()))
}

fn flag(pool: &DescriptorPool, method: &MethodDescriptor, name: &str) -> bool {
    option(pool, method, name) == Some(Value::Bool(true))
}

fn option(pool: &DescriptorPool, method: &MethodDescriptor, name: &str) -> Option<Value> {
    let extension = pool.get_extension_by_name(name)?;
    Some(method.options().get_extension(&extension).into_owned())
}

fn http(pool: &DescriptorPool, method: &MethodDescriptor) -> Option<(String, String)> {
    let rule = option(pool, method, "google.api.http")?;
    let rule = rule.as_message()?;
    ["get", "put", "post", "delete", "patch"]
        .into_iter()
        .find_map(|verb| {
            let path = rule.get_field_by_name(verb)?;
            let path = path.as_str().filter(|path| !path.is_empty())?;
            Some((verb.to_uppercase(), path.to_owned()))
        })
}
