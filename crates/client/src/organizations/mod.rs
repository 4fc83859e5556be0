//! The organizations of the roles claim: their names, badges and colours on this computer, and the windows bound to them.

mod aliases;
mod appearance;
mod names;
mod shortlist;
mod window_bindings;

use std::collections::BTreeMap;

use invoicing_contract::OrganizationId;

pub(crate) use aliases::Aliases;
pub(crate) use names::{AccountNames, OrganizationNames, OrganizationRecord};
pub(crate) use shortlist::{AccountShortlist, Shortlist};
pub(crate) use window_bindings::{ChangedData, MAX_WINDOWS, WindowBindings};

use crate::provider::Identity;
use crate::views::{ArabicName, OrganizationView};

/// The organizations that the user holds roles in: pinned ones first, then home, then by name. The order is the same in each
/// language, because keys choose by it.
pub(crate) fn views(
    identity: &Identity,
    aliases: &BTreeMap<OrganizationId, String>,
    names: &AccountNames,
    shortlist: &AccountShortlist,
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
    let mut appearances = appearance::Appearances::default();
    let mut badges = appearance::Badges::default();
    let mut views: Vec<_> = roles
        .into_iter()
        .map(|(id, (domain, roles))| {
            let home = identity.home.id == *id;
            let (alias, told) = (aliases.get(id), names.get(id));
            let claimed = home.then_some(identity.home.name.as_str());
            let name = [
                alias.map(String::as_str),
                told.map(|name| name.english.as_str()),
                claimed,
                Some(domain),
            ];
            let name = name.into_iter().flatten().find(|name| !name.is_empty());
            let name = name.unwrap_or(id).to_owned();
            let arabic = told.map(|name| name.arabic.as_str()).unwrap_or_default();
            let mut found_by = vec![name.clone()];
            found_by.extend(told.map(|name| name.english.clone()));
            found_by.extend([arabic.to_owned(), domain.to_owned(), id.to_owned()]);
            found_by.retain(|text| !text.is_empty());
            found_by.dedup();
            let (color, pattern) = appearances.assign(id);
            let badge = badges.assign(&name);
            let arabic = (alias.is_none() && !arabic.is_empty()).then(|| ArabicName {
                name: arabic.to_owned(),
                badge: if *arabic == name {
                    badge.clone()
                } else {
                    badges.assign(arabic)
                },
            });
            OrganizationView {
                badge,
                color: color.to_owned(),
                pattern,
                id: id.into(),
                domain: domain.to_owned(),
                name,
                arabic,
                found_by,
                time_zone: told.map(|name| name.time_zone.clone()).unwrap_or_default(),
                aliased: alias.is_some(),
                roles,
                home,
                pinned: shortlist.pinned.iter().any(|pinned| *pinned == *id),
                recent: place(&shortlist.recent, id),
            }
        })
        .collect();
    views.sort_by_cached_key(|view| {
        let pin = place(&shortlist.pinned, view.id.as_str()).unwrap_or(u32::MAX);
        (pin, !view.home, view.name.to_lowercase(), view.id.clone())
    });
    views
}

/// The place of an organization in a list.
fn place(list: &[OrganizationId], id: &str) -> Option<u32> {
    let place = list.iter().position(|other| *other == *id)?;
    u32::try_from(place).ok()
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
            actor: None,
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
    fn organizations_are_sorted_home_first_then_by_name_with_their_roles() {
        let views = views(
            &identity(),
            &BTreeMap::new(),
            &BTreeMap::new(),
            &AccountShortlist::default(),
        );
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
    fn pinned_organizations_come_first_in_the_order_of_their_pins() {
        let shortlist = AccountShortlist {
            pinned: vec!["3".into(), "1".into(), "gone".into()],
            recent: vec!["2".into()],
        };
        let views = views(&identity(), &BTreeMap::new(), &BTreeMap::new(), &shortlist);
        let shown: Vec<_> = views
            .iter()
            .map(|view| (view.id.as_str(), view.pinned, view.recent))
            .collect();
        assert_eq!(
            shown,
            [("3", true, None), ("1", true, None), ("2", false, Some(0))]
        );
    }

    #[test]
    fn alias_changes_the_name_and_neither_colour_nor_pattern() {
        let shortlist = AccountShortlist::default();
        let plain = views(&identity(), &BTreeMap::new(), &BTreeMap::new(), &shortlist);
        let aliases = [("1".into(), "شركة الخير".to_owned())].into();
        let named = views(&identity(), &aliases, &BTreeMap::new(), &shortlist);
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

    #[test]
    fn organization_has_the_names_that_the_service_told_unless_it_has_an_alias() {
        let name = OrganizationRecord {
            english: "Al-Khair Trading".to_owned(),
            arabic: "الخير للتجارة".to_owned(),
            time_zone: "Asia/Riyadh".to_owned(),
            ..OrganizationRecord::default()
        };
        let names = [("1".into(), name)].into();
        let shown = |aliases: &BTreeMap<OrganizationId, String>| {
            let views = views(&identity(), aliases, &names, &AccountShortlist::default());
            views.into_iter().find(|view| view.id == "1").expect("one")
        };
        let told = shown(&BTreeMap::new());
        assert_eq!(
            (told.name.as_str(), told.badge.as_str()),
            ("Al-Khair Trading", "KT")
        );
        assert_eq!(told.time_zone, "Asia/Riyadh");
        let arabic = told.arabic.expect("a name");
        assert_eq!(
            (arabic.name.as_str(), arabic.badge.as_str()),
            ("الخير للتجارة", "خت")
        );
        let aliased = shown(&[("1".into(), "Khair".to_owned())].into());
        assert_eq!((aliased.name.as_str(), aliased.arabic), ("Khair", None));
        assert_eq!(
            aliased.found_by,
            [
                "Khair",
                "Al-Khair Trading",
                "الخير للتجارة",
                "a.example",
                "1"
            ]
        );
    }
}
