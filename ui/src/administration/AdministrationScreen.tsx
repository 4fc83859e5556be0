/** The administration: of the organization for its administrators, of the platform for operators. */

import { useRef, useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { useShortcut } from "../components/shortcuts";
import { useTakeFocus } from "../components/useTakeFocus";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { usePermissions, useReadsDocuments } from "../queries/permissionsQuery";
import { useNavigation } from "../state/navigation";
import { OrganizationAudit, PlatformAudit } from "./Audit";
import { MachineUsers } from "./MachineUsers";
import { OwnTenant } from "./OwnTenant";
import { People } from "./People";
import { Plan } from "./Plan";
import { Plans } from "./Plans";
import { Rules } from "./Rules";
import { type AdministrationSection, sectionsOf } from "./sections";
import { Tenants } from "./Tenants";

const sections = {
  people: People,
  machines: MachineUsers,
  tenants: Tenants,
  plans: Plans,
  rules: Rules,
  plan: Plan,
  audit: OrganizationAudit,
  ownTenant: OwnTenant,
  platformAudit: PlatformAudit,
};

export function AdministrationScreen() {
  const { t } = useLocalizer();
  const { navigate, flushAutosaves, view } = useNavigation();
  const offered = sectionsOf(usePermissions());
  const asked = view.name === "administration" ? view.section : undefined;
  const [chosen, setSection] = useState<AdministrationSection | null>(asked ?? null);
  const list = useRef<HTMLElement>(null);
  // Also where a window begins with it: of those who have no documents.
  useTakeFocus(offered.length > 0, () => list.current?.querySelector<HTMLElement>('[aria-current="true"]') ?? null);
  const section = chosen ?? offered[0] ?? "people";
  const hasDocuments = useReadsDocuments();
  // Who has none would come back to the first section, without what is typed in this one.
  useShortcut("close", () => navigate({ name: "invoices" }), hasDocuments);
  // If the person wants to keep what is typed, the section stays.
  const choose = (id: AdministrationSection) => {
    if (id !== section)
      void flushAutosaves().then(
        () => setSection(id),
        () => undefined,
      );
  };
  const Section = sections[section];
  return (
    <section aria-labelledby="administration-title" className="flex min-w-0 flex-1 flex-col">
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 border-line border-b px-3">
        <h1 id="administration-title" className="py-2 font-semibold text-md">
          {t("administration")}
        </h1>
        <nav ref={list} aria-label={t("administration-sections")} className="flex flex-wrap gap-1 py-1">
          {offered.map((id) => (
            <AriaButton
              key={id}
              onPress={() => choose(id)}
              {...(id === section ? { "aria-current": "true" as const } : {})}
              className={`min-h-7 rounded-md px-2.5 ${id === section ? "bg-accent-soft font-semibold text-fg" : "text-fg-2 data-[hovered]:bg-sunken data-[hovered]:text-fg"}`}
            >
              {t(`administration-${id}`)}
            </AriaButton>
          ))}
        </nav>
      </header>
      <div key={section} className="min-h-0 flex-1 overflow-y-auto">
        <div data-administration="" className="flex max-w-240 flex-col gap-4 p-4 max-narrow:p-2">
          <h2 className="visually-hidden">{t(`administration-${section}`)}</h2>
          <Section />
        </div>
      </div>
    </section>
  );
}
