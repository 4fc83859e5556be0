/** The organization that an irreversible action is about, above what it does. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { NameText, NumericText } from "../components/BidiText";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { sellerTaxIdQuery } from "../queries/sellerTaxIdQuery";
import { useWorkspace } from "../state/workspace";

export function OrganizationCard({ children }: { children: ReactNode }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  // Nothing waits for it: a new organization has no document that says it.
  const { data: taxId = "" } = useQuery(sellerTaxIdQuery(organization.id));
  return (
    <div className="overflow-hidden rounded-md border border-line-strong" style={{ "--org": organization.color }}>
      <div className="org-edge h-[3px]" data-pattern={organization.pattern % 8} aria-hidden="true" />
      <div className="flex items-center gap-3 border-line border-b p-3">
        <OrganizationBadge organization={organization} size="lg" />
        <div className="min-w-0">
          <NameText className="block truncate font-semibold text-md">{organization.name}</NameText>
          <NumericText className="text-fg-2 text-xs">{organization.domain}</NumericText>
          {taxId !== "" && (
            <p className="text-fg-2 text-xs">
              {t("field-tax-id")} <NumericText>{taxId}</NumericText>
            </p>
          )}
        </div>
      </div>
      {children}
    </div>
  );
}
