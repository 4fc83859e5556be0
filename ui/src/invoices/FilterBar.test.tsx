/** Where the focus goes when a filter is removed with the button that had it. */

import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { noFilter } from "../queries/invoicePages";
import { FilterBar } from "./FilterBar";

function Bar() {
  const [filter, setFilter] = useState({ ...noFilter, issuedFrom: "2026-11-01", currency: ["SAR"] });
  return (
    <FilterBar
      filter={filter}
      onFilter={(next) => setFilter(next as typeof filter)}
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
