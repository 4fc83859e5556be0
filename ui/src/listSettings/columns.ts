/** The columns of the invoice list: which there are, their widths, and which fit. */

import type { MessageId } from "../i18n/localizer";
import type { ListColumn, SortField } from "../ipc/bindings";

export interface Column {
  name: string;
  label: MessageId;
  /** The field that the service sorts by; `null` if it cannot. */
  sort: SortField | null;
  /** Amounts are aligned by their decimal point. */
  amount: boolean;
  /** In pixels. */
  width: number;
  min: number;
}

export const columns = [
  { name: "number", label: "column-number", sort: "number", amount: false, width: 124, min: 80 },
  { name: "buyer", label: "column-buyer", sort: "buyer", amount: false, width: 200, min: 110 },
  { name: "kind", label: "facet-kind", sort: null, amount: false, width: 100, min: 72 },
  { name: "issueDate", label: "column-issued", sort: "issueDate", amount: false, width: 100, min: 72 },
  { name: "dueDate", label: "column-due", sort: "dueDate", amount: false, width: 100, min: 72 },
  { name: "net", label: "net", sort: null, amount: true, width: 144, min: 112 },
  { name: "tax", label: "tax", sort: null, amount: true, width: 132, min: 112 },
  { name: "gross", label: "column-gross", sort: "gross", amount: true, width: 144, min: 112 },
  { name: "open", label: "open-amount", sort: null, amount: true, width: 144, min: 112 },
  { name: "status", label: "column-status", sort: "status", amount: false, width: 176, min: 88 },
  { name: "submission", label: "submission", sort: null, amount: false, width: 116, min: 88 },
] as const satisfies readonly Column[];

export type ColumnName = (typeof columns)[number]["name"];

const usual: readonly ColumnName[] = ["number", "buyer", "issueDate", "dueDate", "gross", "status"];

/** Columns that a narrow list leaves out, the first one first. Buyer and gross stay. */
const dispensable: readonly ColumnName[] = [
  "kind",
  "tax",
  "net",
  "issueDate",
  "dueDate",
  "submission",
  "open",
  "number",
  "status",
];

const MAX_WIDTH = 600;
const GAP = 12;
/** The box and the padding of a row. */
const FIXED = 24 + 2 * 12;

export interface ShownColumn {
  column: Column & { name: ColumnName };
  /** `null`: the usual one. */
  width: number | null;
}

function columnNamed(name: string): (Column & { name: ColumnName }) | undefined {
  return columns.find((column) => column.name === name);
}

/** The columns of the settings, without unknown ones; the usual ones if there are none. */
export function shownColumns(settings: readonly ListColumn[]): ShownColumn[] {
  const shown = settings.flatMap(({ name, width }) => {
    const column = columnNamed(name);
    return column ? [{ column, width: width === null ? null : clampWidth(column, width) }] : [];
  });
  if (shown.length > 0) return shown;
  return columns.filter(({ name }) => usual.includes(name)).map((column) => ({ column, width: null }));
}

/** The columns of an organization: without a tax authority there is none of its states. The settings keep it. */
export function withAuthority(shown: readonly ShownColumn[], hasAuthority: boolean): ShownColumn[] {
  const left = shown.filter(({ column }) => hasAuthority || column.name !== "submission");
  return left.length > 0 ? left : shownColumns([]);
}

/** Whether the columns and widths are the usual ones, which the style sheet lays out. */
export function areUsual(shown: readonly ShownColumn[]): boolean {
  return (
    shown.length === usual.length && shown.every(({ column, width }, index) => column.name === usual[index] && width === null)
  );
}

function clampWidth(column: Column, width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(column.min, width)));
}

/** The columns that fit into a list of a width. An amount is never cut: a column is left out instead. */
export function fitting(shown: readonly ShownColumn[], available: number): ShownColumn[] {
  const left = [...shown];
  for (const name of dispensable) {
    if (neededWidth(left) <= available) break;
    const at = left.findIndex(({ column }) => column.name === name);
    if (at >= 0 && left.length > 1) left.splice(at, 1);
  }
  return left;
}

function neededWidth(shown: readonly ShownColumn[]): number {
  // The buyer takes what is left, unless it is alone in having no width.
  const widths = shown.map(({ column, width }) => (column.name === "buyer" ? column.min : (width ?? column.width)));
  return FIXED + widths.reduce((sum, width) => sum + width + GAP, 0);
}

/** The tracks of the grid. The buyer takes what is left, or the last column if there is no buyer. */
export function tracks(shown: readonly ShownColumn[]): string {
  const hasBuyer = shown.some(({ column }) => column.name === "buyer");
  const texts = shown.map(({ column, width }, index) => {
    const size = width ?? column.width;
    if (column.name === "buyer") return `minmax(${column.min}px, ${width === null ? "1fr" : `${width}fr`})`;
    return !hasBuyer && index === shown.length - 1 ? `minmax(${size}px, 1fr)` : `${size}px`;
  });
  return `24px ${texts.join(" ")}`;
}

/** The settings with the width of a column changed. */
export function withWidth(shown: readonly ShownColumn[], name: ColumnName, width: number): ListColumn[] {
  return toSettings(shown.map((each) => (each.column.name === name ? { ...each, width: clampWidth(each.column, width) } : each)));
}

export function toSettings(shown: readonly ShownColumn[]): ListColumn[] {
  return areUsual(shown) ? [] : shown.map(({ column, width }) => ({ name: column.name, width }));
}

/** The columns with one moved by some places. */
export function moved(shown: readonly ShownColumn[], name: ColumnName, by: number): ShownColumn[] {
  const from = shown.findIndex(({ column }) => column.name === name);
  const to = from + by;
  const next = [...shown];
  const [column] = next.splice(from, 1);
  if (from < 0 || to < 0 || to >= shown.length || !column) return [...shown];
  next.splice(to, 0, column);
  return next;
}
