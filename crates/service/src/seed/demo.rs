//! The demo seed of a local environment: five organizations and that of the operator, four people, five applications.

use invoice::content::Identifier;
use invoicing_contract::ready::{self, ApplicationKind};

use super::SeedSecrets;
use super::credentials::DemoCredentials;
use super::registration_numbers::add_missing;
use invoicing_contract::{EnvironmentKind, OrganizationId, SubjectId};
use invoicing_identity::password_hashing;
use invoicing_storage::applications::{Application, ClientSecret, GrantType, ScopeKind};
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::directory::{Organization, Tenant, TenantAddress};
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::plans::Limits;
use invoicing_storage::secret::{PasswordHash, TokenHash};
use invoicing_storage::subjects::Subject;
use invoicing_storage::{Clock, Rng, StorageError, Store};

/// The home organization of everybody in the demo but the operator.
pub(crate) const HOME: &str = "274893001";
/// The operator organization.
const OPERATOR: &str = "274893009";

struct Person {
    id: &'static str,
    username: &'static str,
    name: &'static str,
    home: &'static str,
    grants: &'static [(&'static str, &'static str)],
}

/// Names and grants are fixed, passwords are not ([`DemoCredentials`]).
const PEOPLE: [Person; 4] = [
    Person {
        id: "310000000000000001",
        username: "noura@alkhair.example",
        name: "Noura Al-Harbi",
        home: HOME,
        grants: &[
            (HOME, "accountant"),
            ("274893002", "clerk"),
            ("274893003", "viewer"),
            ("274893004", "administrator"),
        ],
    },
    Person {
        id: "310000000000000002",
        username: "salem@alkhair.example",
        name: "Salem Al-Otaibi",
        home: HOME,
        grants: &[(HOME, "clerk")],
    },
    Person {
        id: "310000000000000003",
        username: "hessa@diwan.example",
        name: "Hessa Al-Mutairi",
        home: OPERATOR,
        grants: &[(OPERATOR, "operator")],
    },
    Person {
        id: "310000000000000004",
        username: "khalid@alkhair.example",
        name: "Khalid Al-Zahrani",
        home: HOME,
        grants: &[(HOME, "administrator")],
    },
];

/// The actor of what the seed did, in the audit.
pub(super) const SEED: &str = "seed";
const MACHINE: &str = "310000000000000009";

/// Writes what is missing, keeps what was changed since, and returns the secrets.
pub(super) async fn insert(
    store: &dyn Store,
    kind: EnvironmentKind,
    clock: &dyn Clock,
    rng: &dyn Rng,
) -> Result<SeedSecrets, StorageError> {
    for (organization, tenant) in organizations() {
        store.add_organization(&organization).await?;
        if let Some(tenant) = tenant {
            store.add_tenant(&tenant).await?;
            add_missing(store, clock, &tenant).await?;
        }
    }
    let event_of = |kind, organization: &str| {
        AuditEvent::new(clock.timestamp(), kind)
            .actor(SEED)
            .organization(&organization.into())
    };
    let event = |kind| event_of(kind, HOME);
    let named = event_of(audit::AuditEventKind::OperatorNamed, OPERATOR);
    store.name_operator(&OPERATOR.into(), &named).await?;
    let credentials = DemoCredentials::load(store, rng).await?;
    for person in &PEOPLE {
        if store.account(person.id).await?.is_some() {
            continue;
        }
        let hash = password_hashing::hash(&credentials.password(person.username), rng);
        let added = Subject {
            home_organization: person.home.into(),
            ..subject(person.id, person.username, person.name, Some(hash))
        };
        let created =
            event_of(audit::AuditEventKind::UserCreated, person.home).subject(&person.id.into());
        store.add_subject(&added, &created).await?;
        for (organization, role) in person.grants {
            grant(store, clock, person.id, organization, role).await?;
        }
    }
    if store.account(MACHINE).await?.is_none() {
        let added = subject(MACHINE, "nightly-import", "Nightly import", None);
        let created = event(audit::AuditEventKind::UserCreated).subject(&MACHINE.into());
        store.add_subject(&added, &created).await?;
        grant(store, clock, MACHINE, HOME, "accountant").await?;
    }
    for application in applications(kind, &credentials) {
        let registered = store.registered_application(&application.client_id).await?;
        if registered.is_none() {
            let registered =
                event(audit::AuditEventKind::ApplicationRegistered).client(&application.client_id);
            store.put_application(&application, &registered).await?;
        }
    }
    Ok(SeedSecrets {
        users: PEOPLE
            .iter()
            .map(|person| ready_user(person, &credentials))
            .collect(),
        client_secrets: ["web", "web-back-office", "machine", "api"]
            .map(|client_id| (client_id.to_owned(), credentials.client_secret(client_id)))
            .to_vec(),
    })
}

