/** Tests of the limits of a file that is attached. */
import { expect, test } from "vitest";
import type { AttachmentsView } from "../ipc/bindings";
import { problemOf } from "./useAttachments";

const empty: AttachmentsView = {
  attachments: [],
  editable: true,
  offline: false,
  limits: { count: 1, bytes: 100, extensions: ["pdf", "csv"] },
  problem: null,
};
const one = { id: "1", fileName: "a.pdf", mediaType: "application/pdf", bytes: 1, added: null, waiting: false };

test("a file within the limits is attached", () => {
  expect(problemOf({ name: "Offer.PDF", size: 100 }, empty)).toBeNull();
});

test("a file beyond a limit is refused before it is read", () => {
  expect(problemOf({ name: "a.pdf", size: 101 }, empty)).toBe("tooLarge");
  expect(problemOf({ name: "a.exe", size: 1 }, empty)).toBe("otherType");
  expect(problemOf({ name: "pdf", size: 1 }, empty)).toBe("otherType");
  expect(problemOf({ name: "a.pdf", size: 1 }, { ...empty, attachments: [one] })).toBe("tooMany");
});
