/** The lines as a grid of inputs. Tab: next cell. Enter: next row. Alt and arrows: move the line. Ctrl+Delete: remove it. */

import { Plus, Undo2 } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Switch } from "react-aria-components";
import { announce } from "../components/announce";
import { Button } from "../components/Button";
import { useCommand } from "../components/commands";
import { groupBy } from "../components/groupBy";
import { isViewFocused } from "../components/keepFocus";
import { lazyDialog } from "../components/lazyComponent";
import { keysOf, matchesShortcut } from "../components/shortcuts";
import { useLatest } from "../components/useLatest";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { ItemView } from "../ipc/bindings";
import { useLineMore, useRowShortcut } from "./details/useLineMore";
import { pastedLines } from "./draftReducer";
import type { FieldError } from "./fields";
import { hasExemption, pastedLineIndex } from "./invoiceLines";
import { LineRow } from "./LineRow";
import { PastePreview } from "./PastePreview";
import { type PastedLine, type PastedTable, parsePastedTable } from "./pastedTable";
import { namedUnitOf } from "./units";
import type { DraftEditor } from "./useDraftEditor";
import { useItemChoice } from "./useItemChoice";

const PriceWithTaxDialog = lazyDialog(async () => (await import("./details/PriceWithTaxDialog")).PriceWithTaxDialog);

/**
 * Keyboards without a Delete key have Backspace in its place, but only where there is no text: in a text it deletes the word before the
 * caret, and a line is not to go while somebody types in it.
 */
function removesLine(event: globalThis.KeyboardEvent): boolean {
  const keys = keysOf("removeLine");
  if (matchesShortcut(event, keys)) return true;
  const hasText = event.target instanceof HTMLInputElement && event.target.value !== "";
  return !hasText && matchesShortcut(event, keys.replace(/Delete$/, "Backspace"));
}

export interface LineGridProps extends Pick<DraftEditor, "state" | "dispatch" | "trackFill" | "calculation"> {
  fieldErrors: readonly FieldError[];
  isDisabled: boolean;
  /** Whether the document is being sent: what is dispatched changes nothing. */
  isReadOnly: boolean;
  /** Of the seller, ISO 3166-1 alpha-2; empty if it is not known. */
  country: string;
  /** The path of an amount, as `lines[2].net`. */
  onExplain: (path: string) => void;
}