async fn grant(
    store: &dyn Store,
    clock: &dyn Clock,
    subject: &str,
    organization: &str,
    role: &str,
) -> Result<(), StorageError> {
    let (subject, organization) = (SubjectId::from(subject), OrganizationId::from(organization));
    let event = AuditEvent::new(clock.timestamp(), audit::AuditEventKind::RoleGranted)
        .subject(&subject)
        .actor(SEED)
        .organization(&organization)
        .detail("role", role);
    store
        .add_grant(&subject, &organization, role, &event)
        .await
        .map(drop)
}

fn subject(id: &str, username: &str, name: &str, password_hash: Option<PasswordHash>) -> Subject {
    Subject {
        id: id.into(),
        username: username.to_owned(),
        name: name.to_owned(),
        email: username.contains('@').then(|| username.to_owned()),
        // Nobody reads mail at these addresses.
        email_verified: false,
        home_organization: HOME.into(),
        password_hash,
        must_change_password: false,
        epoch: 0,
    }
}

fn ready_user(person: &Person, credentials: &DemoCredentials) -> ready::User {
    let membership = |(id, role): &(&str, &str)| ready::Membership {
        id: (*id).to_owned(),
        roles: vec![(*role).to_owned()],
    };
    ready::User {
        username: person.username.to_owned(),
        password: credentials.password(person.username),
        organizations: person.grants.iter().map(membership).collect(),
    }
}

fn organizations() -> [(Organization, Option<Tenant>); 6] {
    let organization = |id: &str, name: &str, name_ar: &str, domain: &str| Organization {
        id: id.into(),
        name: name.to_owned(),
        name_ar: name_ar.to_owned(),
        domain: domain.to_owned(),
    };
    let tenant = |organization: &Organization, place: [&str; 5], address: [&str; 5]| {
        let [
            currency,
            country,
            time_zone,
            tax_id,
            commercial_registration,
        ] = place.map(str::to_owned);
        // Only in Saudi Arabia documents name one.
        let registration_number = if commercial_registration.is_empty() {
            Identifier::default()
        } else {
            Identifier {
                scheme: "CRN".to_owned(),
                value: commercial_registration,
            }
        };
        let [building, street, district, city, postal_code] = address.map(str::to_owned);
        Some(Tenant {
            organization: organization.clone(),
            currency,
            country,
            time_zone,
            tax_id,
            registration_number,
            address: TenantAddress {
                building,
                street,
                district,
                city,
                postal_code,
            },
            own_limits: Limits::default(),
            plan: None,
            authority_endpoint: None,
            concurrency_stamp: Tenant::INITIAL_STAMP.to_owned(),
            disabled_at: None,
        })
    };
    let al_khair = organization(HOME, "Al-Khair Trading", "الخير للتجارة", "alkhair.example");
    let gulf_pearl = organization(
        "274893002",
        "Gulf Pearl Contracting",
        "لؤلؤة الخليج للمقاولات",
        "gulfpearl.example",
    );
    let kuwait_horizon = organization(
        "274893003",
        "Kuwait Horizon Medical",
        "أفق الكويت الطبية",
        "kuwaithorizon.example",
    );
    // The accountant has a role in it, but it is no tenant yet: the gateway answers with the empty 503.
    let dhow = organization(
        "274893004",
        "Dhow Logistics",
        "داو للخدمات اللوجستية",
        "dhowlogistics.example",
    );
    let andalus = organization(
        "274893005",
        "Andalus Textiles",
        "الأندلس للمنسوجات",
        "andalus.example",
    );
    let diwan = organization(
        OPERATOR,
        "Diwan Cloud Services",
        "ديوان للخدمات السحابية",
        "diwan.example",
    );
    let tenants = [
        tenant(
            &al_khair,
            ["SAR", "SA", "Asia/Riyadh", "310175397400003", "1010175397"],
            ["7421", "King Fahd Road", "Al Olaya", "Riyadh", "12213"],
        ),
        tenant(
            &gulf_pearl,
            ["AED", "AE", "Asia/Dubai", "100318274500003", ""],
            ["14", "Sheikh Zayed Road", "Al Quoz", "Dubai", "00000"],
        ),
        tenant(
            &kuwait_horizon,
            ["KWD", "KW", "Asia/Kuwait", "1029384", ""],
            [
                "22",
                "Fahad Al-Salem Street",
                "Qibla",
                "Kuwait City",
                "13001",
            ],
        ),
        None,
        tenant(
            &andalus,
            ["EUR", "ES", "Europe/Madrid", "ESB18273645", ""],
            ["5", "Calle Elvira", "Centro", "Granada", "18010"],
        ),
        tenant(
            &diwan,
            ["SAR", "SA", "Asia/Riyadh", "310448820900003", "1010448829"],
            ["3120", "Olaya Street", "Al Murooj", "Riyadh", "12283"],
        ),
    ];
    let [a, b, c, d, e, f] = tenants;
    [
        (al_khair, a),
        (gulf_pearl, b),
        (kuwait_horizon, c),
        (dhow, d),
        (andalus, e),
        (diwan, f),
    ]
}

