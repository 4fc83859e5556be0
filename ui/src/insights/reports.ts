/** Reports of the core as charts and tables of one currency each, and as rows of a file. */

import { splitSign } from "../i18n/format";
import type { Localizer } from "../i18n/localizer";
import { taxName, taxRateText } from "../i18n/taxText";
import type { Ageing, MonthlySums, TaxSums } from "../ipc/bindings";
import type { CurrencyReport } from "./ReportSection";

const buckets = ["not-due", "1-30", "31-60", "61-90", "over-90"] as const;

export function ageingReports({ rows }: Ageing, { t, format }: Localizer): CurrencyReport[] {
  return rows.map((row) => ({
    currency: row.currency,
    chart: row.buckets.map(({ amount, length }, index) => {
      const id = buckets[index] ?? "not-due";
      return { id, short: t(`age-${id}`), name: t(`age-${id}`), amount: format.money(amount, row.currency), length };
    }),
    columns: [
      { name: t("age"), kind: "name" },
      { name: t("insights-open"), kind: "amount" },
    ],
    rows: [
      ...row.buckets.map(({ amount }, index) => {
        const id = buckets[index] ?? "not-due";
        return { id, cells: [t(`age-${id}`), format.amount(amount, row.currency)] };
      }),
      { id: "total", cells: [t("insights-total"), format.amount(row.open, row.currency)], total: true },
    ],
    note: /[1-9]/.test(row.creditBalance)
      ? t("insights-credit", { amount: format.money(splitSign(row.creditBalance).digits, row.currency) })
      : undefined,
  }));
}

export function ageingTable({ rows }: Ageing, { t }: Localizer): string[][] {
  return [
    [t("facet-currency"), ...buckets.map((id) => t(`age-${id}`)), t("insights-open"), t("insights-credit-column")],
    ...rows.map((row) => [row.currency, ...row.buckets.map(({ amount }) => amount), row.open, row.creditBalance]),
  ];
}

export function monthReports({ currencies }: MonthlySums, localizer: Localizer): CurrencyReport[] {
  const { t, format } = localizer;
  const names = monthNames(localizer);
  return currencies.map(({ currency, months, total }) => ({
    currency,
    chart: months.map(({ month, bar }) => ({
      id: month,
      short: names.short(month),
      narrow: names.narrow(month),
      name: names.long(month),
      amount: format.money(bar.amount, currency),
      length: bar.length,
    })),
    columns: [
      { name: t("insights-month"), kind: "name" },
      { name: t("today-documents"), kind: "count" },
      { name: t("net"), kind: "amount" },
      { name: t("tax"), kind: "amount" },
      { name: t("gross"), kind: "amount" },
    ],
    rows: [
      ...months.map(({ month, totals }) => ({ id: month, name: names.long(month), totals, total: false })),
      { id: "total", name: t("insights-total"), totals: total, total: true },
    ].map(({ id, name, totals, total: isTotal }) => ({
      id,
      total: isTotal,
      cells: [
        name,
        format.integer(totals.invoices + totals.creditNotes),
        format.amount(totals.net, currency),
        format.amount(totals.tax, currency),
        format.amount(totals.gross, currency),
      ],
    })),
  }));
}

export function monthTable({ currencies }: MonthlySums, { t }: Localizer): string[][] {
  return [
    [
      t("insights-month"),
      t("facet-currency"),
      t("insights-invoices"),
      t("insights-credit-notes"),
      t("net"),
      t("tax"),
      t("gross"),
    ],
    ...currencies.flatMap(({ currency, months }) =>
      months.map(({ month, totals }) => [
        month,
        currency,
        String(totals.invoices),
        String(totals.creditNotes),
        totals.net,
        totals.tax,
        totals.gross,
      ]),
    ),
  ];
}

export function taxReports({ currencies }: TaxSums, localizer: Localizer): CurrencyReport[] {
  const { t, format } = localizer;
  return currencies.map(({ currency, rows, taxable, tax }) => ({
    currency,
    chart: rows.map((row) => ({
      id: `${row.category} ${row.rate}`,
      short: taxRateText(row, localizer),
      name: taxName(row, localizer),
      amount: format.money(row.tax.amount, currency),
      length: row.tax.length,
    })),
    columns: [
      { name: t("insights-tax-kind"), kind: "name" },
      { name: t("today-documents"), kind: "count" },
      { name: t("insights-taxable"), kind: "amount" },
      { name: t("tax"), kind: "amount" },
    ],
    rows: [
      ...rows.map((row) => ({
        id: `${row.category} ${row.rate}`,
        cells: [
          taxName(row, localizer),
          format.integer(row.count),
          format.amount(row.taxable, currency),
          format.amount(row.tax.amount, currency),
        ],
      })),
      {
        id: "total",
        cells: [t("insights-total"), "", format.amount(taxable, currency), format.amount(tax, currency)],
        total: true,
      },
    ],
  }));
}

export function taxTable({ currencies }: TaxSums, { t }: Localizer): string[][] {
  return [
    [
      t("facet-currency"),
      t("insights-tax-category"),
      t("insights-tax-rate"),
      t("today-documents"),
      t("insights-taxable"),
      t("tax"),
    ],
    ...currencies.flatMap(({ currency, rows }) =>
      rows.map((row) => [currency, row.category, row.rate, String(row.count), row.taxable, row.tax.amount]),
    ),
  ];
}

function monthNames({ locale }: Localizer) {
  // The sums are those of Gregorian months, also where dates are shown in another calendar: under the name of a month of that one they
  // would be wrong. The digits are those of the locale.
  const ofService = { calendar: "gregory", timeZone: "UTC" } as const;
  const long = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", ...ofService });
  const short = new Intl.DateTimeFormat(locale, { month: "short", ...ofService });
  const narrow = new Intl.DateTimeFormat(locale, { month: "numeric", ...ofService });
  return {
    long: (month: string) => long.format(firstDay(month)),
    short: (month: string) => short.format(firstDay(month)),
    narrow: (month: string) => narrow.format(firstDay(month)),
  };
}

function firstDay(month: string): Date {
  return new Date(`${month}-01T00:00:00Z`);
}
