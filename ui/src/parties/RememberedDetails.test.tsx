/** What a saved document says otherwise than is remembered is kept on request alone, each for itself or all at once. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { content, organizations, support } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { CommandError, ItemDifference, ItemView, PartyDifference, PartyView, Permissions } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { differencesQuery, setDifferences } from "./memoryQueries";
import { RememberedDetails } from "./RememberedDetails";

vi.mock("../components/announce");
vi.mock("../state/withBinding");

const { id } = organizations[0] ?? expect.fail("there are sample organizations");
const KEY = "document";
const party: PartyDifference = {
  name: { ar: "", en: "Oasis Hotels" },
  parts: ["address", "dueTerms"],
  change: { key: "p", stamp: "1", buyer: content.buyer, currency: "SAR", paymentTerms: "", dueTerms: null },
};
const price = { unitPrice: "275.00", currency: "SAR", taxCategory: "S", taxRate: "15", exemptionCode: "" };

function item(number: number): ItemDifference {
  const name = { ar: "", en: `Item ${number}` };
  const change = { key: `i${number}`, stamp: "1", name, description: { ar: "", en: "" }, unit: "DAY", price };
  return { name, parts: ["unit", "price"], change };
}

const may: Partial<Permissions> = { updateParties: true, updateItems: true };
let client: ReturnType<typeof createQueryClient>;

beforeEach(() => {
  runWithBinding();
  vi.mocked(announce).mockClear();
  client = createQueryClient();
  vi.spyOn(commands, "updateParty")
    .mockReset()
    .mockResolvedValue({ status: "ok", data: {} as PartyView });
  vi.spyOn(commands, "updateItem")
    .mockReset()
    .mockResolvedValue({ status: "ok", data: {} as ItemView });
});
afterEach(cleanup);

/** `workspace`: what differs from a window with a connection. */
function show(
  items: readonly ItemDifference[],
  ofParty: PartyDifference | null = party,
  permissions = may,
  workspace: object = {},
) {
  vi.spyOn(commands, "permissions").mockResolvedValue({ status: "ok", data: permissions as Permissions });
  setDifferences(client, id, KEY, { party: ofParty, items: [...items] });
  renderInWorkspace(
    <aside data-detail="" tabIndex={-1}>
      <RememberedDetails documentKey={KEY} />
    </aside>,
    { client, workspace },
  );
}

const shown = () => plainText(document.querySelector("aside")?.textContent ?? "");
/** Presses a button once nothing else is under way. */
async function press(name: string) {
  const button = await screen.findByRole("button", { name: (shownName) => plainText(shownName) === name });
  await waitFor(() => expect(button.getAttribute("aria-disabled")).not.toBe("true"));
  button.focus();
  fireEvent.click(button);
}

/** What is said of details that are kept. */
const saidKept = () => vi.mocked(announce).mock.calls.flatMap(([text]) => (text.endsWith(" kept.") ? [plainText(text)] : []));
const told = () => client.getQueryData(differencesQuery(id, KEY).queryKey);

test("one difference is named with its parts, and kept as the core has told it", async () => {
  show([]);
  const words = "What is remembered of Oasis Hotels differs from this document: address, due date terms.";
  await waitFor(() => expect(shown()).toContain(words));
  await press("Keep the new details of Oasis Hotels");
  await waitFor(() => expect(shown()).toBe(""));
  expect(vi.mocked(commands.updateParty).mock.calls.map(([, change]) => change)).toEqual([party.change]);
  expect(saidKept()).toEqual(["The new details of Oasis Hotels are kept."]);
});

test("several are kept each for itself, or all at once and told of once, also those that are not shown", async () => {
  const items = [1, 2, 3, 4, 5].map(item);
  show(items);
  await waitFor(() => expect(shown()).toContain("2 more items differ."));
  await press("Keep the new details of Item 2");
  await waitFor(() => expect(told()?.items.map(({ change }) => change.key)).toEqual(["i1", "i3", "i4", "i5"]));
  const [next] = screen.getAllByRole("button");
  await waitFor(() => expect(document.activeElement, "the button of Item 2 has gone").toBe(next));
  await press("Keep all");
  await waitFor(() => expect(shown()).toBe(""));
  expect(saidKept()).toEqual(["The new details of Item 2 are kept.", "All new details are kept."]);
  const kept = vi.mocked(commands.updateItem).mock.calls.map(([, { key }]) => key);
  expect(kept).toEqual(["i2", "i1", "i3", "i4", "i5"]);
  expect(commands.updateParty).toHaveBeenCalledOnce();
});

test("what is left as it is remembered is not told again, and changes nothing", async () => {
  show([item(1)]);
  await press("Leave as remembered");
  await waitFor(() => expect([shown(), told()]).toEqual(["", null]));
  expect(commands.updateItem).not.toHaveBeenCalled();
});

test("only what the person may change is offered", async () => {
  show([item(1)], party, { updateParties: false, updateItems: true });
  await waitFor(() => expect(shown()).toContain("Item 1"));
  expect(shown()).not.toContain("Oasis");
});

test("without a connection nothing is offered", async () => {
  show([], party, may, { session: { connectivity: { state: "offline", since: "" } } });
  show([]);
  expect(await screen.findAllByRole("button", { name: /^Keep the new details/ })).toHaveLength(1);
});

test("after a conflict the document is compared with what is remembered now", async () => {
  const conflict: CommandError = { kind: "aborted", current: null, support: { ...support, operation: "update_item" } };
  vi.mocked(commands.updateItem).mockResolvedValue({ status: "error", error: conflict });
  const now = item(1);
  now.change.stamp = "2";
  vi.spyOn(commands, "rememberDocument").mockResolvedValue({ status: "ok", data: { party: null, items: [now] } });
  show([item(1)], null);
  await press("Keep the new details of Item 1");
  await screen.findByText(/Someone else changed what is remembered/);
  expect(told()?.items[0]?.change.stamp).toBe("2");
});
