/** One write to a document: what, who, when, and, when it is opened, what it changed. */

import { ChevronRight } from "lucide-react";
import { useEffect, useMemo } from "react";
import { Disclosure, DisclosurePanel, Button as TriggerButton } from "react-aria-components";
import { ChangeList } from "../comparison/ChangeList";
import { changesBetween } from "../comparison/changes";
import { NumericText, Separator } from "../components/BidiText";
import { LoadingText } from "../components/LoadingText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { HistoryEntry } from "../ipc/bindings";
import { actionText } from "./actionText";
import { authorText } from "./authorText";

interface Props {
  entry: HistoryEntry;
  /** The entry before it; the first one of a document has none. */
  before: HistoryEntry | undefined;
  /** Reads the page with the entry before it, which is not loaded. */
  readBefore: (() => void) | undefined;
  /** That page could not be read. Why is said below the entries. */
  isUnread: boolean;
}

export function HistoryEntryRow({ entry, before, readBefore, isUnread }: Props) {
  const localizer = useLocalizer();
  const { format } = localizer;
  const { event } = entry;
  return (
    <li className="border-line border-b last:border-b-0">
      <Disclosure>
        {({ isExpanded }) => (
          <>
            <TriggerButton
              slot="trigger"
              className="flex min-h-10 w-full items-start gap-1.5 px-2 py-1.5 text-start outline-offset-[-2px] data-[hovered]:bg-sunken"
            >
              <ChevronRight
                size={14}
                aria-hidden="true"
                className={`mt-0.5 shrink-0 ${isExpanded ? "rotate-90" : "mirror-in-rtl"}`}
              />
              <span className="min-w-0 flex-1">
                <span className="flex flex-wrap justify-between gap-x-3">
                  <span className="min-w-0 break-words">{actionText(entry.action, localizer)}</span>
                  {event && <span className="text-2xs text-fg-2 leading-5">{format.age(event.time, new Date())}</span>}
                </span>
                {event && (
                  <span className="flex flex-wrap items-center text-2xs text-fg-2">
                    {event.by !== "" && (
                      <>
                        <bdi>{authorText(event.by, localizer)}</bdi>
                        <Separator />
                      </>
                    )}
                    <span className="numeric">{format.dateTime(event.time)}</span>
                  </span>
                )}
              </span>
            </TriggerButton>
            <DisclosurePanel>
              {isExpanded && (
                <div className="border-line border-t bg-canvas ps-7 pe-3 py-1">
                  <EntryChanges entry={entry} before={before} readBefore={readBefore} isUnread={isUnread} />
                </div>
              )}
            </DisclosurePanel>
          </>
        )}
      </Disclosure>
    </li>
  );
}

function EntryChanges({ entry, before, readBefore, isUnread }: Props) {
  const { t } = useLocalizer();
  const changes = useMemo(() => (before ? changesBetween(before.content, entry.content) : []), [before, entry]);
  const isBeforeMissing = readBefore !== undefined;
  // The page is read once: what reads it is another function in each rendering.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => readBefore?.(), [isBeforeMissing]);
  if (isBeforeMissing) return isUnread ? <p className="py-1.5 text-fg-2">{t("history-unread")}</p> : <LoadingText />;
  if (!before) return <p className="py-1.5 text-fg-2">{t(entry.action === "created" ? "history-first" : "history-earliest")}</p>;
  const numbered = entry.number !== before.number && entry.number !== "";
  if (changes.length === 0 && !numbered) return <p className="py-1.5 text-fg-2">{t("history-no-change")}</p>;
  return (
    <>
      {numbered && (
        <p className="py-1.5">
          <span className="text-fg-2 text-xs">{t("column-number")}</span> <NumericText>{entry.number}</NumericText>
        </p>
      )}
      <ChangeList changes={changes} currency={entry.content.currency} />
    </>
  );
}
