/** What removes a line, where the focus goes then, what says why a list of a line is invalid, which columns stay, and what is pasted. */

import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useReducer } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { content as fixture } from "../gallery/fixtures";
import { workspaceWrapper } from "../gallery/renderInWorkspace";
import type { Draft } from "../ipc/bindings";
import { draftReducer, initialEditorState } from "./draftReducer";
import type { FieldError } from "./fields";
import { newLine } from "./invoiceLines";
import { LineGrid } from "./LineGrid";

vi.mock("../components/announce");
vi.mock("../components/Modal");
vi.mock("./DescriptionCell", () => ({ DescriptionCell: () => null }));
vi.mock("./details/LineMenu", () => ({ LineMenu: () => null }));
vi.mock("./useItemChoice", () => {
  const choice = { choose: () => undefined, expect: () => undefined };
  return { useItemChoice: () => choice };
});
// jsdom has none, and lists use it.
vi.stubGlobal("CSS", { escape: (text: string) => text });

const nothing = () => undefined;

beforeEach(() => vi.mocked(announce).mockClear());
afterEach(cleanup);

interface GridProps {
  quantities: readonly string[];
  errors: readonly FieldError[];
  /** Of the lines after the first one. */
  category?: string;
  exemptionCode?: string;
  /** Whether the document is being sent: the form changes nothing then. */
  isSent?: boolean;
}

function Grid({ quantities, errors, category = "Z", exemptionCode = "", isSent = false }: GridProps) {
  const lines = quantities.map((quantity, index) => ({
    ...newLine(undefined, "15"),
    quantity,
    ...(index === 0 ? { taxCategory: "Z" } : { taxCategory: category, exemptionCode }),
  }));
  const draft = { key: "a", changes: null, content: { ...fixture, lines } } as unknown as Draft;
  const [state, dispatch] = useReducer(draftReducer, { draft, standardRate: "15" }, initialEditorState);
  return (
    <LineGrid
      state={state}
      dispatch={isSent ? nothing : dispatch}
      trackFill={nothing}
      calculation={null}
      fieldErrors={errors}
      isDisabled={false}
      isReadOnly={isSent}
      country="SA"
      onExplain={nothing}
    />
  );
}

function open(quantities: readonly string[], errors: readonly FieldError[] = [], category?: string, exemptionCode?: string) {
  return render(<Grid quantities={quantities} errors={errors} category={category} exemptionCode={exemptionCode} />, {
    wrapper: workspaceWrapper(),
  });
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector) ?? expect.fail(`there is ${selector}`);
const inCell = (row: number, column: string, within = "") => find(`[data-row="${row}"] [data-cell="${column}"]${within}`);
const quantities = () => [...document.querySelectorAll<HTMLInputElement>("[data-cell=quantity]")].map(({ value }) => value);
const removeButton = (line: number) => screen.getByRole("button", { name: new RegExp(`^Remove line .?${line}`) });
const focusIsOn = (element: () => HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element()));

function press(element: HTMLElement, key: string) {
  element.focus();
  fireEvent.keyDown(element, { key, code: key, ctrlKey: true });
}

test("Ctrl+Backspace in a text deletes a word of it, and not the line", () => {
  open(["12", "3"]);
  press(inCell(0, "quantity"), "Backspace");
  expect(quantities()).toEqual(["12", "3"]);
});

test.each([
  ["an empty field", "Backspace", () => inCell(0, "quantity")],
  ["a list", "Backspace", () => inCell(0, "unit", " button")],
])("Ctrl and Backspace in %s removes the line, as Ctrl+Delete does", (_, key, target) => {
  open(["", "3"]);
  press(target(), key);
  expect(quantities()).toEqual(["3"]);
});

test("Ctrl+Delete removes the line also from a text", () => {
  open(["12", "3"]);
  press(inCell(0, "quantity"), "Delete");
  expect(quantities()).toEqual(["3"]);
});

test("each line that is removed is announced, and none that stays because the document is sent", () => {
  const { rerender } = open(["1", "2", "3"]);
  rerender(<Grid quantities={["1", "2", "3"]} errors={[]} isSent />);
  press(inCell(0, "quantity"), "Delete");
  expect(announce).not.toHaveBeenCalled();
  rerender(<Grid quantities={["1", "2", "3"]} errors={[]} />);
  press(inCell(0, "quantity"), "Delete");
  press(inCell(0, "quantity"), "Delete");
  expect(vi.mocked(announce).mock.calls).toEqual([["Line removed."], ["Line removed."]]);
});

