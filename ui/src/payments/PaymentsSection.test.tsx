/** Tests of what is offered with the payments of a document, and of what stays when they cannot be read again. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { organizations, payment, row } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { CommandError, PaymentsView, Permissions } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { paymentsQuery } from "../queries/paymentsQuery";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { hasPayments, PaymentsSection } from "./PaymentsSection";

vi.mock("../state/withBinding");
vi.mock("../errors/ErrorNotice");
vi.mock("./RecordPaymentDialog", () => ({ RecordPaymentDialog: () => <input aria-label="Amount" /> }));

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const payments: PaymentsView = {
  balance: {
    currency: "SAR",
    payable: "23000.00",
    paid: "3000.00",
    credited: "0.00",
    open: "20000.00",
    state: "partlyPaid",
  },
  payments: [payment],
  offlineAsOf: null,
};
afterEach(cleanup);

function show(permissions: Partial<Permissions> | undefined, view: PaymentsView | undefined = payments) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  client.setQueryData(paymentsQuery(organization.id, row.key).queryKey, view);
  if (permissions) client.setQueryData([organization.id, "permissions"], permissions);
  renderInWorkspace(<PaymentsSection row={row} />, { client });
  return client;
}

function offered(permissions: Partial<Permissions> | undefined): string[] {
  show(permissions);
  return screen.queryAllByRole("button").map((button) => button.firstChild?.textContent ?? "");
}

test("recording and voiding are offered to somebody who may do both", () => {
  expect(offered({ recordPayments: true, voidPayments: true })).toEqual(["Record payment", "Void"]);
});

test("a clerk records payments and is not offered to void them", () => {
  expect(offered({ recordPayments: true, voidPayments: false })).toEqual(["Record payment"]);
});

test("somebody who only reads sees the payments, and is offered neither", () => {
  expect(offered({ recordPayments: false, voidPayments: false })).toEqual([]);
  expect(screen.getByRole("listitem").textContent).toContain("3,000.00");
});

test("both are offered while permissions are not known", () => {
  expect(offered(undefined)).toEqual(["Record payment", "Void"]);
});

test("what was paid of a rejected document is shown, and goes back", () => {
  const statuses = ["draft", "issued", "frozen", "rejected"] as const;
  expect(statuses.map((status) => hasPayments({ ...row, status }))).toEqual([false, true, true, true]);
  const balance = payments.balance && { ...payments.balance, payable: "0.00", open: "-3000.00", state: "toRefund" as const };
  show({ recordPayments: true }, { ...payments, balance });
  expect(screen.getByRole("button", { name: /^Record refund/ })).toBeTruthy();
});

/** Has the payments read again, which fails. */
async function failToRead(client: ReturnType<typeof show>, error: CommandError) {
  vi.mocked(withBinding).mockRejectedValueOnce(new CommandFailure(error));
  await act(() => client.fetchQuery({ ...paymentsQuery(organization.id, row.key), staleTime: 0 }).catch(() => undefined));
}

test("a dialog stays with what was typed when the payments cannot be read again, and the error stands beside them", async () => {
  const client = show(undefined);
  fireEvent.click(screen.getByRole("button", { name: "Record payment" }));
  const amount = screen.getByRole("textbox", { name: "Amount" });
  fireEvent.change(amount, { target: { value: "50" } });
  await failToRead(client, { kind: "staleBinding" });
  expect(screen.getByRole("alert").textContent).toContain("staleBinding");
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Amount" })).toBe(amount);
  expect(screen.getByRole("listitem").textContent).toContain("3,000.00");
});

test("without payments to show the error stands alone, and nothing does for a role that may not read them", async () => {
  const client = show(undefined, { balance: null, payments: [], offlineAsOf: null });
  await failToRead(client, { kind: "staleBinding" });
  expect(screen.getByRole("alert").textContent).toContain("staleBinding");
  await failToRead(client, { kind: "permissionDenied" } as CommandError);
  expect(screen.queryByRole("alert")).toBeNull();
});
