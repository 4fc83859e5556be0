/** The filters of the audit: period, kind, person, organization for operators, and correlation id. */

import { useQuery } from "@tanstack/react-query";
import { DateField } from "../components/DateField";
import { TextField } from "../components/Field";
import { Select } from "../components/Select";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AuditPerson, AuditScope } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { type AuditFilter, auditPeriods } from "./auditFilter";
import { auditGroupIds, auditGroups } from "./auditKinds";
import { personText } from "./auditText";

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
            <DateField label={t("audit-first-day")} value={filter.firstDay} onChange={(firstDay) => onChange({ firstDay })} />
          </div>
          <div className="w-40">
            <DateField label={t("audit-last-day")} value={filter.lastDay} onChange={(lastDay) => onChange({ lastDay })} />
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
  const people = useQuery({
    queryKey: [organization.id, "people", ""],
    queryFn: () => withBinding(organization.id, (binding) => commands.listUsers(binding, "", "")),
    enabled: scope === "organization",
  });
  const listed: AuditPerson[] = (people.data?.users ?? []).map(({ id, name, username }) => ({ id, name: name || username }));
  const offered = person && !listed.some(({ id }) => id === person.id) ? [person, ...listed] : listed;
  if (scope === "platform" && person === null) return null;
  return (
    <div className="w-52">
      <Select
        label={t("audit-person")}
        value={person?.id ?? ALL}
        onChange={(id) => onChange(offered.find((one) => one.id === id) ?? null)}
        choices={[
          { id: ALL, label: t("audit-person-all") },
          ...offered.map((one) => ({ id: one.id, label: personText(one, localizer) })),
        ]}
      />
    </div>
  );
}

function OrganizationFilter({ organization, onChange }: { organization: string; onChange: (organization: string) => void }) {
  const { t, language } = useLocalizer();
  const { organization: own } = useWorkspace();
  const tenants = useQuery({
    queryKey: [own.id, "tenants", "", ALL],
    queryFn: () => withBinding(own.id, (binding) => commands.listTenants(binding, "", null, "")),
  });
  return (
    <div className="w-52">
      <Select
        label={t("audit-organization")}
        value={organization || ALL}
        onChange={(id) => onChange(id === ALL ? "" : id)}
        choices={[
          { id: ALL, label: t("audit-organization-all") },
          ...(tenants.data?.tenants ?? []).map(({ id, fields }) => ({
            id: id as string,
            label: (language === "ar" ? fields.nameAr : fields.name) || fields.name || id,
          })),
        ]}
      />
    </div>
  );
}
