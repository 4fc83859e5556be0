/** Tests of the row of views: when something can be saved, and what a view does with the search. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { ListSettings } from "../ipc/bindings";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";
import { type Navigation, NavigationContext } from "../state/navigation";
import { ViewsBar } from "./ViewsBar";

const list = vi.hoisted(() => ({ settings: { views: [], columns: [] } as ListSettings, change: vi.fn(), error: null }));
vi.mock("./useListSettings", () => ({ useListSettings: () => list }));
// jsdom lays nothing out.
vi.mock("../components/useScrollableEnd", () => ({ useScrollableEnd: () => ({ current: null }) }));

const noor = { id: "noor", name: "Noor", filter: JSON.stringify({ ...noFilter, search: "Noor" }), columns: [] };

beforeEach(() => {
  list.settings = { views: [noor], columns: [] };
  list.change.mockClear();
});
afterEach(cleanup);

function Screen({ typed }: { typed: string }) {
  const [search, setSearch] = useState(typed);
  const [filter, setFilter] = useState<InvoiceFilter>(noFilter);
  return (
    <NavigationContext value={{ search, setSearch } as unknown as Navigation}>
      <ViewsBar filter={filter} hasAuthority={false} onFilter={setFilter} />
      <button type="button" onClick={() => setFilter({ ...filter, status: ["issued"] })}>
        Issued only
      </button>
      <output>{search}</output>
    </NavigationContext>
  );
}

function show(typed = "") {
  renderInWorkspace(<Screen typed={typed} />);
}

const canSave = () => screen.queryByRole("button", { name: "Save this view" }) !== null;
const search = () => screen.getByRole("status").textContent;
const open = (name: string) => fireEvent.click(screen.getByRole("radio", { name }));

test("a built-in view as it is offers nothing to save", () => {
  show();
  expect(canSave()).toBe(false);
});

test("a search can be saved as a view", () => {
  show("Nakheel");
  expect(canSave()).toBe(true);
});

test("the columns of a built-in view can be saved", () => {
  list.settings = { views: [], columns: [{ name: "gross", width: null }] };
  show();
  expect(canSave()).toBe(true);
});

test("a view brings its search, and the next view takes it away", () => {
  show();
  open("Noor");
  expect(search()).toBe("Noor");
  expect(canSave()).toBe(false);
  open("Drafts");
  expect(search()).toBe("");
});

test("a view that was changed takes its search away, too", () => {
  show();
  open("Noor");
  fireEvent.click(screen.getByRole("button", { name: "Issued only" }));
  expect(search()).toBe("Noor");
  open("Drafts");
  expect(search()).toBe("");
});

test("a search that was typed stays in the next view", () => {
  show("Nakheel");
  open("Drafts");
  expect(search()).toBe("Nakheel");
});

test("a view that was saved with the usual columns brings them back, and a built-in one keeps what is shown", () => {
  list.settings = { views: [noor], columns: [{ name: "gross", width: null }] };
  show();
  open("Drafts");
  expect(list.change).not.toHaveBeenCalled();
  open("Noor");
  expect(list.change).toHaveBeenCalledOnce();
  expect(list.change.mock.lastCall?.[0](list.settings)).toEqual({ columns: [] });
});

test("a view whose columns are shown saves nothing when it is opened", () => {
  show();
  open("Noor");
  expect(list.change).not.toHaveBeenCalled();
});
