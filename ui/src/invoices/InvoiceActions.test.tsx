/** Tests of what is offered on an invoice: what its state allows and the service permits. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { organizations, view } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { InvoiceView, Permissions } from "../ipc/bindings";
import { NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { InvoiceActions } from "./InvoiceActions";

vi.mock("../paper/PaperActions", () => ({ PaperActions: () => null }));
vi.mock("../templates/SaveTemplate", () => ({ SaveTemplate: () => null }));
afterEach(cleanup);

function offered(status: InvoiceView["row"]["status"], permissions: Partial<Permissions> | undefined): string[] {
  const [organization] = organizations;
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  if (permissions) client.setQueryData([organization?.id, "permissions"], permissions);
  const shown = { ...view, row: { ...view.row, status } };
  render(
    <QueryClientProvider client={client}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization, retries: [], session: { impersonation: null } } as unknown as Workspace}>
          <NavigationContext value={{ openInvoice: vi.fn() } as never}>
            <InvoiceActions view={shown} onClose={() => undefined} />
          </NavigationContext>
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  return screen.queryAllByRole("button").map((button) => button.firstChild?.textContent ?? "");
}

const CLERK = { createDocuments: true, updateDocuments: true, issueDocuments: true };

test("everything that the state allows is offered while permissions are not known", () => {
  expect(offered("draft", undefined)).toEqual(["Issue", "Edit", "Duplicate", "Delete"]);
});

test("a clerk deletes no draft and freezes nothing", () => {
  expect(offered("draft", CLERK)).toEqual(["Issue", "Edit", "Duplicate"]);
  cleanup();
  expect(offered("issued", CLERK)).toEqual(["Credit note", "Duplicate"]);
  cleanup();
  expect(offered("issued", { ...CLERK, freezeDocuments: true })).toEqual(["Freeze", "Credit note", "Duplicate"]);
});

test("somebody who only reads is offered no change", () => {
  expect(offered("issued", {})).toEqual([]);
});
