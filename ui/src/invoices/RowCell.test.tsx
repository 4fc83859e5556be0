/** Tests of the status, the amounts and the dates that a row of the invoice list shows. */
import { render } from "@testing-library/react";
import { beforeAll, expect, test, vi } from "vitest";
import { prefetchLazyComponents } from "../components/lazyComponent";
import { row } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { InvoiceRow, Language, SubmissionState } from "../ipc/bindings";
import type { ColumnName } from "../listSettings/columns";
import { RowCell } from "./RowCell";

/** A cell of a row with a state of the tax authority. */
function cell(
  name: ColumnName,
  submission: SubmissionState | null,
  withSubmission: boolean,
  language: Language = "en",
  hasWarnings = false,
) {
  const { container } = render(
    <LocalizerProvider preferences={{ language, theme: "light", digits: "latin" }}>
      <RowCell
        row={{ ...row, status: submission === "rejected" ? "rejected" : "issued", submission, hasWarnings }}
        name={name}
        withKind
        withSubmission={withSubmission}
        fractionDigits={2}
        today="2026-11-26"
      />
    </LocalizerProvider>,
  );
  return container;
}

/** What a screen reader reads of the chip. */
function chip(container: HTMLElement) {
  return container.querySelector("[data-submission] .visually-hidden")?.textContent ?? null;
}

// The chip is there at once when its code is loaded. jsdom paints nothing.
beforeAll(async () => {
  vi.stubGlobal("PerformanceObserver", { supportedEntryTypes: [] });
  await prefetchLazyComponents();
});

test("a document that waits or is refused says so beside its status, in both languages", () => {
  const rejected = cell("status", "rejected", true);
  expect(chip(rejected)).toBe("Tax authority: Rejected");
  expect(rejected.querySelector(".status-word")?.textContent).toBe("Rejected");
  expect(rejected.querySelector(".submission-word"), "the same word once").toBeNull();
  expect(chip(cell("status", "pending", true))).toBe("Tax authority: Waiting");
  expect(chip(cell("status", "unanswered", true))).toBe("Tax authority: Not answered");
  expect(chip(cell("status", "rejected", true, "ar"))).toBe("الجهة الضريبية: مرفوضة");
});

test("a document that was accepted with remarks says so, whatever the word of its answer is", () => {
  expect(chip(cell("status", "reported", true, "en", true))).toBe("Tax authority: With remarks");
  expect(chip(cell("status", "cleared", true, "ar", true))).toBe("الجهة الضريبية: مع ملاحظات");
  const column = cell("submission", "cleared", false, "en", true).textContent;
  expect(column?.replace(/[\u2066-\u2069]/g, "")).toBe("Cleared, with remarks");
});

test.each(["cleared", "reported", "accepted", null] as const)("a document with the answer %j has its status alone", (state) => {
  expect(cell("status", state, true).textContent).toBe("Issued");
});

test("without a tax authority, or with a column for it, the status stands alone", () => {
  expect(cell("status", "rejected", false).textContent).toBe("Rejected");
});

test.each([
  ["pending", "Waiting"],
  ["unanswered", "Not answered"],
  ["cleared", "Cleared"],
  ["reported", "Reported"],
  ["accepted", "Accepted"],
  ["rejected", "Rejected"],
  [null, "—"],
] as const)("the column says of %j: %s", (state, word) => {
  expect(cell("submission", state, false).textContent).toBe(word);
});

/** The text of an issue date in November 2026. */
const issued = (today: string) => {
  const { container } = render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <RowCell
        row={{ ...row, issueDate: "2026-11-14" }}
        name="issueDate"
        withKind
        withSubmission={false}
        fractionDigits={2}
        today={today}
      />
    </LocalizerProvider>,
  );
  return container.textContent;
};

test("the year of a date is left out while it is that of today in the time zone of the organization", () => {
  expect(issued("2026-12-31")).toBe("14 Nov");
  expect(issued("2027-01-01")).toBe("14 Nov 2026");
});

/** The text of an amount of a row in a list with currencies of up to three digits. */
const amount = (name: "gross" | "open", changed: Partial<InvoiceRow>) => {
  const { container } = render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <RowCell row={{ ...row, ...changed }} name={name} withKind withSubmission={false} fractionDigits={3} today="2026-11-26" />
    </LocalizerProvider>,
  );
  return container.textContent;
};
const gross = (currency: string) => amount("gross", { gross: "12", currency });

test("what is open has the sign that it came with, and stands nowhere where nothing can be open", () => {
  expect(amount("open", { open: "12.50" })).toBe("SAR\u00a012.50\u2007");
  expect(amount("open", { open: "-3.00" })).toMatch(/3\.00/);
  expect(amount("open", { open: "0.00" }), "all is paid").toBe("SAR\u00a00.00\u2007");
  expect(amount("open", { open: "" })).toBe("");
});

test("amounts of currencies with fewer digits are padded, so that their points stand below each other", () => {
  expect(gross("KWD")).toBe("KWD\u00a012.000");
  expect(gross("SAR")).toBe("SAR\u00a012.00\u2007");
  expect(gross("JPY")).toBe("JPY\u00a012\u2008\u2007\u2007\u2007");
});
