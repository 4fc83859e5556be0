/** Tests of editing rules: what was changed stays, what is published was checked, and the keyboard goes on after that. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding, untilAnnounced } from "../gallery/renderInWorkspace";
import type { RuleEdits, RuleMatrix, RulesCheck, RulesView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { Rules } from "./Rules";
import { noEdits } from "./useRuleEdits";

vi.mock("../components/announce");
vi.mock("../state/withBinding");
vi.mock("./RuleVersions", () => ({ RuleVersions: () => null }));
vi.mock("./AdministrationError", () => ({ AdministrationError: () => <p role="alert">failed</p> }));

const GET = "Service.Plans.v2.Get";
const LIST = "Service.Plans.v2.List";
const version = (number: number, matrix: RuleMatrix) =>
  ({ version: { number, stamp: `stamp ${number}` }, matrix, held: [], scopes: [GET, LIST], groups: [] }) as unknown as RulesView;
const clerks = (...allowed: string[]): RuleMatrix => ({ roles: [{ role: "clerk", allowed, forbidden: [] }], forbidden: [] });

const publishable: RulesCheck = {
  publishable: true,
  violations: [],
  findings: [],
  changedCells: [],
  changedCellCount: 0,
  losingUsers: [],
  losingUserCount: 0,
  unheldScopes: [],
};

const client = createQueryClient();
let inForce: RulesView;
let published: RuleMatrix[];
/** What the core keeps. */
let kept: RuleEdits;

beforeEach(() => {
  client.clear();
  vi.mocked(announce).mockClear();
  inForce = version(1, clerks(GET));
  published = [];
  kept = noEdits;
  vi.spyOn(commands, "ruleEdits").mockImplementation(async () => ({ status: "ok", data: kept }));
  vi.spyOn(commands, "saveRuleEdits").mockImplementation(async (_, edits) => {
    kept = edits;
    return { status: "ok", data: null };
  });
  vi.spyOn(commands, "getRules").mockImplementation(async () => ({ status: "ok", data: inForce }));
  vi.spyOn(commands, "checkRules").mockResolvedValue({ status: "ok", data: publishable });
  vi.spyOn(commands, "publishRules").mockImplementation(async (_, matrix) => {
    published.push(matrix);
    inForce = version(inForce.version.number + 1, matrix);
    return { status: "ok", data: inForce };
  });
  runWithBinding();
  open();
});
afterEach(cleanup);

function open() {
  const navigation = { registerAutosave: () => () => undefined } as unknown as Navigation;
  renderInWorkspace(
    <NavigationContext value={navigation}>
      <Rules />
    </NavigationContext>,
    { client },
  );
}

const boxes = () => screen.getAllByRole<HTMLInputElement>("checkbox").map(({ checked }) => checked);
const readAgain = () => act(() => client.invalidateQueries());
const isKept = () => waitFor(() => expect(kept.cells).toEqual([{ role: "clerk", scope: LIST, allowed: true }]));
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const clickBox = (index: number) => fireEvent.click(screen.getAllByRole("checkbox")[index] ?? expect.fail("there are two"));
async function allowList() {
  await waitFor(() => expect(boxes()).toEqual([true, false]));
  fireEvent.click(screen.getAllByRole("checkbox")[1] ?? expect.fail("there are two"));
  expect(boxes()).toEqual([true, true]);
  await isKept();
}

test("a change applies to the version that somebody else has published meanwhile, and this is said", async () => {
  await allowList();
  expect(screen.queryByText(/published meanwhile/)).toBeNull();
  inForce = version(2, clerks());
  await readAgain();
  await screen.findByText(/published meanwhile/);
  await waitFor(() => expect(announce).toHaveBeenCalledWith(expect.stringContaining("published meanwhile")), untilAnnounced);
  expect(boxes()).toEqual([false, true]);
});

test("a check is announced with its result, also if the one before had the same, and counts for the version that was checked", async () => {
  await allowList();
  fireEvent.click(screen.getByRole("button", { name: "Check" }));
  await screen.findByRole("button", { name: "Publish" });
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Check" }).disabled).toBe(false));
  fireEvent.click(screen.getByRole("button", { name: "Check" }));
  const result = "These rules can be published.";
  await waitFor(() => expect(vi.mocked(announce).mock.calls).toEqual([[result], [result]]));
  inForce = version(2, clerks());
  await readAgain();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Publish" })).toBeNull());
});

test("what is published is no change any more", async () => {
  await allowList();
  fireEvent.click(screen.getByRole("button", { name: "Check" }));
  fireEvent.click(await screen.findByRole("button", { name: "Publish" }));
  await waitFor(() => expect(published).toEqual([clerks(GET, LIST)]));
  inForce = version(3, clerks(GET));
  await readAgain();
  await waitFor(() => expect(boxes()).toEqual([true, false]));
});

