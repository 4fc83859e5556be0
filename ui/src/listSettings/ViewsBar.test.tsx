/** Tests of the row of views: when something can be saved, and what a view does with the search. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { ListSettings } from "../ipc/bindings";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";
import { type Navigation, NavigationContext } from "../state/navigation";
import { type Workspace, WorkspaceContext } from "../state/workspace";
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
      <output>{search}</output>
    </NavigationContext>
  );
}

function show(typed = "") {
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <WorkspaceContext value={{ organization: organizations[0], retries: [] } as unknown as Workspace}>
        <Screen typed={typed} />
      </WorkspaceContext>
    </LocalizerProvider>,
  );
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
  expect(list.change).toHaveBeenCalledExactlyOnceWith({ columns: [] });
});

test("a view whose columns are shown saves nothing when it is opened", () => {
  show();
  open("Noor");
  expect(list.change).not.toHaveBeenCalled();
});
