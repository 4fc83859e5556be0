/** A row of the work of today: how many documents, what they sum to in each currency, and the way to them. */

import { ChevronRight } from "lucide-react";
import { Button } from "react-aria-components";
import { NumericText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";

export interface WorkItem {
  id: "unknown" | "refused" | "recurring" | "unsent" | "rejected" | "overdue" | "soon" | "drafts";
  /** `undefined`: not known. */
  count: number | undefined;
  sums?: readonly { currency: string; amount: string }[] | undefined;
  /** Says which amount is summed, where it could be taken for another one. */
  sumLabel?: "gross";
  severity?: "warning" | "danger";
  open: () => void;
}

export function WorkRow({ item, pending }: { item: WorkItem; pending: boolean }) {
  const { t, format } = useLocalizer();
  const { id, count, sums = [], sumLabel, severity, open } = item;
  const label = t(`today-${id}`);
  const none = count === 0;
  const isQuiet = none || count === undefined;
  const number = (
    <span
      className={`numeric amount-column min-w-12 shrink-0 font-semibold text-md ${isQuiet ? "text-fg-3" : colors[severity ?? "plain"]}`}
    >
      {count === undefined ? <span className={pending ? "pulse" : ""}>…</span> : format.integer(count)}
    </span>
  );
  if (isQuiet) {
    return (
      <li className="flex min-h-11 items-center gap-4 border-line border-b px-3 text-fg-2 last:border-b-0">
        {number}
        <span className="flex-1">{label}</span>
        {count === undefined && !pending && <span className="text-xs">{t("today-not-known")}</span>}
      </li>
    );
  }
  return (
    <li className="border-line border-b last:border-b-0">
      <Button
        data-work-row=""
        onPress={open}
        // In a narrow window the sums are below the label.
        className="grid min-h-11 w-full grid-cols-[minmax(3rem,max-content)_minmax(10rem,1fr)_auto_auto] items-center gap-x-4 gap-y-0.5 px-3 py-1.5 text-start outline-offset-[-2px] data-[hovered]:bg-sunken max-narrow:grid-cols-[minmax(3rem,max-content)_minmax(0,1fr)_auto]"
      >
        {number}
        <span>{label}</span>
        <span className="flex flex-wrap justify-end gap-x-4 max-narrow:col-start-2 max-narrow:row-start-2 max-narrow:justify-start">
          {sumLabel && sums.length > 0 && <span className="text-fg-2">{t(sumLabel)}</span>}
          {sums.map(({ currency, amount }) => (
            <NumericText key={currency} className="text-fg-2">
              {format.money(amount, currency)}
            </NumericText>
          ))}
        </span>
        <ChevronRight
          size={15}
          aria-hidden="true"
          className="mirror-in-rtl shrink-0 text-fg-3 max-narrow:col-start-3 max-narrow:row-start-1"
        />
      </Button>
    </li>
  );
}

const colors = { plain: "text-fg", warning: "text-warning", danger: "text-danger" };
