/** Tests of when an outage takes the whole window, and when it is a bar. */
import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { createElement } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { errors, organizations } from "../gallery/fixtures";
import type { CommandError, PendingRetry } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { noFilter, pageQuery } from "../queries/invoicePages";
import { type Navigation, NavigationContext, type View } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { useOutage } from "./useOutage";

vi.mock("../state/withBinding");

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const [othersAnswer, allFail] = errors.organizationUnavailable as [CommandError, CommandError];

function retryOf(error: CommandError): PendingRetry {
  return {
    id: 1,
    command: "list_invoices",
    organization: organization.id,
    write: false,
    error,
    until: "2026-11-22T12:00:00Z",
    failedAttempts: 1,
  };
}

/** The outage in a window. `retries` can be changed with the returned function. */
function outageWith({
  view = { name: "invoices" },
  retries,
  listed = false,
}: {
  view?: View;
  retries: PendingRetry[];
  listed?: boolean;
}) {
  const client = createQueryClient();
  if (listed) client.setQueryData<unknown>(pageQuery(organization.id, noFilter, 0).queryKey, { total: 0 });
  let current = retries;
  const { result, rerender } = renderHook(useOutage, {
    wrapper: ({ children }) =>
      createElement(
        QueryClientProvider,
        { client },
        createElement(
          WorkspaceContext,
          { value: { organization, retries: current } as unknown as Workspace },
          createElement(NavigationContext, { value: { view, navigate: () => undefined } as unknown as Navigation }, children),
        ),
      ),
  });
  const change = (changed: PendingRetry[]) => {
    current = changed;
    rerender();
  };
  return { result, change };
}

beforeEach(() => {
  vi.mocked(withBinding).mockImplementation(() => new Promise(() => undefined));
});

test("an outage of all organizations without a list takes the whole window, and no bar", () => {
  const { page, banner } = outageWith({ retries: [retryOf(allFail)] }).result.current;
  expect(page?.error).toEqual(allFail);
  expect(page?.until).toBe("2026-11-22T12:00:00Z");
  expect(banner).toBeUndefined();
});

test("the page stays while the next attempt is running", () => {
  const { result, change } = outageWith({ retries: [retryOf(allFail)] });
  change([]);
  expect(result.current.page?.error).toEqual(allFail);
});

test("an outage of all organizations is a bar above a list, and above drafts", () => {
  for (const shown of [{ listed: true }, { view: { name: "drafts" } as const }]) {
    const { page, banner } = outageWith({ ...shown, retries: [retryOf(allFail)] }).result.current;
    expect(page).toBeNull();
    expect(banner?.error).toEqual(allFail);
  }
});

test("an organization that alone is not available is shown in place of its list only", () => {
  expect(outageWith({ retries: [retryOf(othersAnswer)] }).result.current).toEqual({ page: null, banner: undefined });
});

test("an outage that is not tried again any more still takes the whole window", async () => {
  vi.mocked(withBinding).mockRejectedValue(new CommandFailure(allFail));
  const { result } = outageWith({ retries: [] });
  await waitFor(() => expect(result.current.page?.error).toEqual(allFail));
  expect(result.current.page?.until).toBeNull();
});