test("a change stays when the rules cannot be read again", async () => {
  await allowList();
  const [offline] = errors.offline;
  vi.mocked(commands.getRules).mockResolvedValue({
    status: "error",
    error: offline ?? expect.fail("there is a sample of every kind"),
  });
  await readAgain();
  await screen.findByRole("alert");
  expect(boxes()).toEqual([true, true]);
});

test("a change and its comment are there again after the application was closed", async () => {
  await allowList();
  fireEvent.click(screen.getByRole("button", { name: "Check" }));
  fireEvent.change(await screen.findByLabelText("Why, for the list of versions"), { target: { value: "Clerks need it" } });
  await waitFor(() => expect(kept.comment).toBe("Clerks need it"));
  cleanup();
  client.clear();
  open();
  await waitFor(() => expect(boxes()).toEqual([true, true]));
  fireEvent.click(screen.getByRole("button", { name: "Check" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Why, for the list of versions")).value).toBe("Clerks need it");
});

test("what is published or discarded is not kept", async () => {
  await allowList();
  fireEvent.click(screen.getByRole("button", { name: "Check" }));
  fireEvent.click(await screen.findByRole("button", { name: "Publish" }));
  await waitFor(() => expect(kept).toEqual(noEdits));
  await waitFor(() => expect(boxes()).toEqual([true, true]));
  fireEvent.click(screen.getAllByRole("checkbox")[1] ?? expect.fail("there are two"));
  await waitFor(() => expect(kept.cells).toHaveLength(1));
  fireEvent.click(screen.getByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(kept).toEqual(noEdits));
  expect(boxes()).toEqual([true, true]);
});

test("a change that cannot be kept on this computer stays in the window, and this is said", async () => {
  const [notSaved] = errors.notSaved;
  vi.mocked(commands.saveRuleEdits).mockResolvedValue({
    status: "error",
    error: notSaved ?? expect.fail("there is a sample of every kind"),
  });
  await waitFor(() => expect(boxes()).toEqual([true, false]));
  fireEvent.click(screen.getAllByRole("checkbox")[1] ?? expect.fail("there are two"));
  await screen.findByRole("alert");
  expect(boxes()).toEqual([true, true]);
});

test("a check that ends after another change is not shown, and nothing is published by it", async () => {
  let finish: (() => void) | undefined;
  vi.mocked(commands.checkRules).mockImplementation(
    () =>
      new Promise((resolve) => {
        finish = () => resolve({ status: "ok", data: publishable });
      }),
  );
  await allowList();
  fireEvent.click(button("Check"));
  // A button that is disabled loses the focus.
  await waitFor(() => expect([button("Check").disabled, button("Check").getAttribute("aria-disabled")]).toEqual([false, "true"]));
  clickBox(0);
  await act(async () => finish?.());
  await waitFor(() => expect(button("Check").getAttribute("aria-disabled")).toBeNull());
  expect(screen.queryByRole("button", { name: "Publish" })).toBeNull();
  expect(announce).not.toHaveBeenCalled();
});

test("what is changed while rules are published is still to be published", async () => {
  await allowList();
  let finish: (() => void) | undefined;
  vi.mocked(commands.publishRules).mockImplementation(
    (_, matrix) =>
      new Promise((resolve) => {
        finish = () => {
          inForce = version(2, matrix);
          resolve({ status: "ok", data: inForce });
        };
      }),
  );
  fireEvent.click(button("Check"));
  fireEvent.click(await screen.findByRole("button", { name: "Publish" }));
  clickBox(0);
  // It is taken back, and published all the same.
  clickBox(1);
  expect(boxes()).toEqual([false, false]);
  await act(async () => finish?.());
  const cells = [LIST, GET].map((scope) => ({ role: "clerk", scope, allowed: false }));
  await waitFor(() => expect(kept).toEqual({ ...noEdits, stamp: "stamp 2", cells }));
  expect(boxes()).toEqual([false, false]);
});

test("a publication is announced, and the focus goes on beside the button that has gone", async () => {
  await allowList();
  fireEvent.click(button("Check"));
  const publish = await screen.findByRole("button", { name: "Publish" });
  publish.focus();
  fireEvent.click(publish);
  const words = "Version 2 is published, and decides the next request of everybody.";
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith(words));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Nothing changed."));
});

test("changes that are discarded leave the focus beside the button", async () => {
  await allowList();
  button("Discard changes").focus();
  fireEvent.click(button("Discard changes"));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Nothing changed."));
});

test("changes that cannot be read are not replaced by a first one", async () => {
  await allowList();
  cleanup();
  client.clear();
  const [stale] = errors.staleBinding;
  vi.mocked(commands.ruleEdits).mockResolvedValue({
    status: "error",
    error: stale ?? expect.fail("there is a sample of every kind"),
  });
  open();
  await screen.findByRole("alert");
  expect(screen.queryAllByRole("checkbox")).toEqual([]);
  expect(kept.cells).toHaveLength(1);
});
