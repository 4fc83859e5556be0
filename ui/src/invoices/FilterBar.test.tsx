/** Where the focus goes when a filter is removed with the button that had it, and when a filter can be added. */

import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";
import { FilterBar } from "./FilterBar";

// jsdom has none, and popovers need it.
vi.stubGlobal("CSS", { escape: (text: string) => text });

const two: InvoiceFilter = { ...noFilter, issuedFrom: "2026-11-01", currency: ["SAR"] };
const all: InvoiceFilter = {
  ...two,
  status: ["draft"],
  payment: ["open"],
  submission: ["pending"],
  kind: ["invoice"],
  dueFrom: "2026-11-01",
  grossFrom: "100",
};

function Bar({ first }: { first: InvoiceFilter }) {
  const [filter, setFilter] = useState(first);
  return (
    <FilterBar
      filter={filter}
      onFilter={setFilter}
      currencies={["SAR"]}
      hasAuthority
      onRefresh={() => undefined}
      refreshing={false}
    />
  );
}

function show(first: InvoiceFilter) {
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <Bar first={first} />
    </LocalizerProvider>,
  );
}

beforeEach(() => show(two));
afterEach(cleanup);

function press(name: RegExp) {
  const button = screen.getAllByRole("button", { name })[0] ?? expect.fail(`there is a button ${name}`);
  button.focus();
  fireEvent.click(button);
}

const chips = () => document.querySelectorAll("[data-chip]");

test("the button that removes a filter hands the focus to a chip that is left, and the last one to the first button", async () => {
  press(/^Remove the filter/);
  await waitFor(() => expect(document.activeElement).toBe(chips()[0]));
  press(/^Remove the filter/);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Filter" })));
  expect(chips()).toHaveLength(0);
});

test("the button that clears the filters hands the focus to the first button of the bar", async () => {
  press(/^Clear filters/);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Filter" })));
});

test("the form of a filter stays while its last value is taken away, and the filter goes when it is closed", async () => {
  const currency = [...chips()].find(({ textContent }) => textContent?.includes("SAR")) ?? expect.fail("a chip has the currency");
  fireEvent.click(currency);
  const value = await screen.findByRole<HTMLInputElement>("checkbox", { name: "SAR" });
  fireEvent.click(value);
  expect([value.checked, value.isConnected, chips().length]).toEqual([false, true, 2]);
  fireEvent.keyDown(value, { key: "Escape", code: "Escape" });
  await waitFor(() => expect(chips()).toHaveLength(1));
});

test("the key that adds a filter does nothing while there is none to add, also not when one is removed later", async () => {
  cleanup();
  show(all);
  fireEvent.keyDown(document.body, { key: "f", code: "KeyF", ctrlKey: true });
  press(/^Remove the filter/);
  await waitFor(() => expect(chips()).toHaveLength(7));
  expect(screen.queryByRole("menu")).toBeNull();
});
