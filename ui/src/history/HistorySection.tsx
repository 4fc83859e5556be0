/** The history of a document in its detail. It is read when it is opened for the first time. */

import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Disclosure, DisclosurePanel, Heading, Button as TriggerButton } from "react-aria-components";
import { Button } from "../components/Button";
import { useCommand } from "../components/commands";
import { LoadingText } from "../components/LoadingText";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { HistoryEntry } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { historyQuery } from "../queries/relationQueries";
import { useWorkspace } from "../state/workspace";
import { HistoryEntryRow } from "./HistoryEntryRow";

/** How many entries are drawn at first, and more each time. */
const STEP = 20;

export function HistorySection({ documentKey }: { documentKey: string }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...historyQuery(organization.id, documentKey), enabled: isOpen });
  // It stands at the end of the detail: opened, it would be below what is shown.
  const panel = useRef<HTMLDivElement>(null);
  const isRead = isOpen && query.data !== undefined;
  useEffect(() => {
    if (isRead) panel.current?.scrollIntoView({ block: "nearest" });
  }, [isRead]);
  useCommand("history", "show-history", () => {
    setOpen(true);
    document.querySelector<HTMLElement>("[data-history]")?.focus();
  });
  return (
    <Disclosure isExpanded={isOpen} onExpandedChange={setOpen} className="mt-4">
      <Heading level={3}>
        <TriggerButton
          slot="trigger"
          data-history=""
          className="flex min-h-7 w-full items-center gap-1.5 rounded-sm text-start font-semibold data-[hovered]:bg-sunken"
        >
          <ChevronRight size={14} aria-hidden="true" className={isOpen ? "rotate-90" : "mirror-in-rtl"} />
          {t("section-history")}
        </TriggerButton>
      </Heading>
      <DisclosurePanel ref={panel}>
        {query.error ? (
          <div className="pt-2">
            <ErrorNotice error={commandError(query.error)} variant="inline" handlers={{ tryNow: () => void query.refetch() }} />
          </div>
        ) : query.data ? (
          <Entries entries={query.data} />
        ) : (
          isOpen && (
            <div className="pt-2">
              <LoadingText />
            </div>
          )
        )}
      </DisclosurePanel>
    </Disclosure>
  );
}

function Entries({ entries }: { entries: readonly HistoryEntry[] }) {
  const { t } = useLocalizer();
  const [shown, setShown] = useState(STEP);
  if (entries.length === 0) return <p className="pt-2 text-fg-2">{t("no-history")}</p>;
  return (
    <div className="mt-2 rounded-md border border-line-strong bg-surface">
      <ol aria-label={t("section-history")}>
        {entries.slice(0, shown).map((entry, index) => (
          // Entries are only added in front; the number of those after one stays.
          // oxlint-disable-next-line react/no-array-index-key
          <HistoryEntryRow key={entries.length - index} entry={entry} before={entries[index + 1]} />
        ))}
      </ol>
      {shown < entries.length && (
        <div className="border-line border-t p-2">
          <Button size="sm" onPress={() => setShown(shown + STEP)}>
            {t("history-more", { count: Math.min(STEP, entries.length - shown) })}
          </Button>
        </div>
      )}
    </div>
  );
}