test.each(["unit", "taxCategory", "exemptionCode"])("the keys that move lines keep the focus in the list %s", async (column) => {
  open(["1", "2", "3"]);
  press(inCell(2, column, " button"), "Delete");
  await focusIsOn(() => inCell(1, column, " button"));
});

test("the button that removes a line hands the focus to that of the neighbouring line, and the last one to Add line", async () => {
  open(["1", "2", "3"]);
  for (const [removed, next] of [
    [1, 1],
    [2, 1],
  ] as const) {
    removeButton(removed).focus();
    fireEvent.click(removeButton(removed));
    await focusIsOn(() => removeButton(next));
  }
  fireEvent.click(removeButton(1));
  await focusIsOn(() => screen.getByRole("button", { name: "Add a line" }));
});

test.each([
  ["a rate that the next line cannot have", "taxRate", "", "O"],
  ["a list that the next line does not have", "exemptionCode", " button", "S"],
])("the key that removes a line in %s leads to the first field of that line", async (_, column, within, category) => {
  open(["1", "2"], [], category);
  press(inCell(0, column, within), "Delete");
  await focusIsOn(() => inCell(0, "quantity"));
  expect(quantities()).toEqual(["2"]);
});

test("without a line left the key that removed it leads to Add line, too", async () => {
  open(["1"]);
  press(inCell(0, "quantity"), "Delete");
  await focusIsOn(() => screen.getByRole("button", { name: "Add a line" }));
});

test.each(["unit", "taxCategory", "exemptionCode"])("the list %s is described by the words about its mistake", (column) => {
  open(["1"], [{ field: `lines[0].${column}`, message: "is not known" } as FieldError]);
  const ids = inCell(0, column, " button").getAttribute("aria-describedby")?.split(" ") ?? [];
  expect(ids.map((id) => document.getElementById(id)?.textContent).join()).toContain("is not known");
  expect(document.querySelectorAll("[data-cell] button[aria-describedby]")).toHaveLength(1);
});

test("the button that brings a line back hands the focus to Add line", async () => {
  open(["1", "2"]);
  fireEvent.click(removeButton(1));
  const undo = screen.getByRole("button", { name: /^Undo/ });
  undo.focus();
  fireEvent.click(undo);
  await focusIsOn(() => screen.getByRole("button", { name: "Add a line" }));
  expect(quantities()).toEqual(["1", "2"]);
});

test("the column of the second language stays when the mistake in it is corrected", () => {
  const wrong = { field: "lines[0].description.ar", name: "Description", message: "is too long" };
  const { rerender } = open(["1"], [wrong]);
  expect(screen.getByRole("columnheader", { name: /Arabic/ })).toBeTruthy();
  rerender(<Grid quantities={["1"]} errors={[]} />);
  expect(screen.getByRole("columnheader", { name: /Arabic/ })).toBeTruthy();
});

test("a reason without tax that a file has given to the standard rate can be taken away", () => {
  open(["1", "2"], [], "S");
  expect(document.querySelectorAll("[data-cell=exemptionCode]")).toHaveLength(1);
  cleanup();
  open(["1", "2"], [], "S", "VATEX-EU-132");
  expect(inCell(1, "exemptionCode")).toBeTruthy();
});

const sent = (isSent: boolean) => <Grid quantities={["5"]} errors={[]} isSent={isSent} />;
const insertButton = () => screen.queryByRole("button", { name: /^Insert/ });

function pasteTwoLines() {
  const text = "Gloves\t2\t45.00\nMasks\t3\t5.00";
  fireEvent.paste(inCell(0, "quantity"), { clipboardData: { getData: () => text } });
}

function insertPasted() {
  fireEvent.click(insertButton() ?? expect.fail("the preview is open"));
}

test("no lines are pasted while the document is sent, and none are said to be", () => {
  const { rerender } = open(["5"]);
  rerender(sent(true));
  pasteTwoLines();
  expect(insertButton(), "no preview opens").toBeNull();
  rerender(sent(false));
  pasteTwoLines();
  rerender(sent(true));
  insertPasted();
  expect(announce).not.toHaveBeenCalled();
  rerender(sent(false));
  insertPasted();
  expect(quantities()).toEqual(["5", "2", "3"]);
  expect(announce).toHaveBeenCalledOnce();
});
