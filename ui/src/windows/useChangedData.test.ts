/** Tests of what is read again after another window has changed it. */
import { expect, test } from "vitest";
import { createQueryClient } from "../state/queryClient";
import { invalidateChanged } from "./useChangedData";

const subjects = ["invoices", "overview", "reports", "invoice", "drafts", "draft", "templates", "parties", "rules", "people"];

/** The subjects that are read again after another window has changed something of organization 1. */
function outdatedBy(changed: Parameters<typeof invalidateChanged>[2]) {
  const client = createQueryClient();
  const keys = ["1", "2"].flatMap((organization) => subjects.map((subject) => [organization, subject, "key"]));
  for (const key of keys) client.setQueryData<unknown>(key, {});
  invalidateChanged(client, "1", changed);
  const outdated = keys.filter((key) => client.getQueryState(key)?.isInvalidated);
  expect(outdated.map(([organization]) => organization).filter((organization) => organization !== "1")).toEqual([]);
  return outdated.map(([, subject]) => subject);
}

test("what another window has written is read again, in its organization only", () => {
  expect(outdatedBy("documents")).toEqual(["invoices", "overview", "reports", "invoice"]);
  expect(outdatedBy("templates")).toEqual(["templates"]);
  expect(outdatedBy("masterData")).toEqual(["parties"]);
});

test("what is being typed is not read again: the open draft, and the rules that are edited in place", () => {
  expect(outdatedBy("drafts")).toEqual(["drafts"]);
  expect(outdatedBy("administration")).toEqual(["people"]);
});
