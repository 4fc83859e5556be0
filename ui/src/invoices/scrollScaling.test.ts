import { describe, expect, test } from "vitest";
import { CAP_PX, follow, offsetToReveal, physicalHeight, scrollTopFor } from "./scrollScaling";

const million = { whole: 1_000_000 * 32, viewport: 640 };
const small = { whole: 1_000 * 32, viewport: 640 };
const end = million.whole - million.viewport;
const scrollEnd = CAP_PX - million.viewport;

describe("a list that fits an element", () => {
  test("is not scaled at all", () => {
    expect(physicalHeight(small)).toBe(32_000);
    expect(follow({ place: 0, scroll: 0 }, 12_345, small)).toBe(12_345);
    expect(scrollTopFor(12_345, small)).toBe(12_345);
  });
});

describe("a million rows", () => {
  test("never make an element higher than engines allow, at four device pixels for one", () => {
    expect(physicalHeight(million) * 4).toBeLessThan(33_554_428);
  });
  test("move by as many pixels as the wheel does", () => {
    expect(follow({ place: 1_000_000, scroll: 250_000 }, 250_100, million)).toBe(1_000_100);
  });
  test("follow the thumb in proportion", () => {
    const half = follow({ place: 0, scroll: 0 }, scrollEnd / 2, million);
    expect(Math.abs(half - end / 2)).toBeLessThan(2);
  });
  test("begin and end where the scroll bar does", () => {
    expect(follow({ place: 500, scroll: 100 }, 0, million)).toBe(0);
    expect(follow({ place: 500, scroll: scrollEnd - 10 }, scrollEnd, million)).toBe(end);
    expect(scrollTopFor(end, million)).toBe(scrollEnd);
  });
  test("keep a place through the scroll bar and back to within a row", () => {
    for (const place of [0, 32, 4_567_890, 31_000_000, end]) {
      const scroll = scrollTopFor(place, million);
      const back = follow({ place: -1e9, scroll: -1e9 }, scroll, million);
      expect(Math.abs(back - place), `place ${place}`).toBeLessThanOrEqual(32);
    }
  });
});

describe("showing a row", () => {
  test("moves no more than it must", () => {
    expect(offsetToReveal(0, 32, 0, 640)).toBe(0);
    expect(offsetToReveal(19, 32, 0, 640)).toBe(0);
    expect(offsetToReveal(20, 32, 0, 640)).toBe(32);
    expect(offsetToReveal(3, 32, 320, 640)).toBe(96);
  });
});
