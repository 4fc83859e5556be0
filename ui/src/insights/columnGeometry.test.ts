/** Tests of the places of a chart's columns, in both directions of writing. */
import { expect, test } from "vitest";
import { columnGeometry, nextColumn } from "./columnGeometry";

test("negative columns hang below the base line", () => {
  const { columns, base, height } = columnGeometry([1000, -250], "ltr");
  expect([base, height]).toEqual([1000, 1250]);
  expect(columns.map(({ y, height: length }) => [y, length])).toEqual([
    [0, 1000],
    [1000, 250],
  ]);
});

test("from right to left the first column is on the right, and the left arrow goes on", () => {
  const [first, last] = columnGeometry([1, 2], "rtl").columns;
  expect(first!.x).toBeGreaterThan(last!.x);
  expect(nextColumn("ArrowLeft", 0, 2, "rtl")).toBe(1);
  expect(nextColumn("ArrowLeft", 1, 2, "ltr")).toBe(0);
  expect(nextColumn("End", 0, 5, "rtl")).toBe(4);
  expect(nextColumn("a", 0, 5, "rtl")).toBeNull();
});

test("a chart of zeros has a base line at its foot", () => {
  expect(columnGeometry([0, 0], "ltr")).toMatchObject({ base: 1000, height: 1000 });
});