/** It is rendered when the content, totals or errors change. */
export const LineGrid = memo(function LineGrid(props: LineGridProps) {
  const { state, dispatch, trackFill, calculation, fieldErrors, isDisabled, isReadOnly, country, onExplain } = props;
  const { t, format, language } = useLocalizer();
  const { lines, currency } = state.draft.content;
  const grid = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const [pasted, setPasted] = useState<{ table: PastedTable; row: number; column: string } | null>(null);
  const other = language === "ar" ? "en" : "ar";
  // A choice is about the language of the window in which it was made: in the other one it would hide what was typed.
  const [choice, setChoice] = useState<{ language: string; both: boolean } | null>(null);
  const chosen = choice?.language === language ? choice.both : null;
  const twoLanguages =
    (chosen ?? lines.some(({ description }) => description[other] !== "")) ||
    fieldErrors.some(({ field }) => field?.endsWith(`.description.${other}`));
  useCommand("twoLanguages", "two-languages", () => setChoice({ language, both: true }));
  // It stays when its last text is deleted, or the mistake in it corrected: somebody is typing there.
  if (twoLanguages && chosen !== true) setChoice({ language, both: true });
  const exempt = lines.some(hasExemption);
  const errorsByLine = useMemo(
    () => groupBy(fieldErrors, ({ field }) => /^lines\[(\d+)\]/.exec(field ?? "")?.[1]),
    [fieldErrors],
  );
  const general = fieldErrors.filter(({ field }) => field === "lines");

  const focusCell = useCallback((row: number, column: string) => {
    // A new row is rendered after this event.
    requestAnimationFrame(() => {
      const line = grid.current?.querySelector<HTMLElement>(`[data-row="${row}"]`);
      const cell = enabledIn(line, `[data-cell="${column}"]`);
      // The line that had the focus may be gone, and the cell in the other one be disabled or not be there.
      const target = cell ?? (isViewFocused() ? null : enabledIn(line, "[data-cell]"));
      target?.focus();
      if (target instanceof HTMLInputElement) target.select();
    });
  }, []);
  /** The focus would fall to the body with the line that had it. Without a line left, a new one is what can be added. */
  const focusAddLine = useCallback(() => {
    requestAnimationFrame(() => below.current?.querySelector("button")?.focus());
  }, []);
  const add = () => {
    dispatch({ type: "lineAdded" });
    focusCell(lines.length, `description.${language}`);
  };
  const remove = useCallback((index: number) => dispatch({ type: "lineRemoved", index }), [dispatch]);
  // Said of a line that is gone, and not of the key: while the document is sent, none is removed.
  const leftAfterRemoval = state.lineWasRemoved ? lines.length : null;
  const told = useRef(leftAfterRemoval);
  useEffect(() => {
    if (leftAfterRemoval !== null && leftAfterRemoval !== told.current) announce(t("line-removed"));
    told.current = leftAfterRemoval;
  }, [leftAfterRemoval, t]);
  const lineCount = useLatest(lines.length);
  /** The button goes with its line: the one of the neighbouring line takes the focus. */
  const removeByButton = useCallback(
    (index: number) => {
      const left = lineCount.current - 1;
      remove(index);
      if (left === 0) return focusAddLine();
      const row = Math.min(index, left - 1);
      requestAnimationFrame(() =>
        grid.current?.querySelector<HTMLElement>(`[data-row="${row}"] .line-actions > button:last-of-type`)?.focus(),
      );
    },
    [remove, focusAddLine, lineCount],
  );
  const itemChoice = useItemChoice({ state, dispatch, trackFill, isReadOnly });
  const fillLine = useCallback(
    (index: number, item: ItemView) => {
      if (itemChoice.choose(index, item)) focusCell(index, "quantity");
    },
    [itemChoice, focusCell],
  );
  const more = useLineMore(state);
  const [withTax, setWithTax] = useState<number | null>(null);
  const priced = withTax === null ? undefined : lines[withTax];
  useRowShortcut("lineDetails", grid, (row) => row !== null && more.setOpen(row, true));
  useRowShortcut("priceWithTax", grid, setWithTax, !isDisabled);
  const nextRow = useCallback(
    (index: number) => {
      if (index === lineCount.current - 1) dispatch({ type: "lineAdded" });
      focusCell(index + 1, `description.${language}`);
    },
    [dispatch, focusCell, language, lineCount],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    const position = cellOf(event.target);
    if (!position || isDisabled) return;
    const { row, column } = position;
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (composing) return;
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const by = event.key === "ArrowUp" ? -1 : 1;
      dispatch({ type: "lineMoved", index: row, by });
      focusCell(Math.min(Math.max(row + by, 0), lines.length - 1), column);
    } else if (removesLine(event.nativeEvent)) {
      remove(row);
      if (lines.length === 1) focusAddLine();
      else focusCell(Math.min(row, lines.length - 2), column);
    } else if (event.key === "Enter" && plain && event.target instanceof HTMLInputElement) {
      if (row === lines.length - 1) dispatch({ type: "lineAdded" });
      focusCell(row + 1, row === lines.length - 1 ? `description.${language}` : column);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && plain && event.target instanceof HTMLInputElement) {
      const to = row + (event.key === "ArrowDown" ? 1 : -1);
      if (to < 0 || to >= lines.length) return;
      focusCell(to, column);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const onPaste = (event: ClipboardEvent) => {
    const position = cellOf(event.target);
    const table = parsePastedTable(event.clipboardData.getData("text/plain"), namedUnitOf);
    if (!position || isDisabled || isReadOnly || !table) return;
    event.preventDefault();
    setPasted({ table, ...position });
  };
  const insert = (inserted: PastedLine[]) => {
    // The preview stays: what it has is not in the document that is being sent.
    if (!pasted || isReadOnly) return;
    const row = pastedLineIndex(lines, pasted.row);
    dispatch({ type: "linesPasted", index: pasted.row, lines: inserted });
    announce(t("lines-pasted", { count: inserted.length }));
    setPasted(null);
    focusCell(row, pasted.column);
  };

  const columns = [
    { id: "number", label: t("column-line"), className: "text-center" },
    { id: "description", label: twoLanguages ? t(`field-description-${language}`) : t("field-description"), className: "" },
    ...(twoLanguages ? [{ id: "second", label: t(`field-description-${other}`), className: "" }] : []),
    { id: "quantity", label: t("field-quantity"), className: "amount-column" },
    { id: "unit", label: t("field-unit"), className: "" },
    { id: "unitPrice", label: t("field-unit-price"), className: "amount-column" },
    { id: "taxCategory", label: t("field-tax-category"), className: "" },
    { id: "taxRate", label: t("field-tax-rate"), className: "amount-column" },
    ...(exempt ? [{ id: "exemption", label: t("field-exemption"), className: "" }] : []),
    { id: "net", label: t("net"), className: "amount-column" },
    { id: "actions", label: t("line-actions"), className: "visually-hidden" },
  ];
  return (
    <section aria-labelledby="section-lines" className="flex flex-col gap-2">
      <div className="flex items-center gap-3" data-field="lines">
        <h2 id="section-lines" className="flex-1 font-semibold">
          {t("section-lines")} <span className="numeric font-normal text-fg-2">{format.integer(lines.length)}</span>
        </h2>
        <Switch
          isSelected={twoLanguages}
          onChange={(both) => setChoice({ language, both })}
          className="group inline-flex min-h-6 items-center gap-2 rounded-sm text-fg-2 text-xs"
        >
          <span className="inline-flex h-4 w-7 items-center rounded-full border border-control bg-surface px-0.5 group-data-[selected]:justify-end group-data-[selected]:border-accent group-data-[selected]:bg-accent">
            <span className="size-2.5 rounded-full bg-control group-data-[selected]:bg-accent-fg" />
          </span>
          {t("two-languages")}
        </Switch>
      </div>
      {general.map(({ message }) => (
        <p key={message} className="text-danger text-xs">
          {message}
        </p>
      ))}
      {/* A region of F6 is the cells, or, without a line, the button that adds one. */}
      <div
        data-region=""
        className="line-grid overflow-x-auto rounded-md border border-line bg-surface"
        data-second={twoLanguages}
        data-exempt={exempt}
      >
        {/* Focus is on the cells; the grid handles the keys that move between them. */}
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
        <div
          ref={grid}
          role="grid"
          aria-label={t("section-lines")}
          aria-rowcount={lines.length + 1}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        >
          <div role="rowgroup" className="line-heads">
            <div role="row" aria-rowindex={1} className="line-columns min-h-8 border-line border-b px-1 text-fg-2 text-xs">
              {columns.map((column) => (
                <div key={column.id} role="columnheader" className={`px-1 py-1 leading-tight ${column.className}`}>
                  {column.label}
                </div>
              ))}
            </div>
          </div>
          {lines.map((line, index) => (
            <LineRow
              key={state.lineIds[index]}
              line={line}
              index={index}
              net={calculation?.lines[index]?.net ?? ""}
              currency={currency}
              fieldErrors={errorsByLine.get(String(index))}
              twoLanguages={twoLanguages}
              exempt={exempt}
              isDisabled={isDisabled}
              dispatch={dispatch}
              onRemove={removeByButton}
              onItem={fillLine}
              onItemExpected={itemChoice.expect}
              onNextRow={nextRow}
              country={country}
              moreIsOpen={more.isOpen(index)}
              onMore={more.setOpen}
              onPriceWithTax={setWithTax}
              onExplain={onExplain}
            />
          ))}
        </div>
      </div>
      {priced && withTax !== null && (
        <PriceWithTaxDialog
          isOpen
          onClose={() => setWithTax(null)}
          line={priced}
          index={withTax}
          currency={currency}
          onPrice={(text) => dispatch({ type: "fieldChanged", path: `lines[${withTax}].unitPrice`, text })}
        />
      )}
      {pasted && (
        <PastePreview
          table={pasted.table}
          currency={currency}
          toContent={(inserted) => pastedLines(state, pasted.row, inserted).next}
          onInsert={insert}
          onClose={() => setPasted(null)}
        />
      )}
      <div ref={below} data-region={lines.length === 0 ? "" : undefined} className="flex flex-wrap items-center gap-3">
        <Button size="sm" isDisabled={isDisabled} onPress={add} icon={<Plus size={14} aria-hidden="true" />}>
          {t("add-line")}
        </Button>
        {state.lineWasRemoved && (
          <span className="fade-in inline-flex items-center gap-2 text-fg-2 text-xs">
            {t("line-removed")}
            <Button
              size="sm"
              variant="quiet"
              shortcut="undo"
              onPress={() => {
                dispatch({ type: "undone" });
                // The button goes with its words.
                focusAddLine();
              }}
              icon={<Undo2 size={13} aria-hidden="true" className="mirror-in-rtl" />}
            >
              {t("undo")}
            </Button>
          </span>
        )}
      </div>
    </section>
  );
});

/** What takes the focus in the first of some cells that can: its input, or the button of a list. */
function enabledIn(line: HTMLElement | null | undefined, cells: string): HTMLElement | null {
  return line?.querySelector<HTMLElement>(`input${cells}:enabled, ${cells} button:enabled`) ?? null;
}

function cellOf(target: EventTarget): { row: number; column: string } | null {
  if (!(target instanceof HTMLElement)) return null;
  const column = target.closest<HTMLElement>("[data-cell]")?.dataset["cell"];
  const row = target.closest<HTMLElement>("[data-row]")?.dataset["row"];
  return column !== undefined && row !== undefined ? { row: Number(row), column } : null;
}
