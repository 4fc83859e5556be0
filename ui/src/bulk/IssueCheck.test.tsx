/** Tests of the check before a bulk run: what would be refused is shown with its reason, and a check that ends early says so. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { Activity } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errors, row, support } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { BulkCheck, BulkResult, CommandError, Permissions } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { usePermissions } from "../queries/permissionsQuery";
import { type Navigation, NavigationContext } from "../state/navigation";
import { IssueCheck } from "./IssueCheck";

vi.mock("../components/announce");
vi.mock("../errors/ErrorNotice");
vi.mock("../queries/permissionsQuery");
vi.mock("../state/withBinding");
vi.mock("./FailureText", () => ({ FailureText: ({ error }: { error: CommandError }) => <p>{error.kind}</p> }));

const [invalid = expect.fail("there is a sample")] = errors.invalidArgument;
const [limited = expect.fail("there is a sample")] = errors.rateLimited;
const [offline = expect.fail("there is a sample")] = errors.offline;

/** The answers that are waited for, in their order. */
let answers: ((answer: BulkCheck | CommandError) => void)[];

beforeEach(() => {
  answers = [];
  vi.spyOn(commands, "checkBulkIssue").mockImplementation(
    () =>
      new Promise((resolve) => {
        answers.push((answer) => resolve("kind" in answer ? { status: "error", error: answer } : { status: "ok", data: answer }));
      }),
  );
  runWithBinding();
});
afterEach(cleanup);

const refusal = (key: string, error: CommandError): BulkResult => ({
  row: { ...row, key },
  outcome: { state: "failed", error },
});
const leads = () => screen.queryAllByRole("button", { name: "Open the company details" });
const show = (count: number) => renderInWorkspace(<IssueCheck selection={{ base: "rows", rows: [row] }} count={count} />);
const inWindow = (mode: "visible" | "hidden") => (
  <Activity mode={mode}>
    <IssueCheck selection={{ base: "rows", rows: [row] }} count={40} />
  </Activity>
);
const answer = (given: BulkCheck | CommandError) => act(async () => answers.at(-1)?.(given));
const part = (checked: number, next: number | null): BulkCheck => ({ checked, refused: [], next });
const shown = () => plainText(document.querySelector("p")?.textContent ?? "");
const positions = () => vi.mocked(commands.checkBulkIssue).mock.calls.map(([, , skip]) => skip);

test("a selection is checked part by part, and what would be refused has its reason", async () => {
  show(21);
  expect(shown()).toBe("Checked 0 of 21. Nothing is issued yet.");
  await answer(part(20, 20));
  expect(shown()).toBe("Checked 20 of 21. Nothing is issued yet.");
  await answer({ ...part(1, null), refused: [{ row, outcome: { state: "failed", error: invalid } }] });
  expect(positions()).toEqual([0, 20]);
  expect(shown()).toBe("Checked 21 of 21: 1 would be refused now and stay as they are.");
  const [line] = screen.getAllByRole("listitem");
  expect(line?.textContent).toContain(row.buyer.en);
  expect(line?.textContent).toContain("invalidArgument");
  expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
});

test("what would be refused because of the seller leads once to its details, and other refusals do not", async () => {
  vi.mocked(usePermissions).mockReturnValue({ ownTenant: true } as Permissions);
  const violations = [{ field: null, path: "invoice.seller.otherIds", rule: "BR-KSA-08", description: "x" }];
  const ofSeller: CommandError = { kind: "invalidArgument", violations, support };
  renderInWorkspace(
    <NavigationContext value={{ navigate: () => undefined } as unknown as Navigation}>
      <IssueCheck selection={{ base: "rows", rows: [row] }} count={3} />
    </NavigationContext>,
  );
  await answer({ checked: 1, refused: [refusal("a", invalid)], next: 1 });
  expect(leads()).toHaveLength(0);
  await answer({ checked: 2, refused: [refusal("b", ofSeller), refusal("c", ofSeller)], next: null });
  expect(screen.getAllByRole("listitem")).toHaveLength(3);
  expect(leads()).toHaveLength(1);
});

test("only a part of a large selection is checked, which is said", async () => {
  show(5000);
  await answer(part(200, null));
  expect(shown()).toBe("Checked 200 of 5,000: none would be refused. The others are checked when they are issued.");
});

test("a check that is stopped asks for no further part", async () => {
  show(40);
  fireEvent.click(screen.getByRole("button", { name: "Stop" }));
  await answer(part(20, 20));
  expect(positions()).toEqual([0]);
  expect(shown()).toBe("Checked 20 of 40: none would be refused. The others are checked when they are issued.");
});

test("a check asks for no further part once its dialog is closed", async () => {
  show(40);
  cleanup();
  await answer(part(20, 20));
  expect(positions()).toEqual([0]);
});

test("a check that has checked nothing does not say that none would be refused", async () => {
  show(40);
  await answer(offline);
  expect(shown()).toBe("Checked 0 of 40. Nothing is issued yet. The others are checked when they are issued.");
});

test("a check that the service limits ends, and does not say that it goes on by itself", async () => {
  show(40);
  await answer(part(20, 20));
  await answer(limited);
  expect(shown()).toBe("Checked 20 of 40: none would be refused. The others are checked when they are issued.");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a check that was stopped begins anew when its window is shown again", async () => {
  const { rerender } = renderInWorkspace(inWindow("visible"));
  fireEvent.click(screen.getByRole("button", { name: "Stop" }));
  rerender(inWindow("hidden"));
  rerender(inWindow("visible"));
  await answer(part(20, 20));
  await answer(part(20, null));
  expect(positions()).toEqual([0, 0, 20]);
  expect(shown()).toBe("Checked 40 of 40: none would be refused.");
});

test("a check that cannot go on says why, and what it has found until then", async () => {
  show(40);
  await answer(part(20, 20));
  await answer(offline);
  expect(shown()).toBe("Checked 20 of 40: none would be refused. The others are checked when they are issued.");
  expect(screen.getByRole("alert").textContent).toContain("offline");
});
