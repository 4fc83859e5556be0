/** Where the columns of a chart are, in units of its view box. */

/** The height of the longest column, above or below the base line. */
const FULL = 1000;
const SLOT = 100;
const WIDTH = 64;

export interface Column {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Geometry {
  columns: readonly Column[];
  /** The height of zero. */
  base: number;
  width: number;
  height: number;
}

/** Columns of lengths in thousandths, negative ones below the base line. From right to left, the first one is on the right. */
export function columnGeometry(lengths: readonly number[], direction: "ltr" | "rtl"): Geometry {
  const above =
    lengths.some((length) => length > 0) || !lengths.some((length) => length < 0) ? Math.max(0, ...lengths) || FULL : 0;
  const below = Math.max(0, ...lengths.map((length) => -length));
  const columns = lengths.map((length, index) => {
    const slot = direction === "rtl" ? lengths.length - 1 - index : index;
    const height = Math.abs(length);
    return { x: slot * SLOT + (SLOT - WIDTH) / 2, y: length < 0 ? above : above - height, width: WIDTH, height };
  });
  return { columns, base: above, width: lengths.length * SLOT, height: above + below };
}

/** The column that an arrow key moves to: arrows are visual, also from right to left. `null`: the key moves nowhere. */
export function nextColumn(key: string, at: number, count: number, direction: "ltr" | "rtl"): number | null {
  const forward = direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = direction === "rtl" ? "ArrowRight" : "ArrowLeft";
  if (key === forward || key === "ArrowDown") return Math.min(count - 1, at + 1);
  if (key === back || key === "ArrowUp") return Math.max(0, at - 1);
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return null;
}
