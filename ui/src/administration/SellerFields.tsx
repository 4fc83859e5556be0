/** The fields of a form for the details of a tenant as a seller. */

import { TextField } from "../components/Field";
import { Select } from "../components/Select";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { OwnTenantFields } from "../ipc/bindings";
import { ADDRESS, hasRegistrationNumber, malformedDetails, NO_DETAILS, REGISTRATION_SCHEMES } from "./sellerDetails";

/** Parts of an address that every country needs. */
const REQUIRED: ReadonlySet<string> = new Set(["street", "city"]);

/**
 * The names of the fields are those of the service. What it refuses stands at a field until it is typed in or saved again. At a field that may
 * be empty it does not keep the form from being sent: the scheme can be what is wrong with a number. What is wrong with a stored value stands
 * at its field as long as the form has that value.
 */
export function SellerFields({
  details: { registrationNumber, address },
  stored = NO_DETAILS,
  country,
  onChange,
  autoFocus = false,
}: {
  details: OwnTenantFields;
  /** What the service has. */
  stored?: OwnTenantFields | undefined;
  /** ISO 3166-1 alpha-2. */
  country: string;
  onChange: (changed: Partial<OwnTenantFields>) => void;
  /** Whether a form begins with these fields. */
  autoFocus?: boolean;
}) {
  const { t } = useLocalizer();
  const hasNumber = hasRegistrationNumber(country);
  const malformed = malformedDetails(stored, country);
  const problemOf = (name: string, isStored: boolean) => {
    const message = isStored ? malformed.get(name) : undefined;
    return message ? t(message) : null;
  };
  const { scheme, value: storedNumber } = stored.registrationNumber;
  return (
    <>
      {hasNumber && (
        <>
          <TextField
            label={t("tenant-registration-number")}
            name="registrationNumber.value"
            value={registrationNumber.value}
            onChange={(value) => onChange({ registrationNumber: { ...registrationNumber, value } })}
            validate={(value) =>
              problemOf("registrationNumber.value", value === storedNumber && registrationNumber.scheme === scheme)
            }
            validationBehavior="aria"
            numeric
            autoFocus={autoFocus}
          />
          <Select<string>
            label={t("tenant-registration-scheme")}
            value={registrationNumber.scheme}
            choices={REGISTRATION_SCHEMES.map((id) => ({ id, label: t(`scheme-${id}`) }))}
            onChange={(chosen) => onChange({ registrationNumber: { ...registrationNumber, scheme: chosen } })}
          />
        </>
      )}
      {ADDRESS.map(([part, label], index) => (
        <TextField
          key={part}
          label={t(label)}
          name={`address.${part}`}
          value={address[part]}
          onChange={(text) => onChange({ address: { ...address, [part]: text } })}
          validate={(text) => problemOf(`address.${part}`, text === stored.address[part])}
          isRequired={REQUIRED.has(part)}
          validationBehavior={REQUIRED.has(part) ? "native" : "aria"}
          autoFocus={autoFocus && !hasNumber && index === 0}
        />
      ))}
    </>
  );
}
