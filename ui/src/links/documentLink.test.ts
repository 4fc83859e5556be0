/** Tests of links to documents: writing them, and recognising them in a text. */
import { expect, test } from "vitest";
import { documentLink, linkIn } from "./documentLink";

const KEY = "0199f3a0-0000-7000-8000-0000000000aa";

test("a link names the organization and the document, as crates/client/src/links.rs reads it", () => {
  expect(documentLink("274893001", KEY)).toBe(`com.invoicedesk.desktop:/documents/274893001/${KEY}`);
});

test("a text is a link or a key, or it stays a text", () => {
  const link = documentLink("274893001", KEY);
  expect(linkIn(` ${link}\n`)).toBe(link);
  expect(linkIn(KEY)).toBe(KEY);
  expect(linkIn("com.invoicedesk.desktop:/anything")).toBe("com.invoicedesk.desktop:/anything");
  expect(linkIn(`see ${link}`)).toBeNull();
  expect(linkIn("AK-2026-000117")).toBeNull();
  expect(linkIn(link.padEnd(300, "0"))).toBeNull();
});
