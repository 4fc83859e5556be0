/** Tests of scroll positions in lists within and beyond the height limit of a browser. */
import { describe, expect, test } from "vitest";
import { CAP_PX, offsetAfterScroll, offsetToReveal, physicalHeight, rowsInView, scrollTopFor, shiftOf } from "./scrollScaling";

const million = { contentHeight: 1_000_000 * 32, viewport: 640 };
const small = { contentHeight: 1_000 * 32, viewport: 640 };
const end = million.contentHeight - million.viewport;
const scrollEnd = CAP_PX - million.viewport;

describe("a list below the height limit", () => {
  test("is not scaled", () => {
    expect(physicalHeight(small)).toBe(32_000);
    expect(offsetAfterScroll({ offset: 0, scrollTop: 0 }, 12_345, small)).toBe(12_345);
    expect(scrollTopFor(12_345, small)).toBe(12_345);
  });
});

describe("a million rows", () => {
  test("stay below the height limit at a device pixel ratio of four", () => {
    expect(physicalHeight(million) * 4).toBeLessThan(33_554_428);
  });
  test("move by the same number of pixels as the wheel", () => {
    expect(offsetAfterScroll({ offset: 1_000_000, scrollTop: 250_000 }, 250_100, million)).toBe(1_000_100);
  });
  test("move proportionally when the thumb is dragged", () => {
    const half = offsetAfterScroll({ offset: 0, scrollTop: 0 }, scrollEnd / 2, million);
    expect(Math.abs(half - end / 2)).toBeLessThan(2);
  });
  test("map the ends of the scroll bar to the ends of the list", () => {
    expect(offsetAfterScroll({ offset: 500, scrollTop: 100 }, 0, million)).toBe(0);
    expect(offsetAfterScroll({ offset: 500, scrollTop: scrollEnd - 10 }, scrollEnd, million)).toBe(end);
    expect(scrollTopFor(end, million)).toBe(scrollEnd);
  });
  test("that become fewer are shown at their end, and move from there", () => {
    const fewer = { contentHeight: 300_000 * 32, viewport: 640 };
    const endOfFewer = fewer.contentHeight - fewer.viewport;
    const position = { offset: end, scrollTop: scrollEnd };
    expect(shiftOf(position, fewer)).toBe(scrollEnd - endOfFewer);
    expect(offsetAfterScroll(position, scrollEnd - 100, fewer)).toBe(endOfFewer - 100);
    expect(shiftOf(position, small), "not scaled any more").toBe(0);
  });
  test("round trips between offset and scroll position are exact to one row", () => {
    for (const offset of [0, 32, 4_567_890, 31_000_000, end]) {
      const scroll = scrollTopFor(offset, million);
      const back = offsetAfterScroll({ offset: -1e9, scrollTop: -1e9 }, scroll, million);
      expect(Math.abs(back - offset), `offset ${offset}`).toBeLessThanOrEqual(32);
    }
  });
});

describe("rowsInView", () => {
  const rowsAt = (offset: number) => Object.values(rowsInView(offset, small, 32));
  test("are those that an offset shows whole or in part", () => {
    expect(rowsAt(0)).toEqual([0, 19]);
    expect(rowsAt(31)).toEqual([0, 20]);
    expect(rowsAt(32)).toEqual([1, 20]);
    expect(rowsAt(12.5)).toEqual([0, 20]);
  });
  test("are those at an end of the list beyond it", () => {
    expect(rowsAt(-40)).toEqual([0, 19]);
    expect(rowsAt(31_360)).toEqual([980, 999]);
    expect(rowsAt(1e9)).toEqual([980, 999]);
  });
  test("are all of a list that is lower than the view, and the first one of a list without rows or height", () => {
    expect(rowsInView(0, { contentHeight: 64, viewport: 640 }, 32)).toEqual({ first: 0, last: 1 });
    expect(rowsInView(0, { contentHeight: 0, viewport: 640 }, 32)).toEqual({ first: 0, last: 0 });
    expect(rowsInView(0, { contentHeight: 64, viewport: 0 }, 32)).toEqual({ first: 0, last: 0 });
  });
});

describe("offsetToReveal", () => {
  test("moves by the smallest distance", () => {
    expect(offsetToReveal(0, 32, 0, 640)).toBe(0);
    expect(offsetToReveal(19, 32, 0, 640)).toBe(0);
    expect(offsetToReveal(20, 32, 0, 640)).toBe(32);
    expect(offsetToReveal(3, 32, 320, 640)).toBe(96);
  });
});
