/** The header of a column: sorts by it, and changes its width with the pointer or with Alt and an arrow key. */

import { ArrowDown, ArrowUp } from "lucide-react";
import type { KeyboardEvent, PointerEvent } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { ColumnName, ShownColumn } from "../listSettings/columns";
import type { InvoiceFilter } from "../queries/invoicePages";
import { nextSort } from "./filter";

/** Pixels for one press of a key. */
const STEP = 8;

export interface ColumnHeaderProps {
  shown: ShownColumn;
  sort: InvoiceFilter["sort"];
  onSort: (sort: InvoiceFilter["sort"]) => void;
  onWidth: (name: ColumnName, width: number) => void;
}

export function ColumnHeader({ shown: { column, width }, sort, onSort, onWidth }: ColumnHeaderProps) {
  const { t, direction } = useLocalizer();
  const { name, label, amount } = column;
  const field = column.sort;
  const sorted = field !== null && sort?.field === field;
  const Arrow = sort?.descending ? ArrowDown : ArrowUp;
  const toEnd = direction === "rtl" ? -1 : 1;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
    event.preventDefault();
    const current = width ?? event.currentTarget.parentElement?.offsetWidth ?? column.width;
    onWidth(name, current + (event.key === "ArrowRight" ? STEP : -STEP) * toEnd);
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    const handle: HTMLElement = event.currentTarget;
    const from = event.clientX;
    const start = handle.parentElement?.offsetWidth ?? column.width;
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const ended = new AbortController();
    const { signal } = ended;
    handle.addEventListener("pointermove", (move) => onWidth(name, start + (move.clientX - from) * toEnd), { signal });
    for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, () => ended.abort(), { signal });
  };
  const content = (
    <>
      <span className="column-name truncate">{t(label)}</span>
      {sorted && <Arrow size={12} aria-hidden="true" />}
    </>
  );
  // Also where the name of the column is for screen readers only.
  const layout = `inline-flex h-6 min-w-6 max-w-full items-center gap-1 rounded-sm font-semibold ${amount ? "flex-row-reverse" : ""} ${sorted ? "text-fg" : ""}`;
  return (
    <div
      role="columnheader"
      data-column={name}
      {...(field === null ? {} : { "aria-sort": sorted ? (sort.descending ? "descending" : "ascending") : "none" })}
      className={`relative min-w-0 ${amount ? "amount-column" : ""}`}
    >
      <button
        type="button"
        onKeyDown={onKeyDown}
        onClick={() => {
          if (field !== null) onSort(nextSort(sort, field));
        }}
        className={`${layout} ${field === null ? "cursor-default" : "hover:text-fg"}`}
      >
        {content}
      </button>
      {/* The keys of the button do the same. */}
      <span aria-hidden="true" onPointerDown={drag} className="column-edge" />
    </div>
  );
}
