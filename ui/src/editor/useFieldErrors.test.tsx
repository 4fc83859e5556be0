/** Tests of the errors of fields: their identity across renders, and what comes from elsewhere among them. */
import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { Preferences } from "../ipc/bindings";
import { withText } from "./paths";
import { useFieldErrors } from "./useFieldErrors";

const violation = { field: "lines[0].quantity", path: "lines[0].quantity", rule: "BR-22", description: "x" };

const preferences: Preferences = { language: "en", theme: "light", digits: "latin" };
const wrapper = ({ children }: { children: ReactNode }) => (
  <LocalizerProvider preferences={preferences}>{children}</LocalizerProvider>
);

test("typing keeps the identity of the errors, so that no other field renders", () => {
  const { result, rerender } = renderHook(({ shown, typed }) => useFieldErrors(shown, typed), {
    wrapper,
    initialProps: { shown: null as (typeof violation)[] | null, typed: content },
  });
  const none = result.current;
  rerender({ shown: null, typed: withText(content, "note", "a") });
  expect(result.current.messages).toBe(none.messages);
  rerender({ shown: [violation], typed: content });
  const one = result.current;
  expect(one.fieldErrors).toHaveLength(1);
  // Each calculation returns its violations anew.
  rerender({ shown: [{ ...violation }], typed: withText(content, "lines[1].quantity", "7") });
  expect(result.current.messages).toBe(one.messages);
  expect(result.current.fieldErrors).toBe(one.fieldErrors);
});

test("errors whose fields are known, as those of a tax authority, are among the others in the order of the form", () => {
  const known = [{ field: "buyer.details.otherIds", name: "Identifiers", message: "An identifier is missing." }];
  const { result } = renderHook(() => useFieldErrors([violation], content, known), { wrapper });
  expect(result.current.fieldErrors.map(({ field }) => field)).toEqual(["buyer.details.otherIds", "lines[0].quantity"]);
  expect(result.current.messages["buyer.details.otherIds"]).toEqual(["An identifier is missing."]);
});
