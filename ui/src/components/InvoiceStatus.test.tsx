/** Tests of the words of a document's status. */
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { row } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { InvoiceRow, Preferences } from "../ipc/bindings";
import { InvoiceStatusLabel } from "./InvoiceStatus";

const preferences: Preferences = { language: "en", theme: "light", digits: "latin" };

function show(part: Partial<InvoiceRow>, language: Preferences["language"] = "en"): HTMLElement {
  const { container } = render(
    <LocalizerProvider preferences={{ ...preferences, language }}>
      <InvoiceStatusLabel row={{ ...row, status: "issued", ...part }} />
    </LocalizerProvider>,
  );
  return container;
}

/** The words beside the status of a row. */
function words(part: Partial<InvoiceRow>): string {
  const container = show(part);
  const texts = [...container.querySelectorAll(".payment-word")].map(({ textContent }) => textContent ?? "");
  // Isolation of numbers, and the space that does not break.
  return texts
    .join(" ")
    .replace(/[\u2066-\u2069\u200e\u200f]/g, "")
    .replace(/\u00a0/g, " ");
}

test("an invoice that was only credited in part says what is open, and not that it is partly paid", () => {
  expect(words({ payment: "open", open: "11500.00" })).toBe("Open: SAR 11,500.00");
  expect(words({ payment: "partlyPaid", open: "11500.00" })).toBe("Partly paid");
});

test("an invoice of which nothing is settled says nothing", () => {
  expect(words({ payment: "open", open: row.gross })).toBe("");
  expect(words({ payment: null, open: "" })).toBe("");
});

test("a document that notes settled is credited, and a note is set off or refunded", () => {
  expect(words({ payment: "credited", open: "0.00" })).toBe("Credited");
  expect(words({ kind: "creditNote", payment: "credited", open: "0.00" })).toBe("Set off");
  expect(words({ kind: "creditNote", payment: "toRefund", open: "-10.00" })).toBe("To refund");
  expect(words({ kind: "creditNote", payment: "paid", open: "0.00" })).toBe("Refunded");
});

test("what is open is a phrase in the direction of its language, with the amount isolated in it", () => {
  const phrase = show({ payment: "open", open: "11500.00" }, "ar").querySelector(".payment-word") ?? expect.fail("it is shown");
  expect(phrase.closest("[dir=ltr]")).toBeNull();
  expect(phrase.textContent).toMatch(/^\p{Script=Arabic}.*\u2068SAR\u00a011,500\.00\u2069/u);
});
