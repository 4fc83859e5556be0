/** The filters of the audit: period, kind, person, organization for operators, and correlation id. */

import { useState } from "react";
import { DateField } from "../components/DateField";
import { TextField } from "../components/Field";
import { type Choice, Select } from "../components/Select";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AuditPerson, AuditScope } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { type AuditFilter, auditPeriods } from "./auditFilter";
import { auditGroupIds, auditGroups } from "./auditKinds";
import { personText } from "./auditText";
import { SearchedSelect } from "./SearchedSelect";

const ALL = "all";

export function AuditFilters({
  scope,
  filter,
  onChange,
}: {
  scope: AuditScope;
  filter: AuditFilter;
  onChange: (changed: Partial<AuditFilter>) => void;
}) {
  const { t } = useLocalizer();
  const kinds = filter.group === ALL ? [] : auditGroups[filter.group];
  return (
    <fieldset className="flex flex-wrap items-end gap-3">
      <legend className="visually-hidden">{t("audit-filter")}</legend>
      <div className="w-40">
        <Select
          label={t("audit-period")}
          value={filter.period}
          onChange={(period) => onChange({ period })}
          choices={auditPeriods.map((id) => ({ id, label: t(`audit-period-${id}`) }))}
        />
      </div>
      {filter.period === "days" && (
        <>
          <div className="w-40">
            <DateField
              label={t("audit-first-day")}
              value={filter.firstDay}
              onChange={(firstDay) => onChange({ firstDay })}
              keepsUnfinished
            />
          </div>
          <div className="w-40">
            <DateField
              label={t("audit-last-day")}
              value={filter.lastDay}
              onChange={(lastDay) => onChange({ lastDay })}
              keepsUnfinished
            />
          </div>
        </>
      )}
      <div className="w-48">
        <Select
          label={t("audit-group")}
          value={filter.group}
          onChange={(group) => onChange({ group, kind: ALL })}
          choices={([ALL, ...auditGroupIds] as const).map((id) => ({ id, label: t(`audit-group-${id}`) }))}
        />
      </div>
      {kinds.length > 0 && (
        <div className="w-56">
          <Select
            label={t("audit-kind")}
            value={filter.kind}
            onChange={(kind) => onChange({ kind })}
            choices={[
              { id: ALL as AuditFilter["kind"], label: t("audit-kind-all") },
              ...kinds.map((id) => ({ id, label: t(`audit-kind-${id}`) })),
            ]}
          />
        </div>
      )}
      <PersonFilter scope={scope} person={filter.person} onChange={(person) => onChange({ person })} />
      {scope === "platform" && (
        <OrganizationFilter organization={filter.organization} onChange={(organization) => onChange({ organization })} />
      )}
      <div className="w-56">
        <TextField
          label={t("audit-correlation-id")}
          value={filter.correlationId}
          onChange={(correlationId) => onChange({ correlationId })}
          dir="ltr"
        />
      </div>
    </fieldset>
  );
}

/** The people of the organization; an operator chooses a person in an event. */
function PersonFilter({
  scope,
  person,
  onChange,
}: {
  scope: AuditScope;
  person: AuditPerson | null;
  onChange: (person: AuditPerson | null) => void;
}) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization } = useWorkspace();
  if (scope === "platform" && person === null) return null;
  const choiceOf = (one: AuditPerson) => ({ id: one.id, label: personText(one, localizer) });
  const search = async (text: string) => {
    const { users, nextPage } = await withBinding(organization.id, (binding) => commands.listUsers(binding, text, ""));
    return {
      choices: users.map(({ id, name, username }) => choiceOf({ id, name: name || username })),
      hasMore: nextPage !== "",
    };
  };
  return (
    <SearchedSelect
      label={t("audit-person")}
      searchLabel={t("audit-person-search")}
      allLabel={t("audit-person-all")}
      noneLabel={t("people-none")}
      chosen={person && choiceOf(person)}
      onChange={(one) => onChange(one && { id: one.id, name: one.label })}
      queryKey={[organization.id, "people"]}
      search={scope === "organization" ? search : undefined}
    />
  );
}

function OrganizationFilter({ organization, onChange }: { organization: string; onChange: (organization: string) => void }) {
  const { t, language } = useLocalizer();
  const { organization: own } = useWorkspace();
  const [chosen, setChosen] = useState<Choice<string> | null>(null);
  const search = async (text: string) => {
    const { tenants, nextPage } = await withBinding(own.id, (binding) => commands.listTenants(binding, text, null, ""));
    return {
      choices: tenants.map(({ id, fields }) => ({
        id: id as string,
        label: (language === "ar" ? fields.nameAr : fields.name) || fields.name || id,
      })),
      hasMore: nextPage !== "",
    };
  };
  return (
    <SearchedSelect
      label={t("audit-organization")}
      searchLabel={t("audit-organization-search")}
      allLabel={t("audit-organization-all")}
      noneLabel={t("tenants-none")}
      chosen={organization === "" ? null : chosen}
      onChange={(one) => {
        setChosen(one);
        onChange(one?.id ?? "");
      }}
      queryKey={[own.id, "tenants", language]}
      search={search}
    />
  );
}
