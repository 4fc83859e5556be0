//! The organizations of the roles claim, what they are called and look like here, and which window works in which.

mod aliases;
mod appearance;
mod places;

use std::collections::BTreeMap;

pub(crate) use aliases::Aliases;
pub(crate) use places::Places;

use crate::provider::Identity;
use crate::views::OrganizationView;

/// Every organization in which the user holds a role: home first, then by name.
pub(crate) fn granted(
    identity: &Identity,
    aliases: &BTreeMap<String, String>,
) -> Vec<OrganizationView> {
    let mut roles: BTreeMap<&str, (&str, Vec<String>)> = BTreeMap::new();
    for (role, held) in &identity.roles {
        for (id, domain) in held {
            roles
                .entry(id.as_str())
                .or_insert((domain, Vec::new()))
                .1
                .push(role.clone());
        }
    }
    let mut views: Vec<_> = roles
        .into_iter()
        .map(|(id, (domain, roles))| {
            let home = identity.home.id == *id;
            let alias = aliases.get(id);
            let claimed = if home && !identity.home.name.is_empty() {
                &identity.home.name
            } else {
                domain
            };
            let claimed = if claimed.is_empty() { id } else { claimed };
            let name = alias.map_or(claimed, String::as_str).to_owned();
            OrganizationView {
                badge: appearance::badge(&name),
                color: appearance::color(id).to_owned(),
                pattern: appearance::pattern(id),
                id: id.to_owned(),
                domain: domain.to_owned(),
                name,
                aliased: alias.is_some(),
                roles,
                home,
            }
        })
        .collect();
    views.sort_by_cached_key(|view| (!view.home, view.name.to_lowercase(), view.id.clone()));
    views
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::provider::HomeOrganization;

    fn identity() -> Identity {
        let held = |pairs: &[(&str, &str)]| {
            pairs
                .iter()
                .map(|(id, domain)| ((*id).into(), (*domain).to_owned()))
                .collect()
        };
        Identity {
            subject: "u".into(),
            name: "U".to_owned(),
            username: "u".to_owned(),
            home: HomeOrganization {
                id: "2".into(),
                name: "Zebra".to_owned(),
                domain: "z.example".to_owned(),
            },
            roles: [
                (
                    "clerk".to_owned(),
                    held(&[("1", "a.example"), ("2", "z.example")]),
                ),
                ("viewer".to_owned(), held(&[("1", "a.example"), ("3", "")])),
            ]
            .into(),
            issued_at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn home_comes_first_then_names_and_roles_are_gathered() {
        let views = granted(&identity(), &BTreeMap::new());
        let shown: Vec<_> = views
            .iter()
            .map(|view| (view.name.as_str(), view.roles.join(" ")))
            .collect();
        assert_eq!(
            shown,
            [
                ("Zebra", "clerk".to_owned()),
                ("3", "viewer".to_owned()),
                ("a.example", "clerk viewer".to_owned())
            ]
        );
    }

    #[test]
    fn an_alias_names_it_and_changes_neither_colour_nor_pattern() {
        let plain = granted(&identity(), &BTreeMap::new());
        let named = granted(
            &identity(),
            &[("1".to_owned(), "شركة الخير".to_owned())].into(),
        );
        let (before, after) = (
            plain.iter().find(|view| view.id == "1"),
            named.iter().find(|view| view.id == "1"),
        );
        let (before, after) = (before.expect("granted"), after.expect("granted"));
        assert_eq!((after.name.as_str(), after.aliased), ("شركة الخير", true));
        assert_eq!(
            (&before.color, before.pattern),
            (&after.color, after.pattern)
        );
    }
}
