/** Tests of what is recorded as a payment: also where its fate is not known, and where a field is not filled in. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import type { DateFieldProps } from "../components/DateField";
import { showWindowError } from "../errors/windowError";
import { errors, organizations, row } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { CommandError, NewPayment, PaymentsView, PendingRetry } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { RecordPaymentDialog } from "./RecordPaymentDialog";

vi.mock("../state/withBinding");
vi.mock("../components/announce");
vi.mock("../errors/ErrorNotice");
vi.mock("../errors/windowError");
vi.mock("../errors/RetryNotice", () => ({ RetryNotice: () => <p>It is tried again</p> }));
vi.mock("../components/DateField", () => ({
  DateField: ({ keepsUnfinished, value, onChange }: DateFieldProps) => (
    <input aria-label="Day" value={value} onChange={({ target }) => keepsUnfinished && onChange(target.value)} />
  ),
}));
vi.mock("../components/Select", () => ({ Select: () => null }));
vi.mock("../components/Modal");

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const proposal: NewPayment = {
  key: "p",
  document: row.key,
  date: "2026-11-26",
  currency: "SAR",
  amount: "100.00",
  means: "",
  reference: "",
  note: "",
  refund: false,
};
const [unknown = expect.fail("there is a sample of every kind")] = errors.unknownOutcome;
const [offline = expect.fail("there is a sample of every kind")] = errors.offline;
const onClose = vi.fn();

/** The payments that were sent, and their answers. */
let sent: { payment: NewPayment; answer: (error: CommandError | null) => void }[];

beforeEach(() => {
  sent = [];
  onClose.mockClear();
  vi.mocked(showWindowError).mockClear();
  vi.spyOn(commands, "newPayment").mockResolvedValue({ status: "ok", data: proposal });
  vi.spyOn(commands, "recordPayment").mockImplementation(
    (_, payment) =>
      new Promise((resolve) => {
        const data: PaymentsView = { balance: null, payments: [], offlineAsOf: null };
        const answer = (error: CommandError | null) => resolve(error ? { status: "error", error } : { status: "ok", data });
        sent.push({ payment, answer });
      }),
  );
  runWithBinding();
});
afterEach(cleanup);

async function open(retries: readonly PendingRetry[] = []) {
  const { unmount } = renderInWorkspace(<RecordPaymentDialog row={row} onClose={onClose} />, { workspace: { retries } });
  await screen.findByRole("textbox", { name: /Amount/ });
  return { unmount };
}

const amount = () => screen.getByRole<HTMLInputElement>("textbox", { name: /Amount/ });
const record = () => fireEvent.click(screen.getByRole("button", { name: "Record" }));
const answer = (error: CommandError | null) => act(async () => sent.at(-1)?.answer(error));

test("a payment that may have been recorded is sent again as it was, and not with another amount", async () => {
  await open();
  record();
  fireEvent.change(amount(), { target: { value: "50" } });
  await answer(unknown);
  expect(amount().readOnly).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  await answer(offline);
  expect(amount().readOnly, "the first attempt may still be recorded").toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  await answer(null);
  expect(sent.map(({ payment }) => payment)).toEqual([proposal, proposal, proposal]);
  expect(onClose).toHaveBeenCalledOnce();
});

test("a payment that was refused can be changed", async () => {
  await open();
  record();
  await answer({ kind: "staleBinding" });
  expect(amount().readOnly).toBe(false);
  fireEvent.change(amount(), { target: { value: "50" } });
  record();
  expect(sent.at(-1)?.payment.amount).toBe("50");
});

test("the failure of a payment whose dialog was closed meanwhile is said above the screen", async () => {
  const { unmount } = await open();
  record();
  unmount();
  await answer(unknown);
  await waitFor(() => expect(showWindowError).toHaveBeenCalledExactlyOnceWith(unknown));
});

test("a payment that is sent again by itself says so in its dialog", async () => {
  const retry = { id: 1, command: "record_payment", organization: organization.id } as PendingRetry;
  await open([retry]);
  expect(screen.queryByText("It is tried again")).toBeNull();
  record();
  expect(screen.getByText("It is tried again")).toBeTruthy();
});

test("the button keeps the focus while the payment is sent, and sends it once", async () => {
  await open();
  record();
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Record" });
  // A button that is disabled loses it.
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  record();
  expect(sent).toHaveLength(1);
});

test("a payment that is under way is not said to be unrecorded or discarded when its dialog is closed", async () => {
  await open();
  fireEvent.change(amount(), { target: { value: "50" } });
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("alert").textContent).toContain("not recorded yet");
  record();
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(onClose).toHaveBeenCalledOnce();
  await answer(unknown);
  expect(screen.queryByRole("button", { name: "Discard it" })).toBeNull();
});

test("a date that is typed in part is not sent as the date that was proposed", async () => {
  await open();
  fireEvent.change(screen.getByRole("textbox", { name: "Day" }), { target: { value: "3/mm/2026" } });
  record();
  expect(sent.at(-1)?.payment.date).toBe("3/mm/2026");
});

test("a payment that is recorded after its dialog was closed closes no other one", async () => {
  vi.mocked(announce).mockClear();
  const { unmount } = await open();
  record();
  unmount();
  await answer(null);
  await waitFor(() => expect(announce).toHaveBeenCalled());
  expect(onClose).not.toHaveBeenCalled();
});
