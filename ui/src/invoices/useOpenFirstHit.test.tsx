/** Tests of when Enter in the search field opens a document. */

import { renderHook } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { type Navigation, NavigationContext } from "../state/navigation";
import { useOpenFirstHit } from "./useOpenFirstHit";

interface Answer {
  shown: boolean;
  /** As the list has it. */
  first: string | null | undefined;
}

/** A search for which Enter was pressed, with what the list shows of it. */
function search(answer: Answer) {
  const navigation = { search: "Noor", firstHitOf: "Noor" as string | null };
  const openFirstHitOf = (text: string | null) => {
    navigation.firstHitOf = text;
  };
  const open = vi.fn();
  const { rerender } = renderHook(({ shown, first }: Answer) => useOpenFirstHit(shown, first, open), {
    initialProps: answer,
    wrapper: ({ children }: { children: ReactNode }) =>
      createElement(NavigationContext, { value: { ...navigation, openFirstHitOf } as unknown as Navigation }, children),
  });
  return { open, rerender };
}

test("the first hit is opened once the list shows the search", () => {
  const { open, rerender } = search({ shown: false, first: "of the search before" });
  rerender({ shown: true, first: undefined });
  expect(open).not.toHaveBeenCalled();
  rerender({ shown: true, first: "a" });
  expect(open).toHaveBeenCalledExactlyOnceWith("a");
});

test("a search that finds nothing opens nothing, also when a document comes that fits it", () => {
  const { open, rerender } = search({ shown: true, first: null });
  rerender({ shown: true, first: "made later" });
  expect(open).not.toHaveBeenCalled();
});
