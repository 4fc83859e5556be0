/** The history of a document in its detail. It is read when it is opened for the first time. */

import { ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Disclosure, DisclosurePanel, Heading, Button as TriggerButton } from "react-aria-components";
import { useCommand } from "../components/commands";
import { LoadingText } from "../components/LoadingText";
import { usePagedList } from "../components/usePagedList";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { commandError } from "../ipc/call";
import { historyKey, readHistory } from "../queries/relationQueries";
import { useWorkspace } from "../state/workspace";
import { HistoryEntryRow } from "./HistoryEntryRow";

export function HistorySection({ documentKey }: { documentKey: string }) {
  const { t } = useLocalizer();
  const [isOpen, setOpen] = useState(false);
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
      <DisclosurePanel>{isOpen && <Entries key={documentKey} documentKey={documentKey} />}</DisclosurePanel>
    </Disclosure>
  );
}

function Entries({ documentKey }: { documentKey: string }) {
  const { t } = useLocalizer();
  const organization = useWorkspace().organization.id;
  const { query, rows, end } = usePagedList(
    historyKey(organization, documentKey),
    (page) => readHistory(organization, documentKey, page),
    ({ entries }) => entries,
  );
  // It stands at the end of the detail: opened, it would be below what is shown.
  const list = useRef<HTMLDivElement>(null);
  const isRead = rows !== undefined;
  useEffect(() => {
    if (isRead) list.current?.scrollIntoView({ block: "nearest" });
  }, [isRead]);
  const readEarlier = () => void query.fetchNextPage();
  const tryNow = query.isFetchNextPageError ? readEarlier : () => void query.refetch();
  const notice = query.error && (
    <div className="pt-2">
      <ErrorNotice error={commandError(query.error)} variant="inline" handlers={{ tryNow }} />
    </div>
  );
  if (!rows) {
    return (
      notice ?? (
        <div className="pt-2">
          <LoadingText />
        </div>
      )
    );
  }
  if (rows.length === 0) return <p className="pt-2 text-fg-2">{t("no-history")}</p>;
  return (
    <div ref={list}>
      <ol aria-label={t("section-history")} className="mt-2 rounded-md border border-line-strong bg-surface">
        {rows.map((entry, index) => {
          const before = rows[index + 1];
          return (
            <HistoryEntryRow
              key={entry.revision}
              entry={entry}
              before={before}
              readBefore={!before && query.hasNextPage ? readEarlier : undefined}
              isUnread={query.isFetchNextPageError && !query.isFetchingNextPage}
            />
          );
        })}
      </ol>
      {notice}
      {end && <div className="pt-2">{end}</div>}
    </div>
  );
}
