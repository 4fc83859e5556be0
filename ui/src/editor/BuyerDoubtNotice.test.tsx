/** Tests of the question whether a buyer is in the right organization: when it is asked, and how it is answered. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { content, errors, organizations } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { BuyerContent, BuyerDoubt, CommandError, PartyView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { requestWindow } from "../windows/requestedWindow";
import { BuyerFields } from "./BuyerFields";

vi.mock("../components/announce");
vi.mock("../state/withBinding");
vi.mock("../windows/requestedWindow");
vi.mock("./BuyerNameField", () => ({ BuyerNameField: () => null }));
vi.mock("./KnownBuyerNotice", () => ({ KnownBuyerNotice: () => null }));
vi.mock("./details/BuyerMore", () => ({ BuyerMore: () => null }));
vi.mock("../components/Select", () => ({ Select: () => null }));

const [own = expect.fail("there are sample organizations"), other = expect.fail("there are two")] = organizations;
const [offline = expect.fail("there is a sample of every kind")] = errors.offline;
const party = { key: "p", buyer: content.buyer } as unknown as PartyView;
const TAX_ID = "310298765400003";
const elsewhere: BuyerDoubt = { kind: "knownElsewhere", organization: other.id };

let client: ReturnType<typeof createQueryClient>;

beforeEach(() => {
  vi.mocked(requestWindow).mockClear();
  runWithBinding();
  Element.prototype.scrollIntoView = () => undefined;
  client = createQueryClient();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Form({ taxId }: { taxId: string }) {
  const [buyer, setBuyer] = useState<BuyerContent>({ ...content.buyer, taxId });
  const change = (path: string, text: string) => {
    if (path === "buyer.taxId") setBuyer((before) => ({ ...before, taxId: text }));
  };
  return (
    <BuyerFields
      buyer={buyer}
      onFieldChange={change}
      isDisabled={false}
      onParty={() => undefined}
      onKept={() => undefined}
      chosen={null}
      country="SA"
      errors={0}
      dispatch={() => undefined}
    />
  );
}

/** The form of a buyer with this tax id, with these answers of the core. */
function show(doubt: BuyerDoubt | null, known: PartyView | CommandError | null, taxId: string) {
  const asked = vi.spyOn(commands, "buyerDoubt").mockResolvedValue({ status: "ok", data: doubt });
  const searched = vi
    .spyOn(commands, "knownParty")
    .mockResolvedValue(known && "kind" in known ? { status: "error", error: known } : { status: "ok", data: known });
  renderInWorkspace(<Form taxId={taxId} />, { client });
  return { asked, searched, field: screen.getByRole("textbox", { name: "Tax id" }) };
}

/** Types a tax id with these answers of the core, and leaves its field. */
function typeTaxId(doubt: BuyerDoubt | null, known: PartyView | CommandError | null = null) {
  const { asked, searched, field } = show(doubt, known, content.buyer.taxId);
  fireEvent.change(field, { target: { value: TAX_ID } });
  expect(asked, "nothing is looked up while somebody types").not.toHaveBeenCalled();
  fireEvent.blur(field);
  return { asked, searched, field };
}

/** Until the core was asked so often, and has answered. */
const isAnswered = (command: MockInstance, times: number) =>
  waitFor(() => {
    expect(command).toHaveBeenCalledTimes(times);
    expect(client.isFetching()).toBe(0);
  });

const notice = () => plainText(document.querySelector("[aria-live=off]")?.textContent ?? "");
const isAsked = (text: string) => waitFor(() => expect(notice()).toContain(text));

test("a buyer that another organization alone has is asked about when its field is left, until somebody agrees", async () => {
  const { field } = typeTaxId(elsewhere);
  await isAsked(`is a buyer of ${other.name}, and not of ${own.name} so far`);
  fireEvent.click(screen.getByRole("button", { name: /in a new window/ }));
  expect(requestWindow).toHaveBeenCalledExactlyOnceWith(other.id);
  fireEvent.click(screen.getByRole("button", { name: "Yes, it is" }));
  fireEvent.blur(field);
  expect(notice()).toBe("");
  await waitFor(() => expect(document.activeElement, "the button has gone").toBe(field));
});

test("a buyer that was agreed to by its name is not asked about again when its tax id is typed", async () => {
  const { searched, field } = show(elsewhere, null, "");
  fireEvent.blur(field);
  await isAsked("Is this the right organization?");
  fireEvent.click(screen.getByRole("button", { name: "Yes, it is" }));
  fireEvent.change(field, { target: { value: TAX_ID } });
  fireEvent.blur(field);
  await isAnswered(searched, 2);
  expect(notice()).toBe("");
});

test("the question goes when another buyer is typed", async () => {
  const { field } = typeTaxId(elsewhere);
  await isAsked("Is this the right organization?");
  fireEvent.change(field, { target: { value: "31029876540000" } });
  expect(notice()).toBe("");
});

test("a buyer that the service knows in this organization is not asked about", async () => {
  const { searched } = typeTaxId(elsewhere, party);
  await isAnswered(searched, 1);
  expect(notice()).toBe("");
});

test("a buyer of which it cannot be found out whether this organization has it is not asked about", async () => {
  const { searched } = typeTaxId(elsewhere, offline);
  await isAnswered(searched, 1);
  expect(notice()).toBe("");
});

test("a field that is left moves nothing at once, as a click may have left it", () => {
  vi.useFakeTimers();
  const { asked } = typeTaxId(elsewhere);
  act(() => vi.advanceTimersByTime(300));
  expect(asked).not.toHaveBeenCalled();
  act(() => vi.advanceTimersByTime(200));
  expect(asked).toHaveBeenCalledOnce();
});

test("a buyer that is the organization itself is asked about without a search", async () => {
  const { searched } = typeTaxId({ kind: "ownTaxId" });
  await isAsked(`the tax id of ${own.name} itself`);
  expect(searched).not.toHaveBeenCalled();
});
