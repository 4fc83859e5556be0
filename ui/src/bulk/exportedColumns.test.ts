/** Tests of the columns of an exported file. */

import { describe, expect, test } from "vitest";
import { exportedColumns } from "./exportedColumns";

const named = (...list: string[]) => list.map((name) => ({ name, width: null }));

describe("the columns of an export", () => {
  test("are chosen by the service where the list has the usual ones", () => expect(exportedColumns([])).toEqual([]));
  test("are those of the list in its order, with the currency before the first amount", () =>
    expect(exportedColumns(named("gross", "number", "tax"))).toEqual(["currency", "gross", "number", "tax"]));
  test("have what is open, by the name that the service gives it", () =>
    expect(exportedColumns(named("number", "open"))).toEqual(["number", "currency", "open"]));
  test("have no currency without an amount, and no state of the authority", () =>
    expect(exportedColumns(named("number", "submission"))).toEqual(["number"]));
});
