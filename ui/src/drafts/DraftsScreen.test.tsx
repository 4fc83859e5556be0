/** Tests of the buttons beside drafts whose outcome is not known. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { organizations } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import { InvoiceFilesContext, type InvoiceFilesState } from "../import/invoiceFilesContext";
import type { DraftSummary } from "../ipc/bindings";
import { draftsQuery } from "../queries/draftQueries";
import { createQueryClient } from "../state/queryClient";
import { DraftsScreen } from "./DraftsScreen";

const { check } = vi.hoisted(() => ({ check: vi.fn() }));
vi.mock("./useOutcomeCheck", () => ({ useOutcomeCheck: () => ({ check, checking: null, error: null }) }));
vi.mock("./useNewDraft", () => ({ useNewDraft: () => ({ start: async () => true, available: true }) }));
vi.mock("./FilesWithoutDocument", () => ({ FilesWithoutDocument: () => null }));
vi.mock("./UnreadableDrafts", () => ({ UnreadableDrafts: () => null }));
vi.mock("../templates/RecurringNotice", () => ({ RecurringNotice: () => null }));

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const draftOf = (key: string, buyer: string): DraftSummary => ({
  key,
  kind: "invoice",
  buyer: { en: buyer, ar: "" },
  lines: 1,
  gross: "115.00",
  currency: "SAR",
  updated: "2026-11-25T09:00:00Z",
  state: "unknownOutcome",
});
afterEach(cleanup);

test("the button that checks a draft begins with its text and names the buyer", () => {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  client.setQueryData(draftsQuery(organization.id).queryKey, [draftOf("a", "Noor"), draftOf("b", "")]);
  renderInWorkspace(
    <InvoiceFilesContext value={{ choose: () => undefined } as unknown as InvoiceFilesState}>
      <DraftsScreen />
    </InvoiceFilesContext>,
    { client },
  );
  const buttons = screen.getAllByRole("button", { name: /^Check now/ });
  expect(buttons.map((button) => button.textContent)).toEqual(["Check now", "Check now"]);
  expect(buttons.map((button) => plainText(button.getAttribute("aria-label") ?? ""))).toEqual([
    "Check now: Noor",
    "Check now: No buyer yet",
  ]);
  fireEvent.click(buttons[1] ?? expect.fail("there are two"));
  expect(check).toHaveBeenCalledExactlyOnceWith("b");
});
