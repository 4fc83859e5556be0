/** Totals in the fixed footer of the form. */

import { NumericText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Calculation } from "../ipc/bindings";

export interface TotalsProps {
  calculation: Calculation | null;
  currency: string;
  /** Whether every line has a quantity and a price. */
  isComplete: boolean;
}

export function Totals({ calculation, currency, isComplete }: TotalsProps) {
  const { t, format } = useLocalizer();
  const totals = calculation?.totals;
  return (
    <footer
      className="flex min-h-12 shrink-0 flex-wrap items-center justify-end gap-x-6 gap-y-1 border-line-strong border-t bg-sunken px-4 py-2"
      aria-live="polite"
    >
      {totals ? (
        <>
          <Total label={t("net")} amount={format.amount(totals.net, currency)} />
          {calculation.taxBreakdown.map((row) => (
            <Total
              key={`${row.category} ${row.rate}`}
              label={t("tax-of", { category: row.category, rate: format.decimal(row.rate) })}
              amount={format.amount(row.tax, currency)}
            />
          ))}
          <span className="flex items-baseline gap-2">
            <span className="text-fg-2">{t("payable")}</span>
            <NumericText className="font-semibold text-lg">{format.money(totals.payable, currency)}</NumericText>
          </span>
        </>
      ) : (
        // Before the first answer nothing is known to be missing.
        calculation && <span className="text-fg-2">{t(isComplete ? "no-totals-yet" : "no-totals")}</span>
      )}
    </footer>
  );
}

function Total({ label, amount }: { label: string; amount: string }) {
  return (
    <span className="flex items-baseline gap-2">
      <span className="text-fg-2">{label}</span>
      <NumericText className="font-semibold">{amount}</NumericText>
    </span>
  );
}
