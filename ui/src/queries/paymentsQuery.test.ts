/** When the payments of a document are read again. */
// @vitest-environment jsdom

import { useQuery } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { workspaceWrapper } from "../gallery/renderInWorkspace";
import type { PaymentsView } from "../ipc/bindings";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { paymentsQuery } from "./paymentsQuery";

vi.mock("../state/withBinding");

const before: PaymentsView = { balance: null, payments: [], offlineAsOf: null };
const now: PaymentsView = { ...before, offlineAsOf: "2026-11-26T10:00:00Z" };

test("payments that were read a while ago are read again when they are shown: somebody else may have recorded one", async () => {
  vi.mocked(withBinding).mockResolvedValue(now);
  const client = createQueryClient();
  const query = paymentsQuery("1", "document");
  client.setQueryData(query.queryKey, before, { updatedAt: Date.now() - 60_000 });
  const { result } = renderHook(() => useQuery(query), { wrapper: workspaceWrapper({ client }) });
  expect(result.current.data, "they are shown until then").toEqual(before);
  await waitFor(() => expect(result.current.data).toEqual(now));
});
