/** Tests of what is told to whoever works elsewhere: the end of a run of any organization of the account. */

import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { organizations } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { BulkRun, OrganizationWork } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { Notices } from "./Notices";

vi.mock("../state/withBinding");

const [, other = expect.fail("there are several sample organizations")] = organizations;
const run = {
  id: "r",
  action: "issue",
  folder: null,
  state: "running",
  plan: { count: 2, sums: [], skipped: 0 },
  collected: 2,
  done: 1,
  failed: 0,
  started: "2026-11-25T09:00:00Z",
  interrupted: false,
  changed: null,
} as unknown as BulkRun;

/** What the core knows. */
let work: OrganizationWork[];

beforeEach(() => {
  runWithBinding();
  work = [{ organization: other.id, runs: [run], exports: [] }];
  vi.spyOn(commands, "accountWork").mockImplementation(async () => ({ status: "ok", data: work }));
  vi.spyOn(commands, "bulkRuns").mockResolvedValue({ status: "ok", data: [] });
  vi.spyOn(commands, "recurringDrafts").mockResolvedValue({ status: "ok", data: { ready: [], leftOut: 0 } });
  vi.spyOn(commands, "notify").mockResolvedValue({ status: "ok", data: null });
});
afterEach(cleanup);

test("the end of a run is told with its organization to whoever has switched to another one", async () => {
  const client = createQueryClient();
  const session = { organizations, environment: { name: "Staging" }, account: { subject: "1" } };
  renderInWorkspace(<Notices />, { client, workspace: { session } });
  await expect.poll(() => client.getQueryData(["account-work", "Staging", "1"])).toEqual(work);
  expect(commands.notify).not.toHaveBeenCalled();
  work = [{ organization: other.id, runs: [{ ...run, state: "finished", done: 2 }], exports: [] }];
  void client.invalidateQueries({ queryKey: ["account-work"] });
  await expect.poll(() => vi.mocked(commands.notify).mock.calls.length).toBe(1);
  const [organization, notice] = vi.mocked(commands.notify).mock.calls[0] ?? expect.fail("it is told");
  expect(organization).toBe(other.id);
  expect(notice).toMatchObject({ id: `${other.id}:bulk:r`, title: other.name });
  expect(plainText(notice.text)).toMatch(/2 documents? (are|were|is) issued/);
});
