/** What the list is filtered by while a date of a range is typed. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";
import { FacetEditor } from "./FacetEditor";

afterEach(cleanup);

function Range() {
  const [filter, setFilter] = useState<InvoiceFilter>({ ...noFilter, issuedFrom: "2026-11-01", issuedTo: "2026-11-30" });
  return (
    <>
      <FacetEditor facet="issued" filter={filter} onFilter={setFilter} currencies={[]} />
      <output>{`${filter.issuedFrom}/${filter.issuedTo}`}</output>
    </>
  );
}

/** A part of the first date. */
const part = (name: string) =>
  document.querySelector<HTMLElement>(`[role=spinbutton][data-type=${name}]`) ?? expect.fail(`there is a ${name}`);
const filtered = () => screen.getByRole("status").textContent;

test("a date without its day does not filter until the day is typed again", () => {
  renderInWorkspace(<Range />);
  fireEvent.keyDown(part("day"), { key: "Delete", code: "Delete" });
  expect(filtered()).toBe("/2026-11-30");
  expect(part("month").textContent, "what was not deleted stays").toBe("11");
  fireEvent(part("day"), new InputEvent("beforeinput", { data: "7", inputType: "insertText", bubbles: true, cancelable: true }));
  expect(filtered()).toBe("2026-11-07/2026-11-30");
});

test("a range that is chosen takes the place of a date that is not finished", () => {
  renderInWorkspace(<Range />);
  fireEvent.keyDown(part("day"), { key: "Delete", code: "Delete" });
  fireEvent.click(screen.getByRole("button", { name: "This year" }));
  expect(filtered()).toMatch(/^\d{4}-01-01\/\d{4}-12-31$/);
  expect([part("day").textContent, part("month").textContent]).toEqual(["01", "01"]);
});
