/** The report of buyers as a chart and a table of each currency, and as rows of a file. */

import { localizedText } from "../i18n/localizedText";
import type { Localizer } from "../i18n/localizer";
import type { BuyerSumRow, BuyerSums } from "../ipc/bindings";
import type { CurrencyReport } from "./ReportSection";

export function buyerReports({ currencies }: BuyerSums, localizer: Localizer): CurrencyReport[] {
  const { t, format } = localizer;
  return currencies.map(({ currency, rows, count, net, gross }) => ({
    currency,
    // The rest would be longer than every buyer.
    chart: rows.flatMap((row, index) => {
      const { length } = row;
      if (length === null) return [];
      const name = buyerName(row, index, localizer);
      return [{ id: String(index), short: format.integer(index + 1), name, amount: format.money(row.gross, currency), length }];
    }),
    columns: [
      { name: t("column-buyer"), kind: "name" },
      { name: t("today-documents"), kind: "count" },
      { name: t("net"), kind: "amount" },
      { name: t("gross"), kind: "amount" },
    ],
    rows: [
      ...rows.map((row, index) => ({
        id: String(index),
        cells: [
          buyerName(row, index, localizer),
          format.integer(row.count),
          format.amount(row.net, currency),
          format.amount(row.gross, currency),
        ],
      })),
      {
        id: "total",
        cells: [t("insights-total"), format.integer(count), format.amount(net, currency), format.amount(gross, currency)],
        total: true,
      },
    ],
  }));
}

export function buyerTable({ currencies }: BuyerSums, localizer: Localizer): string[][] {
  const { t } = localizer;
  return [
    [t("facet-currency"), t("column-buyer"), t("field-tax-id"), t("today-documents"), t("net"), t("gross")],
    ...currencies.flatMap(({ currency, rows }) =>
      rows.map((row) => [
        currency,
        groupName(row, localizer),
        row.group.kind === "buyer" ? row.group.taxId : "",
        String(row.count),
        row.net,
        row.gross,
      ]),
    ),
  ];
}

/** The name with its place among the buyers. */
function buyerName(row: BuyerSumRow, index: number, localizer: Localizer): string {
  const name = groupName(row, localizer);
  const rank = localizer.format.integer(index + 1);
  return row.group.kind === "rest" ? name : localizer.t("insights-buyer", { rank, name });
}

function groupName({ group }: BuyerSumRow, { t, language }: Localizer): string {
  switch (group.kind) {
    case "buyer":
      return localizedText(group.name, language) || group.taxId;
    case "noBuyer":
      return t("insights-no-buyer");
    case "rest":
      return t("insights-other-buyers", { count: group.buyers });
  }
}
