/** Says which drafts schedules have made, and what a long pause has left out. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { commandError } from "../ipc/call";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { recurringDraftsQuery } from "./templateQueries";

export function RecurringNotice() {
  const { t, format } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { navigate } = useNavigation();
  const query = useQuery(recurringDraftsQuery(client, organization.id));
  if (query.error) {
    return <ErrorNotice error={commandError(query.error)} variant="card" handlers={{ tryNow: () => void query.refetch() }} />;
  }
  const { ready = [], leftOut = 0 } = query.data ?? {};
  if (ready.length === 0) return null;
  return (
    <section aria-labelledby="recurring-title" className="flex flex-col gap-2">
      <h2 id="recurring-title" className="flex items-center gap-2 font-semibold">
        <CalendarClock size={16} aria-hidden="true" className="shrink-0 text-fg-2" />
        {t("recurring-ready", { count: ready.length })}
      </h2>
      <p className="text-fg-2">{t("recurring-hint")}</p>
      {leftOut > 0 && <p className="text-warning">{t("recurring-left-out", { count: leftOut })}</p>}
      <ul aria-labelledby="recurring-title" className="rounded-md border border-line bg-surface">
        {ready.map(({ key, template, date }) => (
          <li key={key} className="border-line border-b last:border-b-0">
            <AriaButton
              onPress={() => navigate({ name: "editor", draft: key })}
              className="flex w-full items-center gap-3 rounded-md px-3 py-2 text-start data-[hovered]:bg-sunken"
            >
              <span className="min-w-0 flex-1 truncate">
                <bdi>{template === "" ? t("template-unnamed") : template}</bdi>
              </span>
              <span className="numeric text-fg-2">{format.date(date)}</span>
            </AriaButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
