/** Tests of the buttons beside drafts whose outcome is not known, and beside those that may repeat a document. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { organizations } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import { InvoiceFilesContext, type InvoiceFilesState } from "../import/invoiceFilesContext";
import type { DraftSummary } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { draftsQuery } from "../queries/draftQueries";
import { NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { DraftsScreen } from "./DraftsScreen";

const { check } = vi.hoisted(() => ({ check: vi.fn() }));
vi.mock("./useOutcomeCheck", () => ({ useOutcomeCheck: () => ({ check, checking: null, error: null }) }));
vi.mock("../state/withBinding");
vi.mock("./useNewDraft", () => ({ useNewDraft: () => ({ start: async () => true, available: true }) }));
vi.mock("./FilesWithoutDocument", () => ({ FilesWithoutDocument: () => null }));
vi.mock("./UnreadableDrafts", () => ({ UnreadableDrafts: () => null }));
vi.mock("../templates/RecurringNotice", () => ({ RecurringNotice: () => null }));

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const draftOf = (key: string, buyer: string, state: DraftSummary["state"]): DraftSummary => ({
  key,
  kind: "invoice",
  buyer: { en: buyer, ar: "" },
  lines: 1,
  gross: "115.00",
  currency: "SAR",
  updated: "2026-11-25T09:00:00Z",
  state,
  similar: [],
});
afterEach(cleanup);

const navigation = { navigate: vi.fn(), openInvoice: vi.fn() };

/** Shows the screen with these drafts, which are not read again. */
function show(drafts: DraftSummary[]) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  client.setQueryData(draftsQuery(organization.id).queryKey, drafts);
  renderInWorkspace(
    <NavigationContext value={navigation as never}>
      <InvoiceFilesContext value={{ choose: () => undefined } as unknown as InvoiceFilesState}>
        <DraftsScreen />
      </InvoiceFilesContext>
    </NavigationContext>,
    { client },
  );
}

test("the button that checks a draft begins with its text and names the buyer", () => {
  show([draftOf("a", "Noor", "unknownOutcome"), draftOf("b", "", "waitingInDoubt")]);
  const buttons = screen.getAllByRole("button", { name: /^Check now/ });
  expect(buttons.map((button) => button.textContent)).toEqual(["Check now", "Check now"]);
  expect(buttons.map((button) => plainText(button.getAttribute("aria-label") ?? ""))).toEqual([
    "Check now: Noor",
    "Check now: No buyer yet",
  ]);
  fireEvent.click(buttons[1] ?? expect.fail("there are two"));
  expect(check).toHaveBeenCalledExactlyOnceWith("b");
});

const texts = () => plainText(document.body.textContent ?? "");

test("a draft that may repeat a document names it, opens it, and is sent all the same on request", async () => {
  runWithBinding();
  const accept = vi.spyOn(commands, "acceptSimilar").mockResolvedValue({ status: "ok", data: null });
  const similar = [
    { key: "x", number: "INV-7" },
    { key: "y", number: "" },
  ];
  show([{ ...draftOf("a", "Noor", "refused"), similar }]);
  expect(texts()).toContain("there is already a document with this buyer and total: INV-7, Draft.");
  expect(texts(), "it was not sent").not.toContain("save it to see why");
  fireEvent.click(screen.getByRole("button", { name: /^Open .*INV-7/ }));
  expect(navigation.openInvoice).toHaveBeenCalledExactlyOnceWith("x");
  expect(navigation.navigate).toHaveBeenCalledExactlyOnceWith({ name: "invoices" });
  const send = screen.getByRole("button", { name: /^Send anyway/ });
  send.focus();
  fireEvent.click(send);
  await screen.findByRole("heading", { name: "Waiting to be sent" });
  expect(texts(), "it is decided").not.toContain("there is already a document");
  expect(accept).toHaveBeenCalledExactlyOnceWith({ organization: organization.id, generation: 1 }, "a", ["x", "y"]);
  await expect.poll(() => document.activeElement?.textContent).toContain("Noor");
});

test("a draft that the service has refused is opened to see why", () => {
  show([draftOf("a", "Noor", "refused")]);
  expect(screen.queryByText(/save it to see why/)).not.toBeNull();
  expect(screen.queryByRole("button", { name: /^Send anyway/ })).toBeNull();
});
