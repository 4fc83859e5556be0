/** A due date that terms have set follows the issue date; one that was typed stays. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { DueDateTerms } from "./DueDateTerms";

vi.mock("../i18n/LocalizerProvider", () => ({
  useLocalizer: () => ({ t: (id: string) => id, format: { date: (date: string) => date }, direction: "ltr" }),
}));

afterEach(cleanup);

function terms(issueDate: string, dueDate: string, onDueDate: (date: string) => void) {
  return <DueDateTerms issueDate={issueDate} dueDate={dueDate} onDueDate={onDueDate} isDisabled={false} />;
}

/** Types `+30` into the terms of a document of 1 November. */
function typeTerms(onDueDate: (date: string) => void) {
  const { rerender } = render(terms("2026-11-01", "", onDueDate));
  const field = screen.getByRole("textbox");
  fireEvent.change(field, { target: { value: "+30" } });
  fireEvent.blur(field);
  return rerender;
}

test("the due date of terms follows another issue date", () => {
  const onDueDate = vi.fn();
  const rerender = typeTerms(onDueDate);
  expect(onDueDate).toHaveBeenLastCalledWith("2026-12-01");
  rerender(terms("2026-11-05", "2026-12-01", onDueDate));
  expect(onDueDate).toHaveBeenLastCalledWith("2026-12-05");
});

test("a due date that was typed after the terms stays", () => {
  const onDueDate = vi.fn();
  const rerender = typeTerms(onDueDate);
  rerender(terms("2026-11-01", "2026-12-24", onDueDate));
  rerender(terms("2026-11-05", "2026-12-24", onDueDate));
  expect(onDueDate).toHaveBeenCalledTimes(1);
});
