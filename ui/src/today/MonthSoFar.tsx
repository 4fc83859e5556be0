/** What was issued this month, in each currency. */

import { NumericText } from "../components/BidiText";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, MonthlySums } from "../ipc/bindings";

export function MonthSoFar({
  sums,
  error,
  onRetry,
}: {
  sums: MonthlySums | undefined;
  error: CommandError | null;
  onRetry: () => void;
}) {
  const { t, format } = useLocalizer();
  return (
    <section aria-labelledby="month-title" className="flex flex-col gap-2">
      <h2 id="month-title" className="font-semibold">
        {t("today-month")}
      </h2>
      {error && <ErrorNotice error={error} variant="inline" handlers={{ tryNow: onRetry }} />}
      {sums?.currencies.length === 0 && <p className="text-fg-2">{t("today-month-none")}</p>}
      {sums && sums.currencies.length > 0 && (
        <table className="w-full">
          <thead>
            <tr className="border-line-strong border-b text-fg-2 text-xs">
              <th scope="col" className="py-1 text-start font-semibold">
                {t("facet-currency")}
              </th>
              <th scope="col" className="amount-column py-1 font-semibold">
                {t("today-documents")}
              </th>
              <th scope="col" className="amount-column py-1 font-semibold max-narrow:hidden">
                {t("net")}
              </th>
              <th scope="col" className="amount-column py-1 font-semibold max-narrow:hidden">
                {t("tax")}
              </th>
              <th scope="col" className="amount-column py-1 font-semibold">
                {t("gross")}
              </th>
            </tr>
          </thead>
          <tbody>
            {sums.currencies.map(({ currency, total }) => (
              <tr key={currency} className="h-8 border-line border-b">
                <th scope="row" className="text-start font-semibold">
                  {currency}
                </th>
                <td className="numeric amount-column">{format.integer(total.invoices + total.creditNotes)}</td>
                <td className="amount-column max-narrow:hidden">
                  <NumericText>{format.amount(total.net, currency)}</NumericText>
                </td>
                <td className="amount-column max-narrow:hidden">
                  <NumericText>{format.amount(total.tax, currency)}</NumericText>
                </td>
                <td className="amount-column">
                  <NumericText className="font-semibold">{format.amount(total.gross, currency)}</NumericText>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
