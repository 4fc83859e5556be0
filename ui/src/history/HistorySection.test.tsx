/** Tests of a history in pages: the entry before the last that is shown is on the next one, and is read when it is compared. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { content, organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { HistoryEntry, HistoryPage } from "../ipc/bindings";
import { readHistory } from "../queries/relationQueries";
import { createQueryClient } from "../state/queryClient";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { HistorySection } from "./HistorySection";

vi.mock("../queries/relationQueries", async (original) => ({ ...(await original()), readHistory: vi.fn() }));
afterEach(cleanup);

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const entry = (revision: number, note: string): HistoryEntry => ({
  revision,
  action: revision === 1 ? "created" : "updated",
  event: null,
  content: { ...content, note },
  number: "",
});
const pages: Record<string, HistoryPage> = {
  "": { entries: [entry(3, "third"), entry(2, "second")], nextPage: "earlier" },
  earlier: { entries: [entry(1, "first")], nextPage: "" },
};

const client = createQueryClient();
const history = (documentKey: string) => (
  <QueryClientProvider client={client}>
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <WorkspaceContext value={{ organization } as Workspace}>
        <HistorySection documentKey={documentKey} />
      </WorkspaceContext>
    </LocalizerProvider>
  </QueryClientProvider>
);
let show: (documentKey: string) => void;

beforeEach(async () => {
  // jsdom has none.
  Element.prototype.scrollIntoView = () => undefined;
  client.clear();
  vi.mocked(readHistory).mockClear();
  vi.mocked(readHistory).mockImplementation(async (_, __, page) => pages[page] ?? expect.fail(`there is no page ${page}`));
  const { rerender } = render(history("a"));
  show = (documentKey) => rerender(history(documentKey));
  fireEvent.click(screen.getByRole("button", { name: "History" }));
  await screen.findByRole("list", { name: "History" });
});

const entries = () => within(screen.getByRole("list", { name: "History" })).getAllByRole("listitem");
const openEntry = (index: number) => fireEvent.click(within(entries()[index] ?? expect.fail()).getByRole("button"));

test("a change is compared with the one before it on the same page", async () => {
  openEntry(0);
  await screen.findByText(/second/);
  expect(readHistory).toHaveBeenCalledTimes(1);
});

test("the last change of a page reads the next page to be compared", async () => {
  openEntry(1);
  await screen.findByText(/first/);
  expect(entries()).toHaveLength(3);
  expect(readHistory).toHaveBeenCalledTimes(2);
});

test("another document never shows the history of the one before", async () => {
  vi.mocked(readHistory).mockReturnValue(new Promise(() => undefined));
  show("b");
  expect(screen.queryByRole("list", { name: "History" })).toBeNull();
});
