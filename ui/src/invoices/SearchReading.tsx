/** How digits in the search field were read, with a switch to the other reading. */

import { Button } from "../components/Button";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { SearchFilter } from "./useSearchFilter";

export function SearchReading({ reading }: { reading: NonNullable<SearchFilter["otherReading"]> }) {
  const { t, format } = useLocalizer();
  const { shown, text, count } = reading;
  const amount = format.decimal(reading.amount);
  return (
    <div role="status" className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1 text-fg-2">
      <span>{shown === "amount" ? t("search-as-amount", { amount }) : t("search-as-number", { text })}</span>
      <Button variant="quiet" size="sm" onPress={reading.show}>
        {shown === "amount" ? t("search-numbers-instead", { count, text }) : t("search-amount-instead", { count, amount })}
      </Button>
    </div>
  );
}
