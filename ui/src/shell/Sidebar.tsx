/** The rail: where one can go in this organization. */

import { useQuery } from "@tanstack/react-query";
import { FileText, PencilLine } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useInvoiceCount } from "../invoices/invoiceSummary";
import { draftsQuery } from "../queries/draftQueries";
import { useNavigation, type View } from "../state/navigation";
import { useWorkspace } from "../state/workspace";

export function Sidebar() {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const total = useInvoiceCount();
  const drafts = useQuery(draftsQuery(organization.id));
  return (
    <nav
      aria-label={t("rail")}
      className="flex w-44 shrink-0 flex-col gap-0.5 border-line border-e bg-sunken p-2 max-narrow:w-12"
    >
      <SidebarItem
        view={{ name: "invoices" }}
        icon={<FileText size={15} aria-hidden="true" />}
        label={t("invoices")}
        count={total}
      />
      <SidebarItem
        view={{ name: "drafts" }}
        icon={<PencilLine size={15} aria-hidden="true" />}
        label={t("drafts")}
        count={drafts.data?.length}
      />
    </nav>
  );
}

function SidebarItem({ view, icon, label, count }: { view: View; icon: ReactNode; label: string; count: number | undefined }) {
  const { format } = useLocalizer();
  const { view: current, go } = useNavigation();
  const here = current.name === view.name;
  const look = here
    ? "border-line-strong bg-surface font-semibold text-ink"
    : "border-transparent text-ink-2 data-[hovered]:text-ink";
  return (
    <Button
      onPress={() => go(view)}
      {...(here ? { "aria-current": "page" as const } : {})}
      className={`flex h-8 items-center gap-2 rounded-md border px-2 max-narrow:justify-center max-narrow:px-0 ${look}`}
    >
      <span className={here ? "text-accent" : "text-ink-3"}>{icon}</span>
      <span className="flex-1 text-start max-narrow:visually-hidden">{label}</span>
      {count !== undefined && <span className="figures text-ink-2 text-xs max-narrow:hidden">{format.integer(count)}</span>}
    </Button>
  );
}
