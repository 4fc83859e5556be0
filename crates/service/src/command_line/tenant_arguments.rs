//! The arguments of `admin tenants create` and `update`.

use invoice::content::Identifier;
use invoicing_identity::administration::{NewOrganization, NewTenant, Profile, TenantFields};

#[derive(clap::Args)]
pub(crate) struct Create {
    /// A UUIDv7, so that a repeated attempt is recognised; made if left out
    #[arg(long, value_name = "UUID", default_value = "")]
    id: String,
    /// Name in English
    #[arg(long)]
    name: String,
    /// Name in Arabic; the English one if left out
    #[arg(long, default_value = "")]
    name_ar: String,
    /// Primary domain, of no other organization
    #[arg(long)]
    domain: String,
    /// ISO 4217, of its accounts
    #[arg(long)]
    currency: String,
    /// ISO 3166-1 alpha-2
    #[arg(long)]
    country: String,
    /// IANA name, as Asia/Riyadh
    #[arg(long)]
    time_zone: String,
    /// Its VAT number
    #[arg(long)]
    tax_id: String,
    /// The scheme of its registration number, as CRN
    #[arg(long, default_value = "")]
    registration_number_scheme: String,
    /// Its registration number, which only sellers in Saudi Arabia have
    #[arg(long, default_value = "")]
    registration_number_value: String,
    /// Of its address
    #[arg(long, default_value = "")]
    building: String,
    /// Of its address
    #[arg(long)]
    street: String,
    /// Of its address
    #[arg(long, default_value = "")]
    district: String,
    /// Of its address
    #[arg(long)]
    city: String,
    /// Of its address
    #[arg(long, default_value = "")]
    postal_code: String,
}

#[derive(clap::Args)]
pub(crate) struct Update {
    /// Id of the organization
    pub(super) organization: String,
    /// Name in English
    #[arg(long)]
    name: Option<String>,
    /// Name in Arabic
    #[arg(long)]
    name_ar: Option<String>,
    /// IANA name, as Asia/Riyadh
    #[arg(long)]
    time_zone: Option<String>,
    /// Its VAT number
    #[arg(long)]
    tax_id: Option<String>,
    /// The scheme of its registration number, as CRN
    #[arg(long)]
    registration_number_scheme: Option<String>,
    /// Its registration number
    #[arg(long)]
    registration_number_value: Option<String>,
    /// Of its address
    #[arg(long)]
    building: Option<String>,
    /// Of its address
    #[arg(long)]
    street: Option<String>,
    /// Of its address
    #[arg(long)]
    district: Option<String>,
    /// Of its address
    #[arg(long)]
    city: Option<String>,
    /// Of its address
    #[arg(long)]
    postal_code: Option<String>,
}

impl Update {
    pub(super) fn apply(self, fields: &mut TenantFields) {
        let (number, address) = (&mut fields.registration_number, &mut fields.address);
        for (field, value) in [
            (&mut fields.name, self.name),
            (&mut fields.name_ar, self.name_ar),
            (&mut fields.time_zone, self.time_zone),
            (&mut fields.tax_id, self.tax_id),
            (&mut number.scheme, self.registration_number_scheme),
            (&mut number.value, self.registration_number_value),
            (&mut address.building, self.building),
            (&mut address.street, self.street),
            (&mut address.district, self.district),
            (&mut address.city, self.city),
            (&mut address.postal_code, self.postal_code),
        ] {
            if let Some(value) = value {
                *field = value;
            }
        }
    }
}

impl From<Create> for NewTenant {
    fn from(create: Create) -> Self {
        Self {
            organization: NewOrganization {
                id: create.id,
                name: create.name,
                name_ar: create.name_ar,
                domain: create.domain,
            },
            profile: Profile {
                currency: create.currency,
                country: create.country,
                time_zone: create.time_zone,
                tax_id: create.tax_id,
                registration_number: Identifier {
                    scheme: create.registration_number_scheme,
                    value: create.registration_number_value,
                },
                building: create.building,
                street: create.street,
                district: create.district,
                city: create.city,
                postal_code: create.postal_code,
            },
        }
    }
}
