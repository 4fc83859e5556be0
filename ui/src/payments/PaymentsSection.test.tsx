/** Tests of what is offered with the payments of a document. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { organizations, row } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { PaymentsView, Permissions } from "../ipc/bindings";
import { paymentsQuery } from "../queries/paymentsQuery";
import { createQueryClient } from "../state/queryClient";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { PaymentsSection } from "./PaymentsSection";

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const payments: PaymentsView = {
  balance: {
    currency: "SAR",
    payable: "23000.00",
    paid: "3000.00",
    credited: "0.00",
    open: "20000.00",
    dueOn: "2026-12-14",
    state: "partlyPaid",
  },
  payments: [
    {
      key: "p",
      date: "2026-11-20",
      amount: "3000.00",
      means: "",
      reference: "",
      note: "",
      recorded: null,
      voided: false,
      voids: "",
      reason: "",
      refund: false,
    },
  ],
  offlineAsOf: null,
};
afterEach(cleanup);

function offered(permissions: Partial<Permissions> | undefined): string[] {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  client.setQueryData(paymentsQuery(organization.id, row.key).queryKey, payments);
  if (permissions) client.setQueryData([organization.id, "permissions"], permissions);
  render(
    <QueryClientProvider client={client}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization, retries: [] } as unknown as Workspace}>
          <PaymentsSection row={row} />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
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