fn applications(kind: EnvironmentKind, credentials: &DemoCredentials) -> [Application; 5] {
    let application =
        |client_id: &str, name: &str, kind: ApplicationKind, grants: &[GrantType]| Application {
            client_id: client_id.into(),
            name: name.to_owned(),
            kind,
            secret: (kind != ApplicationKind::Public)
                .then(|| TokenHash::of(&credentials.client_secret(client_id)))
                .map(ClientSecret::new),
            subject: None,
            organization: Some(HOME.into()),
            grant_types: grants.to_vec(),
            scopes: ScopeKind::USUAL.to_vec(),
            includes_audience: false,
            redirect_uris: Vec::new(),
            post_logout_uris: Vec::new(),
            id_token_algorithm: SigningAlgorithm::Rs256,
            revoke_family_on_reuse: false,
            organization_only: false,
            disabled_at: None,
            concurrency_stamp: "0".into(),
        };
    let user_grants = [GrantType::AuthorizationCode, GrantType::RefreshToken];
    let desktop_uris = vec![
        format!("com.invoicedesk.desktop:/oauth/{kind}"),
        format!("http://127.0.0.1/oauth/{kind}"),
        format!("http://[::1]/oauth/{kind}"),
    ];
    [
        Application {
            redirect_uris: desktop_uris.clone(),
            post_logout_uris: desktop_uris,
            ..application(
                "invoice-desk",
                "Invoice Desk",
                ApplicationKind::Public,
                &user_grants,
            )
        },
        Application {
            redirect_uris: vec!["https://books.alkhair.example/callback".to_owned()],
            post_logout_uris: vec!["https://books.alkhair.example/".to_owned()],
            id_token_algorithm: SigningAlgorithm::EdDsa,
            ..application(
                "web",
                "Al-Khair Books",
                ApplicationKind::Confidential,
                &user_grants,
            )
        },
        // A program of the organization's own that takes the passwords of its people itself: the password grant is off unless an
        // application enables it (decision 0119).
        application(
            "web-back-office",
            "Al-Khair Back Office",
            ApplicationKind::Confidential,
            &[GrantType::Password, GrantType::RefreshToken],
        ),
        Application {
            subject: Some(MACHINE.into()),
            ..application(
                "machine",
                "Nightly import",
                ApplicationKind::Machine,
                &[GrantType::ClientCredentials],
            )
        },
        application("api", "Reporting API", ApplicationKind::Api, &[]),
    ]
}
