/** Tests of the view that the shell of a window begins with. */
import { beforeEach, expect, test } from "vitest";
import { forgetPlace, notePlace, openFirst, type Place, takeFirstPlace } from "./firstView";

const HOME = "staging noura 1";
const LIST: Place = {
  view: { name: "invoices" },
  openInvoiceKey: null,
  listFilter: null,
  search: "",
  listPosition: { current: null },
};
const DRAFT: Place = { ...LIST, view: { name: "editor", draft: "a" } };

beforeEach(() => {
  forgetPlace();
  openFirst(null);
});

test("a window begins with the list", () => {
  expect(takeFirstPlace(HOME)).toEqual(LIST);
});

test("signing in again continues where the same person was in the same organization", () => {
  notePlace(HOME, DRAFT);
  expect(takeFirstPlace(HOME)).toEqual(DRAFT);
});

test.each(["staging noura 2", "staging salem 1"])("the place of another is not shown to %s", (other) => {
  notePlace(HOME, DRAFT);
  expect(takeFirstPlace(other)).toEqual(LIST);
});

test("a window begins with the list after signing out", () => {
  notePlace(HOME, DRAFT);
  forgetPlace();
  expect(takeFirstPlace(HOME)).toEqual(LIST);
});

test("a view that was asked for is shown once, in place of the last one", () => {
  notePlace(HOME, DRAFT);
  openFirst({ name: "today" });
  expect(takeFirstPlace(HOME)).toEqual({ ...LIST, view: { name: "today" } });
  expect(takeFirstPlace(HOME)).toEqual(DRAFT);
});
