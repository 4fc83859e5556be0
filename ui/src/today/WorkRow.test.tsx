/** Tests of the sums in a row of the work of today: which amount they are is said where it could be taken for another one. */

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { Language } from "../ipc/bindings";
import { type WorkItem, WorkRow } from "./WorkRow";

afterEach(cleanup);

function text(item: Partial<WorkItem>, language: Language = "en") {
  const sums = [{ currency: "SAR", amount: "12.00" }];
  renderInWorkspace(<WorkRow item={{ id: "soon", count: 2, sums, open: () => undefined, ...item }} pending={false} />, {
    language,
  });
  return screen.getByRole("button").textContent;
}

test.each([
  ["en", "Gross"],
  ["ar", "الإجمالي شامل الضريبة"],
] as const)("%s: sums of whole invoices are labelled as such", (language, label) => {
  expect(text({ sumLabel: "gross" }, language)).toContain(label);
});

test("sums of what is open have no label, and neither has a row without sums", () => {
  expect(text({ id: "overdue" })).not.toContain("Gross");
  cleanup();
  expect(text({ sumLabel: "gross", sums: undefined })).not.toContain("Gross");
});
