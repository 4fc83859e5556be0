/** Tests of the sizes of the zoom. */
import { expect, test } from "vitest";
import { zoomAfter } from "./zoom";

test("zoom steps from 80 to 200 % and stops there", () => {
  expect([zoomAfter(100, 1), zoomAfter(100, -1), zoomAfter(80, -1), zoomAfter(200, 1), zoomAfter(105, 1)]).toEqual([
    110, 90, 80, 200, 110,
  ]);
});
