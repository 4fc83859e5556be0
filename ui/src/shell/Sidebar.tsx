/** Navigation between the views of the organization. */

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { Button } from "react-aria-components";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useInvoiceCount } from "../invoices/invoiceSummary";
import { draftsQuery, unreadableDraftsQuery } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { type ScreenEntry, screens } from "./screens";
import { useOfferedScreens } from "./useOfferedScreens";

export function Sidebar() {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const offered = useOfferedScreens();
  const total = useInvoiceCount();
  const drafts = useQuery(draftsQuery(organization.id));
  const unreadable = useQuery(unreadableDraftsQuery(organization.id)).data?.length ?? 0;
  return (
    <nav
      aria-label={t("navigation-label")}
      className="flex w-46 shrink-0 flex-col gap-0.5 overflow-y-auto border-line border-e bg-sunken p-2 max-narrow:w-12"
    >
      {offered.map((screen) => {
        if (screen === screens.invoices) return <SidebarItem key={screen.label} screen={screen} count={total} />;
        if (screen !== screens.drafts) return <SidebarItem key={screen.label} screen={screen} />;
        const warning = unreadable > 0 ? t("unreadable-title", { count: unreadable }) : undefined;
        return <SidebarItem key={screen.label} screen={screen} count={drafts.data?.length} warning={warning} />;
      })}
    </nav>
  );
}

interface SidebarItemProps {
  screen: ScreenEntry;
  count?: number | undefined;
  /** Read with the label, and shown as a mark. */
  warning?: string | undefined;
}

function SidebarItem({ screen: { view, label, Icon }, count, warning }: SidebarItemProps) {
  const { t, format } = useLocalizer();
  const { view: current, navigate } = useNavigation();
  const isCurrent = current.name === view.name;
  const stateClasses = isCurrent
    ? "border-line-strong bg-surface font-semibold text-fg"
    : "border-transparent text-fg-2 data-[hovered]:text-fg";
  return (
    <Button
      onPress={() => navigate(view)}
      {...(isCurrent ? { "aria-current": "page" as const } : {})}
      className={`flex h-8 shrink-0 items-center gap-2 rounded-md border px-2 max-narrow:justify-center max-narrow:px-0 ${stateClasses}`}
    >
      <Icon size={15} aria-hidden="true" className={`shrink-0 ${isCurrent ? "text-accent" : "text-fg-3"}`} />
      <span className="flex-1 text-start max-narrow:visually-hidden">{t(label)}</span>
      {warning !== undefined && (
        <span className="text-warning" title={warning}>
          <TriangleAlert size={14} aria-hidden="true" />
          <span className="visually-hidden">{warning}</span>
        </span>
      )}
      {count !== undefined && <span className="numeric text-fg-2 text-xs max-narrow:hidden">{format.integer(count)}</span>}
    </Button>
  );
}
