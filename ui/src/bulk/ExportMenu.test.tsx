/** An export that cannot begin is said beside its menu, or above the screen if the list was left meanwhile. Files of documents are asked about. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { showWindowError } from "../errors/windowError";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { emptySelection } from "../invoices/selection";
import { CommandFailure } from "../ipc/call";
import { noFilter } from "../queries/invoicePages";
import { withBinding } from "../state/withBinding";
import { ExportMenu } from "./ExportMenu";

vi.mock("../errors/ErrorNotice");
vi.mock("../errors/windowError");
vi.mock("../state/withBinding");
vi.mock("../listSettings/useListSettings", () => ({ useListSettings: () => ({ settings: { columns: [] } }) }));
vi.mock("../components/Menu", () => ({
  MenuPopover: ({ children }: { children: ReactNode }) => children,
  MenuSection: ({ children }: { children: ReactNode }) => children,
  MenuItem: ({ children, onAction }: { children: ReactNode; onAction: () => void }) => (
    <button type="button" onClick={onAction}>
      {children}
    </button>
  ),
}));
afterEach(cleanup);

const [offline = expect.fail("there is a sample of every kind")] = errors.offline;

const onSave = vi.fn();
const menu = <ExportMenu selection={emptySelection} filter={noFilter} total={3} onSave={onSave} />;

/** Begins an export. Returns what refuses it. */
function begin() {
  vi.mocked(showWindowError).mockClear();
  const refusals: (() => void)[] = [];
  vi.mocked(withBinding).mockReturnValue(
    new Promise((_, reject) => {
      refusals.push(() => reject(new CommandFailure(offline)));
    }),
  );
  renderInWorkspace(menu);
  fireEvent.click(screen.getByRole("button", { name: /^CSV/ }));
  return () => act(async () => refusals.shift()?.());
}

test("an export that cannot begin is said beside its menu", async () => {
  const refuse = begin();
  await refuse();
  expect((await screen.findByRole("alert")).textContent).toContain("offline");
  expect(showWindowError).not.toHaveBeenCalled();
});

test("an export that cannot begin after the list was left is said above the screen", async () => {
  const refuse = begin();
  cleanup();
  await refuse();
  expect(showWindowError).toHaveBeenCalledExactlyOnceWith(offline);
});

test("saving the documents themselves is asked about, as PDF and as UBL", () => {
  renderInWorkspace(menu);
  for (const name of ["Save as PDF…", "Save as UBL…"]) fireEvent.click(screen.getByRole("button", { name }));
  expect(onSave.mock.calls).toEqual([["savePdf"], ["saveUbl"]]);
});
