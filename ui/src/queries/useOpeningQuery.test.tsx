/** What a form begins with, when it is opened again. */

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { createElement } from "react";
import { expect, test } from "vitest";
import { useOpeningQuery } from "./useOpeningQuery";

test("a form that is closed while it is read again does not open with what it began with", async () => {
  const client = new QueryClient();
  let answer: Promise<string> = Promise.resolve("before");
  const open = () =>
    renderHook(() => useOpeningQuery(["1", "tenants", "plan"], () => answer), {
      wrapper: ({ children }) => createElement(QueryClientProvider, { client }, children),
    });
  const first = open();
  await waitFor(() => expect(first.result.current.data).toBe("before"));
  // A save makes the query outdated and closes the form while it is read again.
  answer = new Promise(() => undefined);
  await act(async () => void client.invalidateQueries({ queryKey: ["1", "tenants"] }));
  first.unmount();
  answer = Promise.resolve("after");
  const second = open();
  expect(second.result.current.data).toBeUndefined();
  await waitFor(() => expect(second.result.current.data).toBe("after"));
});
