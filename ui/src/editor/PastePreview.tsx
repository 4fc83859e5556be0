/** What a paste from a spreadsheet becomes: the field of each column can be changed before the lines are inserted. */

import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button";
import { Checkbox } from "../components/Checkbox";
import { Modal } from "../components/Modal";
import { Select } from "../components/Select";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { LineContent } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { PastedPrices } from "./PastedPrices";
import {
  isNumber,
  isNumeric,
  isPrice,
  type PastedField,
  type PastedLine,
  type PastedTable,
  pastedFields,
  pricesWithTax,
  toLines,
} from "./pastedTable";
import { unitOf } from "./units";
import { netPriceOf, useNetPrices } from "./useNetPrices";

/** What the form calls each field. */
const labels = {
  itemCode: "part-item-code",
  description: "paste-field-description",
  descriptionAr: "field-description-ar",
  descriptionEn: "field-description-en",
  quantity: "paste-field-quantity",
  unit: "paste-field-unit",
  unitPrice: "paste-field-unitPrice",
  unitPriceWithTax: "paste-field-price-with-tax",
  taxRate: "paste-field-taxRate",
  ignored: "paste-field-ignored",
} as const satisfies Record<PastedField, string>;

/** Rows that the preview shows. */
const SHOWN_ROWS = 6;

export interface PastePreviewProps {
  table: PastedTable;
  /** Of the document. */
  currency: string;
  /** The lines of the document that pasted ones become: with the tax of the line before them, if the table has none. */
  toContent: (lines: PastedLine[]) => LineContent[];
  onInsert: (lines: PastedLine[]) => void;
  onClose: () => void;
}

export function PastePreview({ table, currency, toContent, onInsert, onClose }: PastePreviewProps) {
  const { t, format } = useLocalizer();
  const [fields, setFields] = useState(table.fields);
  const [hasHeader, setHasHeader] = useState(table.hasHeader);
  const rows = table.rows.slice(hasHeader ? 1 : 0);
  const unitColumn = fields.indexOf("unit");
  const unknownUnits = [...new Set(rows.map((row) => row[unitColumn] ?? "").filter(isUnknownUnit))];
  const cells = { rows: table.rows, hasHeader };
  const lines = toLines(cells, fields, unitOf);
  const prices = pricesWithTax(cells, fields);
  const content = prices === null ? [] : toContent(lines);
  const { data: netPrices, error, isFetching, refetch } = useNetPrices(prices ?? [], content, currency);
  const insert = () => onInsert(lines.map((line, index) => withPrice(line, netPriceOf(netPrices?.[index]))));
  // A field has one column, and a line one price: choosing it takes it from another.
  const choose = (column: number, field: PastedField) =>
    setFields(
      fields.map((other, index) => {
        if (index === column) return field;
        return other === field || (isPrice(other) && isPrice(field)) ? "ignored" : other;
      }),
    );
  const isNoNumber = (cell: string, column: number) => cell !== "" && isNumeric(fields[column] ?? "ignored") && !isNumber(cell);
  const choices = pastedFields.map((field) => ({ id: field, label: t(labels[field]) }));
  return (
    <Modal
      title={t("paste-title")}
      width="lg"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("cancel")}</Button>
          <Button
            autoFocus
            variant="primary"
            isDisabled={fields.every((field) => field === "ignored") || error !== null}
            isBusy={prices !== null && isFetching}
            onPress={insert}
          >
            {t("paste-insert", { count: rows.length })}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-fg-2">{t("paste-columns-hint")}</p>
        <div className="overflow-x-auto rounded-md border border-line">
          <table className="w-full border-collapse text-start">
            <thead>
              <tr>
                {fields.map((field, column) => (
                  // Columns have no other identity than their place, and keep it.
                  // oxlint-disable-next-line react/no-array-index-key
                  <th key={column} scope="col" className="min-w-32 border-line border-b p-1.5 text-start font-normal">
                    <Select
                      label={t("paste-column", { column: format.integer(column + 1) })}
                      labelHidden
                      value={field}
                      choices={choices}
                      onChange={(chosen) => choose(column, chosen)}
                    />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, SHOWN_ROWS).map((row, index) => (
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={index} className="border-line border-b last:border-b-0">
                  {row.map((cell, column) => (
                    <td
                      // oxlint-disable-next-line react/no-array-index-key
                      key={column}
                      dir="auto"
                      className={`max-w-60 truncate px-3 py-1 ${fields[column] === "ignored" ? "text-fg-3 line-through" : ""}`}
                    >
                      {column === unitColumn && isUnknownUnit(cell) && (
                        <TriangleAlert size={13} aria-label={t("paste-unknown-unit")} className="me-1 inline text-warning" />
                      )}
                      {isNoNumber(cell, column) && (
                        <TriangleAlert size={13} aria-label={t("paste-no-number")} className="me-1 inline text-warning" />
                      )}
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {rows.length > SHOWN_ROWS && <p className="text-fg-3 text-xs">{t("paste-more", { count: rows.length - SHOWN_ROWS })}</p>}
        {unknownUnits.length > 0 && (
          <Notice severity="warning" variant="card" text={t("paste-unknown-units", { units: format.list(unknownUnits) })} />
        )}
        {error && <ErrorNotice error={commandError(error)} variant="card" handlers={{ tryNow: () => void refetch() }} />}
        {prices !== null && netPrices && <PastedPrices netPrices={netPrices} lines={content} />}
        {table.rows.length > 1 && (
          <Checkbox isSelected={hasHeader} onChange={setHasHeader}>
            {t("paste-header")}
          </Checkbox>
        )}
      </div>
    </Modal>
  );
}

function isUnknownUnit(cell: string): boolean {
  return cell !== "" && unitOf(cell) === null;
}

function withPrice(line: PastedLine, unitPrice: string | null): PastedLine {
  return unitPrice === null ? line : { ...line, unitPrice };
}
