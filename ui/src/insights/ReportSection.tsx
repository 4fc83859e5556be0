/** A report: its title, when it was read, one chart with its table for each currency, and the button that saves it. */

import { Download } from "lucide-react";
import { Button } from "../components/Button";
import { LoadingText } from "../components/LoadingText";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import { OfflineAge } from "../invoices/OfflineAge";
import { type CommandError } from "../ipc/bindings";
import { type ChartColumn, ColumnChart } from "./ColumnChart";
import { type ReportColumn, type ReportRow, ReportTable } from "./ReportTable";
import { type SavedTable, useSavedTable } from "./useSavedTable";

/** What a report says of one currency. */
export interface CurrencyReport {
  currency: string;
  chart: readonly ChartColumn[];
  columns: readonly ReportColumn[];
  rows: readonly ReportRow[];
  /** A line below the table. */
  note?: string | undefined;
}

export interface ReportSectionProps {
  id: "ageing" | "months" | "buyers" | "taxes";
  title: string;
  /** What it covers: a day or a period. */
  scope: string;
  /** `undefined`: it is being read. */
  reports: readonly CurrencyReport[] | undefined;
  error: CommandError | null;
  /** When it was read, if it is an earlier answer. */
  keptAsOf: string | null;
  onRetry: () => void;
  /** The table to save: exact amounts, the names first. */
  table: () => SavedTable;
}

export function ReportSection({ id, title, scope, reports, error, keptAsOf, onRetry, table }: ReportSectionProps) {
  const { t } = useLocalizer();
  const { save, saveError } = useSavedTable(table);
  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-3 break-inside-avoid">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-line-strong border-b pb-1">
        <h2 id={`${id}-title`} className="font-semibold text-md">
          {title}
        </h2>
        <span className="flex-1 text-fg-2">{scope}</span>
        {reports && reports.length > 0 && (
          <span className="print:hidden">
            <Button size="sm" onPress={() => void save()} icon={<Download size={13} aria-hidden="true" />}>
              {t("insights-save", { report: title })}
            </Button>
          </span>
        )}
      </header>
      {keptAsOf && <OfflineAge asOf={keptAsOf} />}
      {saveError && <ErrorNotice error={saveError} variant="card" />}
      {error && <ErrorNotice error={error} variant="card" handlers={{ tryNow: onRetry }} />}
      {!reports && !error && <LoadingText />}
      {reports?.length === 0 && <p className="text-fg-2">{t("insights-none")}</p>}
      {reports?.map(({ currency, chart, columns, rows, note }) => (
        <div
          key={currency}
          className="grid grid-cols-[minmax(0,5fr)_minmax(0,6fr)] items-start gap-6 break-inside-avoid max-wide:grid-cols-1 max-wide:gap-3"
        >
          <div className="min-w-0">
            <h3 className="font-semibold">{currency}</h3>
            <ColumnChart label={plainText(t("insights-chart", { report: title, currency }))} columns={chart} />
          </div>
          <div
            className="min-w-0 overflow-x-auto"
            // In a narrow window it scrolls by keyboard, and nothing in it takes the focus.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            role="group"
            aria-label={currency}
          >
            <ReportTable caption={plainText(t("insights-chart", { report: title, currency }))} columns={columns} rows={rows} />
            {note && <p className="pt-1 text-fg-2 text-xs">{note}</p>}
          </div>
        </div>
      ))}
    </section>
  );
}
