/** The table of a report: names, counts and amounts of one currency. */

import type { ReactNode } from "react";
import { NumericText } from "../components/BidiText";

export interface ReportColumn {
  name: string;
  kind: "name" | "count" | "amount";
}

export interface ReportRow {
  id: string;
  cells: readonly string[];
  /** The sum of the others. */
  total?: boolean;
}

export function ReportTable({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: readonly ReportColumn[];
  rows: readonly ReportRow[];
}) {
  return (
    <table className="w-full">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr className="border-line-strong border-b text-fg-2 text-xs">
          {columns.map(({ name, kind }) => (
            <th key={name} scope="col" className={`py-1 pe-1 font-semibold ${alignment[kind]}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells, total }) => (
          <tr key={id} className={`h-7 ${total ? "border-line-strong border-t font-semibold" : "border-line border-b"}`}>
            {columns.map(({ name, kind }, index) => {
              const cell = cells[index] ?? "";
              const content: ReactNode = kind === "name" ? cell : <NumericText>{cell}</NumericText>;
              return index === 0 ? (
                <th key={name} scope="row" className={`ps-1 text-start ${total ? "" : "font-normal"}`}>
                  {content}
                </th>
              ) : (
                <td key={name} className={`pe-1 ${alignment[kind]}`}>
                  {content}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const alignment = { name: "ps-1 text-start", count: "amount-column", amount: "amount-column" };
