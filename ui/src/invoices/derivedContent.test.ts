import { expect, test } from "vitest";
import { view } from "../gallery/fixtures";
import { debitNoteContent } from "./derivedContent";

test("a debit note has no note of the invoice, in either language", () => {
  const invoice = { ...view, content: { ...view.content, note: "Thank you", noteAr: "شكرًا لكم" } };
  expect(debitNoteContent(invoice)).toMatchObject({ note: "", noteAr: "" });
});
