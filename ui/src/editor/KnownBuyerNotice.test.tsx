/** What is said of a buyer that is remembered otherwise, and that its new details are kept on request alone. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { content, support } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { BuyerContent, CommandError, PartyView, Permissions } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { KnownBuyerNotice } from "./KnownBuyerNotice";

vi.mock("../components/announce");
vi.mock("../state/withBinding");

const TAX_ID = "310298765400003";
const remembered: PartyView = {
  key: "p",
  stamp: "7",
  buyer: { ...content.buyer, name: { ar: "شركة المعرفة", en: "Knowlege Company" }, taxId: TAX_ID },
  currency: "SAR",
  paymentTerms: "",
  dueTerms: null,
  note: "",
};
const typed: BuyerContent = { ...remembered.buyer, name: { ar: "", en: "Knowledge Company" } };
const onParty = vi.fn();

beforeEach(() => {
  runWithBinding();
  onParty.mockClear();
});
afterEach(cleanup);

interface Options {
  buyer: BuyerContent;
  chosen?: PartyView;
  /** Those who have this tax id, or this English name if it is empty. */
  known: (taxId: string, name: string) => PartyView | null;
  mayUpdate?: boolean;
}

interface FormProps {
  buyer: BuyerContent;
  /** The remembered buyer that was chosen at first. */
  first: PartyView | null;
}

/** As the form: the buyer that is kept is the chosen one from then on. */
function Form({ buyer, first }: FormProps) {
  const [last, setLast] = useState(first);
  return <KnownBuyerNotice buyer={buyer} chosen={last} onParty={onParty} onKept={setLast} />;
}

function show({ buyer, chosen, known, mayUpdate = true }: Options) {
  const permissions = { updateParties: mayUpdate } as Permissions;
  vi.spyOn(commands, "permissions").mockResolvedValue({ status: "ok", data: permissions });
  vi.spyOn(commands, "knownParty").mockImplementation(async (_binding, { taxId, name }) => ({
    status: "ok",
    data: known(taxId, name.en),
  }));
  const form = (typedNow: BuyerContent) => <Form buyer={typedNow} first={chosen ?? null} />;
  const { rerender } = renderInWorkspace(form(buyer));
  const update = vi.spyOn(commands, "updateParty").mockResolvedValue({ status: "ok", data: { ...remembered, buyer } });
  return { update, type: (typedNow: BuyerContent) => rerender(form(typedNow)) };
}

const notice = () => plainText(document.querySelector("[aria-live=off]")?.textContent ?? "");
const says = (text: string) => waitFor(() => expect(notice()).toContain(text));
const keepButton = () => screen.findByRole("button", { name: /^Keep the new details of/ });

test("a buyer with a known tax id and another name is offered as it is remembered, or kept as it was typed", async () => {
  let now = remembered;
  const { update } = show({ buyer: typed, known: (taxId) => (taxId === TAX_ID ? now : null) });
  await says("Knowlege Company has the same tax id");
  fireEvent.click(screen.getByRole("button", { name: "Fill in this buyer" }));
  expect(onParty).toHaveBeenCalledExactlyOnceWith(remembered);
  expect(update).not.toHaveBeenCalled();
  const button = await keepButton();
  now = { ...remembered, buyer: typed };
  fireEvent.click(button);
  await waitFor(() => expect(update).toHaveBeenCalledOnce());
  const change = { key: "p", stamp: "7", buyer: typed, currency: "", paymentTerms: "", dueTerms: null };
  expect(update.mock.calls[0]?.[1]).toEqual(change);
  await waitFor(() => expect(notice(), "it is remembered as it was typed").toBe(""));
});

test("a buyer with another tax id than its name is remembered with would be a second one", async () => {
  const buyer = { ...remembered.buyer, taxId: "310298765500003" };
  show({ buyer, known: (taxId) => (taxId === "" ? remembered : null) });
  await says(`Knowlege Company is remembered with the tax id ${TAX_ID}`);
  await keepButton();
});

test("a buyer that has got a tax id would be a second one", async () => {
  const without = { ...remembered, buyer: { ...remembered.buyer, taxId: "" } };
  show({ buyer: remembered.buyer, known: (taxId) => (taxId === "" ? without : null) });
  await says("is remembered without a tax id");
});

const chosen: PartyView = { ...remembered, buyer: { ...remembered.buyer, taxId: "" } };
const renamed: BuyerContent = { ...chosen.buyer, name: typed.name };
const byFormerName = (_taxId: string, name: string) => (name === "Knowlege Company" ? chosen : null);

test("a chosen buyer without a tax id that has got another name, and no other address, would be a second one", async () => {
  show({ buyer: { ...renamed, city: "Dammam" }, chosen, known: byFormerName });
  show({ buyer: renamed, chosen, known: byFormerName });
  await says("This buyer is remembered as Knowlege Company");
  expect(await screen.findAllByRole("button", { name: /^Keep the new details of/ })).toHaveLength(1);
});

test("a chosen buyer that somebody else has changed since is kept as it is then", async () => {
  const now = { ...chosen, stamp: "8" };
  const { update } = show({ buyer: renamed, chosen, known: (_taxId, name) => (name === "Knowlege Company" ? now : null) });
  fireEvent.click(await keepButton());
  await waitFor(() => expect(update.mock.calls.map(([, { stamp }]) => stamp)).toEqual(["8"]));
});

test("a buyer that is renamed again after its new name was kept is offered again", async () => {
  let now = chosen;
  const known = (_taxId: string, name: string) => (name === now.buyer.name.en ? now : null);
  const { update, type } = show({ buyer: renamed, chosen, known });
  update.mockImplementation(async (_binding, { buyer }) => {
    now = { ...chosen, stamp: "8", buyer };
    return { status: "ok", data: now };
  });
  fireEvent.click(await keepButton());
  await waitFor(() => expect(notice()).toBe(""));
  type({ ...renamed, name: { ar: "", en: "Knowledge Group" } });
  await says("This buyer is remembered as Knowledge Company");
});

test("who may change no remembered buyer is offered the remembered one alone", async () => {
  show({ buyer: typed, known: (taxId) => (taxId === TAX_ID ? remembered : null), mayUpdate: false });
  await says("has the same tax id");
  expect(screen.queryByRole("button", { name: /Keep/ })).toBeNull();
});

test("a change of somebody else is explained, and the buyer is read again", async () => {
  const noor: PartyView = { ...remembered, key: "q", buyer: { ...remembered.buyer, name: { ar: "", en: "Noor" } } };
  const { update, type } = show({ buyer: typed, known: (taxId) => (taxId === TAX_ID ? remembered : noor) });
  const conflict: CommandError = { kind: "aborted", current: null, support: { ...support, operation: "update_party" } };
  update.mockResolvedValue({ status: "error", error: conflict });
  const button = await keepButton();
  const asked = vi.mocked(commands.knownParty).mock.calls.length;
  fireEvent.click(button);
  await screen.findByText(/Someone else changed what is remembered/);
  await waitFor(() => expect(vi.mocked(commands.knownParty).mock.calls.length).toBeGreaterThan(asked));
  await says("Knowlege Company has the same tax id");
  expect(screen.queryByText(/Someone else changed/), "it stays while the buyer is read").not.toBeNull();
  type({ ...typed, taxId: "310298765500003" });
  await says("Noor has the same tax id");
  expect(screen.queryByText(/Someone else changed/), "it was about the other buyer").toBeNull();
});
