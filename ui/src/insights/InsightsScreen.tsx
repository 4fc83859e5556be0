/** Reports of the organization: what is open by age, sums of months and of buyers, taxes of a period. Each currency by itself. */

import { useQuery } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { NameText } from "../components/BidiText";
import { Button } from "../components/Button";
import { Select } from "../components/Select";
import { ariaKeyShortcuts, useShortcut, useShortcutKeys } from "../components/shortcuts";
import { useTakeFocus } from "../components/useTakeFocus";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useRefetchOnReconnect } from "../invoices/useRefetchOnReconnect";
import { commandError } from "../ipc/call";
import { ageingQuery, buyerSumsQuery, monthlySumsQuery, taxSumsQuery } from "../queries/reportQueries";
import { useWorkspace } from "../state/workspace";
import { buyerReports, buyerTable } from "./buyers";
import { choiceIds, type Period, RANGE, wholeMonths } from "./periods";
import { RangeFields } from "./RangeFields";
import { ReportSection } from "./ReportSection";
import { ageingReports, ageingTable, monthReports, monthTable, taxReports, taxTable } from "./reports";
import { useReportPeriod } from "./useReportPeriod";

const print = () => window.print();

export function InsightsScreen() {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const { organization } = useWorkspace();
  const { id, period, choose } = useReportPeriod();
  const { from, to } = period;
  const ageing = useQuery({ ...ageingQuery(organization.id), refetchOnMount: "always" });
  const months = useQuery(monthlySumsQuery(organization.id, from.slice(0, 7), to.slice(0, 7)));
  const buyers = useQuery(buyerSumsQuery(organization.id, from, to));
  const taxes = useQuery(taxSumsQuery(organization.id, from, to));
  const reports = [ageing, months, buyers, taxes];
  useRefetchOnReconnect(
    reports.some(({ data }) => data?.offline ?? false),
    () => {
      for (const report of reports) void report.refetch();
    },
  );
  useTakeFocus(true, () => document.querySelector<HTMLElement>("[data-insights] button"));
  const printKeys = useShortcutKeys("print");
  useShortcut("print", print);
  const scopeOf = (days: Period) => t("insights-scope", { from: format.date(days.from), to: format.date(days.to) });
  const scope = scopeOf(period);
  const name = (report: string, suffix: string) => `${organization.name} ${report} ${suffix}`;
  return (
    <section data-insights="" data-printable="" className="flex min-w-0 flex-1 flex-col">
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1">
        <h1 className="font-semibold text-md">{t("insights")}</h1>
        <span className="hidden print:inline">
          <NameText>{organization.name}</NameText>
        </span>
        <span className="flex-1 text-fg-2 text-xs max-wide:invisible print:hidden">{t("insights-keys")}</span>
        <span className="flex flex-wrap items-center gap-2 print:hidden">
          <span className="w-48">
            <Select
              label={t("insights-period")}
              labelHidden
              value={id}
              // A range begins with the days that are shown.
              onChange={(next) => choose(next, next === RANGE ? period : undefined)}
              choices={choiceIds.map((choice) => ({ id: choice, label: t(`period-${choice}`) }))}
            />
          </span>
          <Button aria-keyshortcuts={ariaKeyShortcuts(printKeys)} onPress={print} icon={<Printer size={14} aria-hidden="true" />}>
            {t("insights-print")}
          </Button>
        </span>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-270 flex-col gap-8 p-4">
          {id === RANGE && <RangeFields range={period} onChange={(range) => choose(RANGE, range)} />}
          <ReportSection
            id="ageing"
            title={t("insights-ageing")}
            scope={ageing.data ? t("insights-as-of", { date: format.date(ageing.data.asOf) }) : ""}
            reports={ageing.data && ageingReports(ageing.data, localizer)}
            error={ageing.error && commandError(ageing.error)}
            keptAsOf={keptAsOf(ageing.data)}
            onRetry={() => void ageing.refetch()}
            table={() => ({
              name: name(t("insights-ageing"), ageing.data?.asOf ?? ""),
              rows: ageing.data ? ageingTable(ageing.data, localizer) : [],
            })}
          />
          <ReportSection
            id="months"
            title={t("insights-months")}
            scope={scopeOf(wholeMonths(period))}
            reports={months.data && monthReports(months.data, localizer)}
            error={months.error && commandError(months.error)}
            keptAsOf={keptAsOf(months.data)}
            onRetry={() => void months.refetch()}
            table={() => ({
              name: name(t("insights-months"), `${from} ${to}`),
              rows: months.data ? monthTable(months.data, localizer) : [],
            })}
          />
          <ReportSection
            id="buyers"
            title={t("insights-buyers")}
            scope={scope}
            reports={buyers.data && buyerReports(buyers.data, localizer)}
            error={buyers.error && commandError(buyers.error)}
            keptAsOf={keptAsOf(buyers.data)}
            onRetry={() => void buyers.refetch()}
            table={() => ({
              name: name(t("insights-buyers"), `${from} ${to}`),
              rows: buyers.data ? buyerTable(buyers.data, localizer) : [],
            })}
          />
          <ReportSection
            id="taxes"
            title={t("insights-taxes")}
            scope={scope}
            reports={taxes.data && taxReports(taxes.data, localizer)}
            error={taxes.error && commandError(taxes.error)}
            keptAsOf={keptAsOf(taxes.data)}
            onRetry={() => void taxes.refetch()}
            table={() => ({
              name: name(t("insights-taxes"), `${from} ${to}`),
              rows: taxes.data ? taxTable(taxes.data, localizer) : [],
            })}
          />
        </div>
      </div>
    </section>
  );
}

/** When a report was read, if it is an earlier answer. */
function keptAsOf(report: { offline: boolean; answered: string } | undefined): string | null {
  return report?.offline ? report.answered : null;
}
