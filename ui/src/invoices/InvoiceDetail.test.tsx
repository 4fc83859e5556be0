/** Tests of the detail beside the list: what it says of a document that cannot be read again, when it takes the focus, and without a document. */

import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { organizations, pendingRetry, view } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { InvoiceView, PendingRetry } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { invoiceKey } from "../queries/invoiceQuery";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { InvoiceDetail } from "./InvoiceDetail";

vi.mock("../errors/ErrorNotice");
vi.mock("../state/withBinding");
vi.mock("../attachments/AttachmentsSection", () => ({ AttachmentsSection: () => null }));
vi.mock("../history/HistorySection", () => ({ HistorySection: () => null }));
vi.mock("../links/CopyLinkButton", () => ({ CopyLinkButton: () => null }));
vi.mock("../payments/PaymentsSection", () => ({ hasPayments: () => false, PaymentsSection: () => null }));
vi.mock("../relations/RelationsSection", () => ({ hasRelations: () => false, RelationsSection: () => null }));
vi.mock("../submissions/SubmissionSection", () => ({ SubmissionSection: () => null }));
vi.mock("./MoreFacts", () => ({ MoreFacts: () => null }));
/** With a step that was asked for and not done, until the document is issued. */
vi.mock("./InvoiceActions", () => ({
  InvoiceActions: ({ view: { row } }: { view: InvoiceView }) =>
    row.status !== "issued" && (
      <button type="button" data-finish="">
        Issue
      </button>
    ),
}));

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const { key } = view.row;
const workspace = { session: { connectivity: { state: "online" } } };

afterEach(cleanup);

function show(takesFocus = false, retries: readonly PendingRetry[] = []) {
  const client = createQueryClient();
  client.setQueryData(invoiceKey(organization.id, key), view);
  renderInWorkspace(
    <InvoiceDetail invoice={key} sums={[]} slidesOver={false} takesFocus={takesFocus} onClose={() => undefined} />,
    { client, workspace: { ...workspace, retries } },
  );
  return client;
}

test("without a document it has the sums of the list, by currency", async () => {
  const sums = [
    { currency: "KWD", count: 1, net: "10.000", tax: "0.000", gross: "10.000" },
    { currency: "SAR", count: 1234, net: "2000.00", tax: "300.00", gross: "2300.00" },
  ];
  renderInWorkspace(
    <InvoiceDetail invoice={null} sums={sums} slidesOver={false} takesFocus={false} onClose={() => undefined} />,
    { workspace },
  );
  const rows = await screen.findAllByRole("row");
  expect(rows.map(({ textContent }) => textContent)).toEqual(
    [
      ["KWD", "Documents1", "Net10.000", "Tax0.000", "Gross10.000"],
      ["SAR", "Documents1,234", "Net2,000.00", "Tax300.00", "Gross2,300.00"],
    ].flat(),
  );
  expect(screen.getByText("Choose an invoice to see it here.")).toBeTruthy();
});

test("a document that cannot be read again says so above what was read last", async () => {
  const client = show();
  expect(screen.queryByRole("alert")).toBeNull();
  vi.mocked(withBinding).mockRejectedValueOnce(new CommandFailure({ kind: "staleBinding" }));
  await act(() => client.refetchQueries({ queryKey: invoiceKey(organization.id, key) }));
  expect(screen.getByRole("alert").textContent).toContain("staleBinding");
  expect(screen.getByText(view.row.number)).toBeTruthy();
});

test("a document that was read is shown while another one is asked for again and again", () => {
  show(false, [{ ...pendingRetry, command: "get_invoice" }]);
  expect(screen.getByText(view.row.number)).toBeTruthy();
});

test("a list that is moved through keeps the focus, also at a document whose steps are not done", () => {
  const row = document.body.appendChild(document.createElement("button"));
  row.focus();
  show();
  expect(document.activeElement).toBe(row);
  row.remove();
});

test("the step that is not done has the focus when the form that asked for it is gone", () => {
  show();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Issue" }));
});

test("the document has the focus when the button that had it has done its work", async () => {
  const client = show();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Issue" }));
  const issued: InvoiceView = { ...view, row: { ...view.row, status: "issued" } };
  await act(async () => client.setQueryData(invoiceKey(organization.id, key), issued));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("complementary")));
});

test("a document that is opened by key has the focus itself: a second Enter does no step", () => {
  show(true);
  expect(document.activeElement).toBe(screen.getByRole("complementary"));
});
