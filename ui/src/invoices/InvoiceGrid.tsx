/** The invoice list as an ARIA grid with virtual rows, one tab stop and full keyboard navigation. */

import { type KeyboardEvent, type MouseEvent, memo, useEffect, useMemo, useRef, useState } from "react";
import { CheckboxIndicator } from "../components/CheckboxIndicator";
import { ariaKeyShortcuts, keysOf, matchesShortcut, shortcuts } from "../components/shortcuts";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { minorUnits } from "../i18n/format";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceRow, ListColumn } from "../ipc/bindings";
import {
  areUsual,
  type ColumnName,
  fitting,
  type ShownColumn,
  shownColumns,
  tracks,
  withAuthority,
} from "../listSettings/columns";
import type { InvoiceFilter, InvoiceList } from "../queries/invoicePages";
import { activeRow, useNavigation } from "../state/navigation";
import { ColumnHeader } from "./ColumnHeader";
import { rowAfterKey } from "./gridKeys";
import { RowCell } from "./RowCell";
import { emptySelection, isSelected, rangeFrom, type Selection, selectedCount, selectionOfAll, toggleRow } from "./selection";
import { useDetailFollowsActiveRow } from "./useDetailFollowsActiveRow";
import { useElementWidth } from "./useElementWidth";
import { type ScaledRows, useScaledRows } from "./useScaledRows";

export interface InvoiceGridProps {
  list: InvoiceList;
  total: number;
  sort: InvoiceFilter["sort"];
  onSort: (sort: InvoiceFilter["sort"]) => void;
  selection: Selection;
  onSelection: (selection: Selection) => void;
  /** Makes the range of a selection end at an index, also over rows that are not loaded. */
  onRangeSelection: (selection: Selection, index: number) => void;
  opened: string | null;
  /** Opens the detail of a row; `focus` moves the focus there, for the keyboard. */
  onOpen: (key: string, focus: boolean) => void;
  /** Whether the detail follows the active row. */
  detailFollows: boolean;
  /** Whether rows have states of a tax authority. */
  hasAuthority: boolean;
  /** The columns of the settings. */
  columns: readonly ListColumn[];
  /** The date of today in the time zone of the organization: the year of other dates is left out if it is the same. */
  today: string;
  onColumnWidth: (name: ColumnName, width: number) => void;
  onRange: (first: number, last: number) => void;
  /** A change of it resets the active row and the scroll position. */
  resetKey: string;
}

