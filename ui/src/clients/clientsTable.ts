/** The list of clients as rows of a file, and which amounts of a client are told. */

import type { Localizer } from "../i18n/localizer";
import type { AgeingRow } from "../ipc/bindings";
import { type Client, countOf } from "./sortClients";

/** What is overdue in a currency; `null` if nothing is. */
export const overdueOf = ({ buckets, overdue }: AgeingRow) =>
  buckets.slice(1).some(({ length }) => length !== 0) ? overdue : null;

/** What is open in a currency; `null` if nothing is. */
export const openOf = ({ buckets, open }: AgeingRow) => (buckets.some(({ length }) => length !== 0) ? open : null);

const counted = ["drafts", "rejected", "overdue"] as const;

/** One row for each currency of a client. Its counts are of all currencies: they are in its first row only, so that a sum is right. */
export function clientsTable(clients: readonly Client[], { t }: Localizer): string[][] {
  return [
    [
      t("clients-name"),
      t("audit-detail-domain"),
      ...counted.map((field) => t(`clients-${field}`)),
      t("today-unsent"),
      t("facet-currency"),
      t("clients-overdue-amount"),
      t("clients-open-amount"),
      t("clients-as-of"),
    ],
    ...clients.flatMap((client) => {
      const { organization, overview, unsent } = client;
      const name = [organization.name, organization.domain];
      const counts = [...counted.map((field) => countOf(client, field)), unsent].map((count) => String(count ?? ""));
      const noCounts = counts.map(() => "");
      const asOf = overview?.asOf ?? "";
      const shown = (overview?.ageing ?? []).filter((row) => openOf(row) !== null);
      const amounts = shown.map((row) => [row.currency, overdueOf(row) ?? "", openOf(row) ?? ""]);
      return (amounts.length > 0 ? amounts : [["", "", ""]]).map((ofCurrency, index) =>
        name.concat(index === 0 ? counts : noCounts, ofCurrency, asOf),
      );
    }),
  ];
}
