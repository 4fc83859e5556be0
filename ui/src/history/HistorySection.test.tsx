/** Tests of a history in pages: the entry before the last that is shown is on the next one, and is read when it is compared. */

import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { content } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { HistoryEntry, HistoryPage } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { readHistory } from "../queries/relationQueries";
import { HistorySection } from "./HistorySection";

vi.mock("../errors/ErrorNotice");
vi.mock("../queries/relationQueries", async (original) => ({ ...(await original()), readHistory: vi.fn() }));
afterEach(cleanup);

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

let show: (documentKey: string) => void;

beforeEach(async () => {
  // jsdom has none.
  Element.prototype.scrollIntoView = () => undefined;
  vi.mocked(readHistory).mockClear();
  vi.mocked(readHistory).mockImplementation(async (_, __, page) => pages[page] ?? expect.fail(`there is no page ${page}`));
  const { rerender } = renderInWorkspace(<HistorySection documentKey="a" />);
  show = (documentKey) => rerender(<HistorySection documentKey={documentKey} />);
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

test("a change does not say that it is being read once that has failed, and is compared after another attempt", async () => {
  vi.mocked(readHistory).mockRejectedValueOnce(new CommandFailure({ kind: "staleBinding" }));
  openEntry(1);
  await screen.findByText("What it was before could not be read.");
  expect(screen.queryByText("Loading…")).toBeNull();
  expect(screen.getByRole("alert").textContent).toContain("staleBinding");
  fireEvent.click(screen.getByRole("button", { name: "Show more" }));
  await screen.findByText(/first/);
  expect(screen.queryByText("What it was before could not be read.")).toBeNull();
});

test("the tax authority is named in the language of the window, and a person by the name", async () => {
  const time = "2026-11-14T07:40:00Z";
  const by = (revision: number, author: string) => ({ ...entry(revision, ""), event: { time, by: author } });
  const read = [by(2, "tax authority"), by(1, "Noura Al-Harbi")];
  vi.mocked(readHistory).mockResolvedValue({ entries: read, nextPage: "" });
  show("b");
  expect(await screen.findByText("The tax authority")).toBeDefined();
  expect(screen.getByText("Noura Al-Harbi")).toBeDefined();
});

test("another document never shows the history of the one before", async () => {
  vi.mocked(readHistory).mockReturnValue(new Promise(() => undefined));
  show("b");
  expect(screen.queryByRole("list", { name: "History" })).toBeNull();
});
