/** The sums of the list by currency, in the pane beside it while no document is open there. */

import { NumericText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CurrencySum } from "../ipc/bindings";

export function ListSums({ sums }: { sums: readonly CurrencySum[] }) {
  const { t, format } = useLocalizer();
  return (
    <div
      className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-4"
      // It scrolls by keyboard, and nothing in it takes the focus.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="group"
      aria-label={t("invoices")}
    >
      {sums.length > 0 && (
        <table className="w-full">
          <caption className="text-start font-semibold">{t("invoices")}</caption>
          {sums.map(({ currency, count, net, tax, gross }) => (
            <tbody key={currency}>
              <tr className="border-line border-b">
                <th scope="rowgroup" colSpan={2} className="pt-4 pb-1 text-start font-semibold">
                  {currency}
                </th>
              </tr>
              <SumRow label={t("today-documents")} value={format.integer(count)} />
              <SumRow label={t("net")} value={format.amount(net, currency)} />
              <SumRow label={t("tax")} value={format.amount(tax, currency)} />
              <SumRow label={t("gross")} value={format.amount(gross, currency)} />
            </tbody>
          ))}
        </table>
      )}
      <p className={`text-balance text-center text-fg-3 ${sums.length === 0 ? "m-auto max-w-60" : ""}`}>{t("detail-empty")}</p>
    </div>
  );
}

function SumRow({ label, value }: { label: string; value: string }) {
  return (
    <tr>
      <th scope="row" className="py-0.5 text-start font-normal text-fg-2">
        {label}
      </th>
      <td className="amount-column">
        <NumericText>{value}</NumericText>
      </td>
    </tr>
  );
}
