/** Tests of saving a document as a file: from the command palette in each language, as data once it has a number, and one file at a time. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { applicableCommands, runCommand } from "../components/commands";
import { MenuItem } from "../components/Menu";
import { showWindowError } from "../errors/windowError";
import { errors, view } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { CommandFailure, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { PaperActions } from "./PaperActions";

vi.mock("../editor/details/useSellerCountry", () => ({ useSellerCountry: () => "SA" }));
vi.mock("../errors/windowError");
vi.mock("../state/withBinding");
// The menu looks for its items with it, and jsdom has none.
vi.stubGlobal("CSS", { escape: (text: string) => text });

const [offline = expect.fail("there is a sample of every kind")] = errors.offline;
const saved: [string, string][] = [];

beforeEach(() => {
  saved.length = 0;
  vi.spyOn(commands, "preferences").mockResolvedValue({ status: "ok", data: {} });
  vi.spyOn(commands, "saveDocument").mockImplementation(async (_binding, _key, format, language) => {
    saved.push([format, language]);
    return { status: "ok", data: null };
  });
  runWithBinding();
});
afterEach(cleanup);

function show(number = view.row.number) {
  renderInWorkspace(<PaperActions view={{ ...view, row: { ...view.row, number } }} />);
}

const offered = () => applicableCommands().flatMap(({ id }) => (/^save(Pdf.|Ubl)/.test(id) ? [id] : []));

test("the palette saves the PDF in each language, and the data", async () => {
  show();
  for (const [count, id] of ["savePdfEnglish", "savePdfArabic", "savePdfBoth", "saveUbl"].entries()) {
    await waitFor(() => expect(offered()).toContain(id));
    act(() => runCommand(id));
    await waitFor(() => expect(saved).toHaveLength(count + 1));
  }
  expect(saved).toEqual([
    ["pdf", "english"],
    ["pdf", "arabic"],
    ["pdf", "both"],
    ["ubl", "english"],
  ]);
});

test("a document without a number has no data to save", () => {
  show("");
  expect(offered()).toEqual(["savePdfEnglish", "savePdfArabic", "savePdfBoth"]);
});

test("the commands go with the document", () => {
  show();
  cleanup();
  expect(offered()).toEqual([]);
});

test("the button of the menu keeps the focus while a file is saved, and opens nothing", async () => {
  vi.mocked(commands.saveDocument).mockReturnValue(new Promise(() => undefined));
  show();
  act(() => runCommand("savePdfEnglish"));
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "More" });
  // A button that is disabled loses it.
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  fireEvent.click(button);
  expect(screen.queryByRole("menu")).toBeNull();
});

test("the failure of a file whose document was left meanwhile is said above the screen", async () => {
  const refusals: (() => void)[] = [];
  vi.mocked(withBinding).mockReturnValue(
    new Promise((_, reject) => {
      refusals.push(() => reject(new CommandFailure(offline)));
    }),
  );
  show();
  act(() => runCommand("savePdfEnglish"));
  cleanup();
  await act(async () => refusals.shift()?.());
  expect(showWindowError).toHaveBeenCalledExactlyOnceWith(offline);
});

test("the menu has the actions on the document around those of the paper, with their keys", async () => {
  renderInWorkspace(
    <PaperActions view={view} before={<MenuItem shortcut="duplicate">First</MenuItem>} after={<MenuItem>Last</MenuItem>} />,
  );
  fireEvent.click(screen.getByRole("button", { name: "More" }));
  const items = await screen.findAllByRole("menuitem");
  expect(items.map((item) => item.querySelector(".truncate")?.textContent)).toEqual([
    "First",
    "Save the PDF in English",
    "Save the PDF in Arabic",
    "Save the PDF in both languages",
    "Save the data as UBL",
    "Print",
    "Last",
  ]);
  const keys = ["Ctrl D", "Ctrl S", null, null, null, "Ctrl P", null];
  expect(items.map((item) => item.querySelector("kbd")?.textContent ?? null)).toEqual(keys);
  // What a screen reader says after the name.
  expect(items.map((item) => description(item)?.textContent ?? null)).toEqual(keys);
});

function description(item: HTMLElement) {
  return document.getElementById(item.getAttribute("aria-describedby") ?? "");
}
