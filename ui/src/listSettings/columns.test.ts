/** Tests of the columns of the invoice list: order, widths, and which fit. */
import { describe, expect, test } from "vitest";
import { areUsual, fitting, moved, shownColumns, toSettings, tracks, withAuthority, withWidth } from "./columns";

const names = (shown: ReturnType<typeof shownColumns>) => shown.map(({ column }) => column.name);
const all = ["number", "buyer", "kind", "issueDate", "dueDate", "net", "tax", "gross", "status"].map((name) => ({
  name,
  width: null,
}));

describe("the columns of the list", () => {
  test("are the usual ones without settings, and unknown ones are left out", () => {
    expect(areUsual(shownColumns([]))).toBe(true);
    expect(areUsual(shownColumns([{ name: "of a later version", width: null }]))).toBe(true);
    expect(toSettings(shownColumns([]))).toEqual([]);
  });
  test("keep buyer and gross in a narrow list, and never cut an amount", () => {
    const shown = shownColumns(all);
    expect(names(fitting(shown, 2000))).toEqual(all.map(({ name }) => name));
    expect(names(fitting(shown, 700))).toEqual(["number", "buyer", "gross", "status"]);
    expect(names(fitting(shown, 320))).toEqual(["buyer", "gross"]);
  });
  test("have widths within bounds", () => {
    const wide = shownColumns(withWidth(shownColumns([]), "number", 10_000));
    expect(wide[0]?.width).toBe(600);
    expect(shownColumns(withWidth(wide, "number", 1))[0]?.width).toBe(80);
    expect(
      tracks(
        shownColumns([
          { name: "number", width: 90 },
          { name: "buyer", width: null },
        ]),
      ),
    ).toBe("24px 90px minmax(110px, 1fr)");
  });
  test("have the states of the tax authority only where there is one", () => {
    const shown = shownColumns([...all, { name: "submission", width: null }]);
    expect(names(withAuthority(shown, true))).toEqual([...all.map(({ name }) => name), "submission"]);
    expect(names(withAuthority(shown, false))).toEqual(all.map(({ name }) => name));
    const alone = shownColumns([{ name: "submission", width: null }]);
    expect(areUsual(withAuthority(alone, false)), "a list without columns shows nothing").toBe(true);
    expect(areUsual(withAuthority(shownColumns([]), true)), "it is not one of the usual ones").toBe(true);
  });
  test("have what is open for who chooses it, and a narrow list leaves it out", () => {
    const shown = shownColumns([...all, { name: "open", width: 130 }]);
    expect(names(shown)).toEqual([...all.map(({ name }) => name), "open"]);
    expect(toSettings(shown).at(-1)).toEqual({ name: "open", width: 130 });
    expect(names(shownColumns([])), "it is not one of the usual ones").not.toContain("open");
    expect(names(fitting(shown, 320))).toEqual(["buyer", "gross"]);
  });
  test("can be moved, and stay where they are at the ends", () => {
    const shown = shownColumns([]);
    expect(names(moved(shown, "gross", -1))).toEqual(["number", "buyer", "issueDate", "gross", "dueDate", "status"]);
    expect(names(moved(shown, "number", -1))).toEqual(names(shown));
  });
});
