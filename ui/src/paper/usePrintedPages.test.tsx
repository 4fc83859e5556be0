/** Tests of which requests for printed pages run, and which are left out. */
import { act, renderHook, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { PrintedPages } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { usePrintedPages } from "./usePrintedPages";

/** A request whose answer the test gives. */
function request(total: number) {
  const settle: { answer?: (pages: PrintedPages) => void; fail?: (error: Error) => void } = {};
  const promise = new Promise<PrintedPages>((answer, fail) => Object.assign(settle, { answer, fail }));
  let calls = 0;
  return {
    print: () => {
      calls += 1;
      return promise;
    },
    calls: () => calls,
    answer: () => settle.answer?.({ images: [], total }),
    fail: () => settle.fail?.(new CommandFailure({ kind: "notPrinted" })),
  };
}

describe("usePrintedPages", () => {
  it("makes one request at a time, and of those that come meanwhile only the newest", async () => {
    const [first, second, third] = [request(1), request(2), request(3)];
    const { result, rerender } = renderHook(({ print }) => usePrintedPages(print, 0), { initialProps: { print: first.print } });
    await waitFor(() => expect(first.calls()).toBe(1));
    rerender({ print: second.print });
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    rerender({ print: third.print });
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect([second.calls(), third.calls()]).toEqual([0, 0]);
    first.answer();
    await waitFor(() => expect(third.calls()).toBe(1));
    expect(second.calls()).toBe(0);
    expect(result.current.pages?.total).toBe(1);
    third.answer();
    await waitFor(() => expect(result.current.pages?.total).toBe(3));
  });

  it("keeps the last pages beside an error, and makes them again on request", async () => {
    const [first, second] = [request(1), request(2)];
    const { result, rerender } = renderHook(({ print }) => usePrintedPages(print, 0), { initialProps: { print: first.print } });
    first.answer();
    await waitFor(() => expect(result.current.pages?.total).toBe(1));
    rerender({ print: second.print });
    await waitFor(() => expect(second.calls()).toBe(1));
    second.fail();
    await waitFor(() => expect(result.current.error?.kind).toBe("notPrinted"));
    expect(result.current.pages?.total).toBe(1);
    act(() => result.current.retry());
    await waitFor(() => expect(second.calls()).toBe(2));
  });
});
