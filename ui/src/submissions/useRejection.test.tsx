/** Tests of where the form shows what the tax authority has said: at the input of the refused part, until that is changed. */

import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { emptyBuyerDetails, emptyDetails, emptyLineDetails } from "../editor/details/detailFields";
import { withText } from "../editor/paths";
import { content, organizations } from "../gallery/fixtures";
import { workspaceWrapper } from "../gallery/renderInWorkspace";
import type { Draft, InvoiceContent, SubmissionView } from "../ipc/bindings";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { submissionKey } from "./submissionQuery";
import { useRejection } from "./useRejection";

vi.mock("../state/withBinding");
// The answer that is known is read again, and there is no other.
vi.mocked(withBinding).mockReturnValue(new Promise(() => undefined));
afterEach(cleanup);

const organization = organizations[0] ?? expect.fail("there are sample organizations");

/** What was refused: a document with entries in its lists. */
const refused: InvoiceContent = {
  ...content,
  buyer: { ...content.buyer, details: { ...emptyBuyerDetails, otherIds: [{ scheme: "CRN", value: "1" }] } },
  details: { ...emptyDetails, precedingDocuments: [{ number: "INV-1", issueDate: "" }] },
  lines: content.lines.map((line) =>
    Object.assign({}, line, { details: { ...emptyLineDetails, attributes: [{ name: "Colour", value: "?" }] } }),
  ),
};

/** The fields at which the form shows messages about these parts of the document, while it has this content. */
function fieldsOf(paths: readonly string[], edited = refused) {
  const draft: Draft = { key: "a", changes: { stamp: "1", content: refused }, content: edited, state: "editing" };
  const submission: SubmissionView = {
    state: "rejected",
    messages: paths.map((field) => ({ field, path: field, rule: "BR-KSA-1", description: "is wrong" })),
    hasWarnings: false,
    nextAttempt: null,
    problem: null,
  };
  const client = createQueryClient();
  client.setQueryData([...submissionKey(organization.id, "a"), "1"], submission);
  const { result } = renderHook(() => useRejection(draft), { wrapper: workspaceWrapper({ client }) });
  return result.current.fieldErrors.map(({ field }) => field);
}

test("a message about an entry of a list is at the input of that entry", () => {
  const paths = ["buyer.details.otherIds[0].value", "lines[1].details.attributes[0].value"];
  expect(fieldsOf(paths)).toEqual(paths);
});

test("a message about a preceding document is at its entry in a form that corrects none", () => {
  expect(fieldsOf(["correction.number"])).toEqual(["details.precedingDocuments[0].number"]);
});

test("a message about an entry that was changed since is at no input", () => {
  const path = "buyer.details.otherIds[0].value";
  expect(fieldsOf([path], withText(refused, path, "2"))).toEqual([]);
});
