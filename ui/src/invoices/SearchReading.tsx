/** How the text in the search field was read, with switches to the other readings that find documents. */

import { Button } from "../components/Button";
import { useAnnouncement } from "../components/useAnnouncement";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { ReadingKind, ShownReading } from "./useSearchFilter";

const instead = {
  amount: "search-amount-instead",
  number: "search-numbers-instead",
  buyer: "search-buyers-instead",
} as const satisfies Record<ReadingKind, string>;

export function SearchReading({ reading: { shown, text, others, ...reading } }: { reading: ShownReading }) {
  const { t, format } = useLocalizer();
  const amount = reading.amount === "" ? "" : format.decimal(reading.amount);
  const reads = t(`search-as-${shown}`, { amount, text });
  useAnnouncement(reads);
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1 text-fg-2">
      <span>{reads}</span>
      {others.map(({ kind, count, show }) => (
        <Button key={kind} variant="quiet" size="sm" onPress={show}>
          {t(instead[kind], { count, text, amount })}
        </Button>
      ))}
    </div>
  );
}