export function InvoiceGrid(props: InvoiceGridProps) {
  const { list, total, selection, onSelection, onRangeSelection, onRange, resetKey, hasAuthority } = props;
  const { t, direction } = useLocalizer();
  const scroller = useRef<HTMLDivElement>(null);
  const { listPosition } = useNavigation();
  // A list that was left is shown again as it was.
  const [first] = useState(() => (listPosition.current?.of === resetKey ? listPosition.current : { active: 0, rowsAbove: 0 }));
  const [chosen, setActive] = useState(first.active);
  // The list can become shorter. Without an active row, Tab would pass it by.
  const active = Math.max(0, Math.min(chosen, total - 1));
  const grid = useRef<HTMLDivElement>(null);
  const width = useElementWidth(grid);
  const wanted = useMemo(() => withAuthority(shownColumns(props.columns), hasAuthority), [props.columns, hasAuthority]);
  // The style sheet lays out the usual columns.
  const custom = !areUsual(wanted);
  const shown = useMemo(() => (custom ? fitting(wanted, width) : wanted), [custom, wanted, width]);
  const visible = useScaledRows(scroller, total, active, first.rowsAbove);
  const focusPending = useRef(false);

  useEffect(() => onRange(visible.first, visible.last), [onRange, visible.first, visible.last]);
  const movedFrom = useDetailFollowsActiveRow(props, list.row(active)?.key);
  // The row that had the focus is gone when the list is shorter, or is another one.
  useFocusAfterRemoval(scroller, () => scroller.current?.querySelector<HTMLElement>(activeRow));
  const shownList = useRef(resetKey);
  useEffect(() => {
    if (shownList.current === resetKey) return;
    shownList.current = resetKey;
    setActive(0);
    scroller.current?.scrollTo({ top: 0 });
  }, [resetKey]);
  useEffect(() => {
    // The active row takes the focus when the list is shown again, and one out of view would scroll to itself.
    const isInView = active >= visible.first && active <= visible.last;
    listPosition.current = { of: resetKey, active: isInView ? active : visible.first, rowsAbove: visible.rowsAbove() };
  });
  useEffect(() => {
    if (!focusPending.current) return;
    focusPending.current = false;
    focusRow(scroller.current, active);
  }, [active]);

  const activate = (index: number, from: number) => {
    visible.reveal(index);
    setActive(index);
    if (index !== from) movedFrom.current = props.opened;
    // At an end of the list nothing is rendered that would take the focus, and it must not be taken later.
    if (index === active) focusRow(scroller.current, index);
    else focusPending.current = true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The row that has the focus: keys must not act on another one that is still the tab stop.
    const at = indexOfRow(event.target) ?? active;
    const row = list.row(at);
    const to = rowAfterKey(event, at, total, visible.pageSize());
    if (to !== null) {
      // A range goes on where it ended. From any other row the key begins one: those between are not what was pointed at.
      if (event.shiftKey) onRangeSelection(selection.end === at ? selection : rangeFrom(selection, at), to);
      activate(to, at);
    } else if (matchesShortcut(event.nativeEvent, keysOf("selectAll"))) {
      onSelection(selectionOfAll);
    } else if (event.key === "Escape" && props.opened === null && selectedCount(selection, total) > 0) {
      // An open document is closed first.
      onSelection(emptySelection);
    } else if (event.key === " ") {
      // It does not scroll the list either, while the row is being read.
      if (row) onSelection(toggleRow(selection, row, at));
    } else if ((event.key === "Enter" || event.key === (direction === "rtl" ? "ArrowLeft" : "ArrowRight")) && row) {
      movedFrom.current = null;
      props.onOpen(row.key, true);
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <div
      role="grid"
      aria-label={t("invoices")}
      aria-rowcount={total + 1}
      aria-colcount={shown.length + 1}
      aria-multiselectable="true"
      aria-busy={list.outdated}
      ref={grid}
      {...(custom ? { "data-custom": "", style: { "--invoice-columns": tracks(shown) } } : {})}
      className="invoice-list flex min-h-0 flex-1 flex-col"
    >
      <GridHeader {...props} shown={shown} />
      {/* Focus is on the rows; the group handles the keys that move between them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={scroller}
        role="rowgroup"
        className="invoice-rows relative min-h-0 flex-1"
        onKeyDown={onKeyDown}
        // A screen reader moves the focus without a key of ours.
        onFocus={(event) => setActive(indexOfRow(event.target) ?? active)}
        data-testid="rows"
      >
        <div className="relative overflow-clip" style={{ blockSize: visible.height }}>
          <Rows {...props} visible={visible} active={active} onActive={setActive} shown={shown} />
        </div>
      </div>
    </div>
  );
}

function focusRow(scroller: HTMLElement | null, index: number): void {
  scroller?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
  // In a low window they can be out of it.
  scroller?.scrollIntoView({ block: "nearest" });
}

/** The index of the row that an element is in. */
function indexOfRow(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return row === null ? null : Number(row.dataset["index"]);
}

function GridHeader(props: InvoiceGridProps & { shown: readonly ShownColumn[] }) {
  const { sort, onSort, selection, onSelection, total, shown, onColumnWidth } = props;
  const { t } = useLocalizer();
  const count = selectedCount(selection, total);
  return (
    <div role="rowgroup" className="invoice-header shrink-0 border-line-strong border-b">
      <div role="row" aria-rowindex={1} className="invoice-columns h-8 text-fg-2 text-xs">
        <div role="columnheader" className="relative">
          <span className="visually-hidden">{t("column-selected")}</span>
          <button
            type="button"
            aria-label={t(count > 0 ? "clear-selection" : "select-all")}
            aria-keyshortcuts={ariaKeyShortcuts(shortcuts.selectAll.keys)}
            onClick={() => onSelection(count > 0 ? emptySelection : selectionOfAll)}
            className="inline-flex size-6 items-center justify-center rounded-sm"
          >
            <CheckboxIndicator checked={count === total} indeterminate={count > 0 && count < total} />
          </button>
        </div>
        {shown.map((each) => (
          <ColumnHeader key={each.column.name} shown={each} sort={sort} onSort={onSort} onWidth={onColumnWidth} />
        ))}
      </div>
    </div>
  );
}

interface RowsProps extends InvoiceGridProps {
  visible: ScaledRows;
  active: number;
  onActive: (index: number) => void;
  shown: readonly ShownColumn[];
}

function Rows(props: RowsProps) {
  const { visible, list, active, onActive, opened, onOpen, shown, hasAuthority, today } = props;
  const { selection, onSelection, onRangeSelection } = props;
  const onClick = (event: MouseEvent) => {
    const index = indexOfRow(event.currentTarget);
    if (index === null) return;
    const row = list.row(index);
    onActive(index);
    if (!row) return;
    const onBox = event.target instanceof Element && event.target.closest("[data-tick]") !== null;
    if (event.shiftKey) onRangeSelection(selection, index);
    else if (onBox || event.ctrlKey || event.metaKey) onSelection(toggleRow(selection, row, index));
    else {
      // A range with Shift goes from the row that was clicked last.
      onSelection(rangeFrom(selection, index));
      onOpen(row.key, false);
    }
  };
  const fractionDigits = Math.max(0, ...list.sums.map(({ currency }) => minorUnits(currency)));
  return visible.rows.map(({ index, top }) => {
    const row = list.row(index);
    return (
      // The row group handles the keys of a row.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
      <div
        key={index}
        role="row"
        data-index={index}
        aria-rowindex={index + 2}
        aria-selected={row ? isSelected(selection, row.key) : selection.base === "all"}
        tabIndex={index === active ? 0 : -1}
        onClick={onClick}
        data-opened={row !== undefined && row.key === opened}
        className={`invoice-columns absolute inset-x-0 top-0 h-8 border-line border-b outline-offset-[-2px] hover:bg-sunken aria-selected:bg-accent-soft data-[opened=true]:shadow-none ${
          row?.key === opened
            ? "bg-accent-soft before:absolute before:inset-y-0 before:start-0 before:w-[3px] before:bg-accent"
            : ""
        }`}
        style={{ transform: `translateY(${top}px)` }}
      >
        {row ? (
          <RowCells
            row={row}
            selected={isSelected(selection, row.key)}
            shown={shown}
            hasAuthority={hasAuthority}
            fractionDigits={fractionDigits}
            today={today}
          />
        ) : (
          <RowSkeleton />
        )}
      </div>
    );
  });
}

const RowCells = memo(function RowCells({
  row,
  selected,
  shown,
  hasAuthority,
  fractionDigits,
  today,
}: {
  row: InvoiceRow;
  selected: boolean;
  shown: readonly ShownColumn[];
  hasAuthority: boolean;
  fractionDigits: number;
  today: string;
}) {
  const has = (name: ColumnName) => shown.some(({ column }) => column.name === name);
  const withKind = !has("kind");
  const withSubmission = hasAuthority && !has("submission");
  return (
    <>
      <div role="gridcell" data-tick="" className="inline-flex size-6 items-center justify-center">
        <CheckboxIndicator checked={selected} />
      </div>
      {shown.map(({ column }) => (
        <RowCell
          key={column.name}
          row={row}
          name={column.name}
          withKind={withKind}
          withSubmission={withSubmission}
          fractionDigits={fractionDigits}
          today={today}
        />
      ))}
    </>
  );
});

function RowSkeleton() {
  const { t } = useLocalizer();
  return (
    <>
      <div role="gridcell">
        <span className="visually-hidden">{t("loading")}</span>
      </div>
      <span aria-hidden="true" className="h-2 w-20 rounded-sm bg-line" />
      <span aria-hidden="true" className="h-2 w-40 max-w-full rounded-sm bg-line" />
    </>
  );
}
