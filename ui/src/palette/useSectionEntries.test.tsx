/** Tests of the sections of the settings in the command palette. */

import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { type Navigation, NavigationContext } from "../state/navigation";
import { groupsOf } from "./entries";
import { useSectionEntries } from "./useSectionEntries";

afterEach(cleanup);

async function palette() {
  const navigate = vi.fn();
  const { result } = renderHook(useSectionEntries, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <NavigationContext value={{ navigate } as unknown as Navigation}>{children}</NavigationContext>
      </LocalizerProvider>
    ),
  });
  // The words of the other language are loaded after the first list.
  await waitFor(() => expect(result.current.flatMap(({ also }) => also)).toContain("الإعدادات"));
  const find = (query: string) => groupsOf(result.current, query, []).flatMap(({ entries }) => entries.map(({ entry }) => entry));
  return { find, navigate };
}

test.each([
  ["appearance", "appearance"],
  ["settings notif", "notifications"],
  ["keyboard", "keys"],
  ["zoom", "appearance"],
  ["calendar", "language"],
  ["المظهر", "appearance"],
])("%s finds the section %s first", async (query, section) => {
  const { find, navigate } = await palette();
  act(() => find(query)[0]?.run());
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "settings", section });
});

test("the sections are not listed before something is typed", async () => {
  const { find } = await palette();
  expect(find("")).toEqual([]);
});
