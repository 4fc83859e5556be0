/** Where the focus goes when a filter is removed with the button that had it. */

import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";
import { FilterBar } from "./FilterBar";

// jsdom has none, and popovers need it.
vi.stubGlobal("CSS", { escape: (text: string) => text });

function Bar() {
  const [filter, setFilter] = useState<InvoiceFilter>({ ...noFilter, issuedFrom: "2026-11-01", currency: ["SAR"] });
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

beforeEach(() => {
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <Bar />
    </LocalizerProvider>,
  );
});
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
