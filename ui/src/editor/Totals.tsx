/** Totals in the fixed footer of the form. Each opens how it comes about. */

import { memo } from "react";
import { Button } from "react-aria-components";
import { NumericText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { taxName } from "../i18n/taxText";
import type { Calculation } from "../ipc/bindings";
import type { MissingAmount } from "./invoiceLines";

export interface TotalsProps {
  calculation: Calculation | null;
  /** Whether they are still those of what was typed before. */
  isLate?: boolean;
  currency: string;
  /** What is still to be typed, if anything is. */
  missing: MissingAmount | null;
  /** The path of an amount, as `totals.tax`. */
  onExplain: (path: string) => void;
}

/**
 * Not rendered by a key, but by the answer after it. It is no live region: all sums after each key would be read over the person who types.
 */
export const Totals = memo(function Totals({ calculation, isLate = false, currency, missing, onExplain }: TotalsProps) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const totals = calculation?.totals;
  return (
    <footer
      aria-busy={isLate}
      className="flex min-h-12 shrink-0 flex-wrap items-baseline justify-end gap-x-6 gap-y-1 border-line-strong border-t bg-sunken px-4 py-2 aria-busy:opacity-60"
      data-totals=""
    >
      {totals ? (
        <>
          <Total label={t("net")} amount={format.amount(totals.net, currency)} onPress={() => onExplain("totals.net")} />
          {calculation.taxBreakdown.map((row, index) => (
            <Total
              key={`${row.category} ${row.rate}`}
              label={taxName(row, localizer)}
              amount={format.amount(row.tax, currency)}
              onPress={() => onExplain(`taxBreakdown[${index}].tax`)}
            />
          ))}
          {totals.gross !== totals.payable && (
            <Total label={t("gross")} amount={format.amount(totals.gross, currency)} onPress={() => onExplain("totals.gross")} />
          )}
          <Total
            label={t("payable")}
            amount={format.money(totals.payable, currency)}
            isLarge
            onPress={() => onExplain("totals.payable")}
          />
        </>
      ) : (
        // Before the first answer nothing is known to be missing.
        calculation && (
          <span className="text-fg-2">
            {t(missing === null ? "no-totals-yet" : missing === "line" ? "no-totals" : "no-totals-item")}
          </span>
        )
      )}
    </footer>
  );
});

function Total({
  label,
  amount,
  isLarge = false,
  onPress,
}: {
  label: string;
  amount: string;
  isLarge?: boolean;
  onPress: () => void;
}) {
  return (
    <Button
      aria-haspopup="dialog"
      onPress={onPress}
      className="group flex min-h-6 items-baseline gap-2 rounded-sm px-1 data-[hovered]:bg-surface"
    >
      <span className="text-fg-2 underline decoration-dotted underline-offset-4">{label}</span>
      <NumericText className={`font-semibold ${isLarge ? "text-lg" : ""}`}>{amount}</NumericText>
    </Button>
  );
}
