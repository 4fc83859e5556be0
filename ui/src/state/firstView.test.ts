/** Tests of the view that the shell of a window begins with. */
import { expect, test } from "vitest";
import { openFirst, takeFirstView } from "./firstView";

test("a window begins with the list", () => {
  expect(takeFirstView()).toEqual({ name: "invoices" });
});

test("a view that was asked for is shown once", () => {
  openFirst({ name: "today" });
  expect(takeFirstView()).toEqual({ name: "today" });
  expect(takeFirstView()).toEqual({ name: "invoices" });
});
