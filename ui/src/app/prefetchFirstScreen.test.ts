/** Tests of what a window loads before its first screen is there. */
// @vitest-environment jsdom

import { expect, test, vi } from "vitest";
import type { Snapshot } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { noFilter, pageQuery } from "../queries/invoicePages";
import { createQueryClient } from "../state/queryClient";
import { prefetchFirstScreen } from "./App";

const binding = { organization: "274893001", generation: 1 };
const listeners = new Set<(snapshot: Snapshot) => void>();

vi.mock("../state/snapshotStore", () => ({
  currentSnapshot: () => ({ binding }),
  nextSnapshot: () => Promise.resolve(null),
  subscribeToSnapshots: (listener: (snapshot: Snapshot) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
}));
vi.mock("../shell/AppShell", () => ({ AppShell: () => null }));

const publish = (state: string, bound: typeof binding | null) => {
  for (const listener of listeners) listener({ session: { state }, binding: bound } as unknown as Snapshot);
};

test("the list is asked for once, as soon as the window of a signed-in user is bound to an organization", async () => {
  const page = { rows: [], total: 0, sums: [], asOf: "", offline: false, hasAuthority: false };
  const list = vi.spyOn(commands, "listInvoices").mockResolvedValue({ status: "ok", data: page } as never);
  const client = createQueryClient();
  prefetchFirstScreen(client);
  publish("starting", null);
  publish("signedIn", null);
  expect(list).not.toHaveBeenCalled();
  publish("signedIn", binding);
  publish("signedIn", binding);
  const query = pageQuery(binding.organization, noFilter, 0);
  await vi.waitFor(() => expect(client.getQueryData(query.queryKey)).toEqual(page));
  expect(list).toHaveBeenCalledTimes(1);
  expect(list).toHaveBeenCalledWith(binding, { ...noFilter, skip: 0, pageSize: 100 });
});
