/** What becomes of the amounts of a filter as they are typed: the list, or words at the field. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { CommandError, InvoicePage, InvoiceQuery, Violation } from "../ipc/bindings";
import { CommandFailure, commands } from "../ipc/call";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { AmountRange } from "./AmountRange";

vi.mock("../state/withBinding");

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const page: InvoicePage = { rows: [], total: 0, sums: [], hasAuthority: false, asOf: "", offline: false };
const support = {
  code: null,
  status: null,
  reason: "",
  operation: "list_invoices",
  organization: organization.id,
  time: "",
  correlationId: "",
  message: "",
  retryAfter: null,
};
const violation = (end: string, rule: string): Violation => ({
  field: null,
  path: `filter.gross.${end}`,
  rule,
  description: "",
});

/** What the core answers: a page, an error, or nothing yet. */
let answer: (query: InvoiceQuery) => InvoicePage | CommandError | null;
/** The filters that the list has had after its first one, the last one last. */
let filters: InvoiceFilter[];

beforeEach(() => {
  vi.useFakeTimers();
  filters = [];
  answer = () => page;
  vi.spyOn(commands, "listInvoices").mockImplementation(async (_, query) => {
    const answered = answer(query);
    if (answered === null) return new Promise(() => {});
    return "kind" in answered ? { status: "error", error: answered } : { status: "ok", data: answered };
  });
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    const answered = await command({ organization: organization.id, generation: 1 });
    if (answered.status === "error") throw new CommandFailure(answered.error);
    return answered.data;
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const drafts: InvoiceFilter = { ...noFilter, status: ["draft"] };

/** The filter, with what a key does while it is open: it closes the filter, or opens a view, with which the filter can go. */
function List({ first }: { first: InvoiceFilter }) {
  const [filter, setFilter] = useState(first);
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    if (filter !== first) filters.push(filter);
  }, [filter, first]);
  return (
    <>
      <button type="button" onClick={() => setOpen(false)}>
        Close
      </button>
      <button type="button" onClick={() => setFilter(drafts)}>
        Drafts
      </button>
      <button
        type="button"
        onClick={() => {
          setFilter(drafts);
          setOpen(false);
        }}
      >
        Drafts of any amount
      </button>
      {isOpen && <AmountRange filter={filter} onFilter={setFilter} />}
    </>
  );
}

function open(first: InvoiceFilter = noFilter) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization } as unknown as Workspace}>
          <List first={first} />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
}

/** Lets a second pass. What is rendered in one step sets the timers of the next. */
async function wait() {
  for (let step = 0; step < 10; step++) await act(() => vi.advanceTimersByTimeAsync(100));
}

async function type(label: string, text: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
  await wait();
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const amounts = () => filters.map(({ grossFrom, grossTo }) => [grossFrom, grossTo]);

test("amounts are left to the core as they were typed, and filter the list", async () => {
  open();
  await type("From", " ١٬٠٩١٫٥٠");
  await type("To", "2,000,000");
  expect(amounts()).toEqual([
    ["١٬٠٩١٫٥٠", ""],
    ["١٬٠٩١٫٥٠", "2,000,000"],
  ]);
  await type("From", "");
  expect(amounts().at(-1)).toEqual(["", "2,000,000"]);
});

test("an amount that cannot be read is named at its field, and the list stays as it was", async () => {
  answer = ({ grossTo }) =>
    grossTo === "1,234" ? { kind: "invalidArgument", violations: [violation("to", "INV-AMBIGUOUS")], support } : page;
  open();
  await type("From", "100");
  await type("To", "1,234");
  expect(amounts()).toEqual([["100", ""]]);
  const field = screen.getByLabelText("To");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText(/can be read in two ways/)).toBeTruthy();
  expect(screen.getByLabelText("From").getAttribute("aria-invalid")).toBeNull();
  await type("To", "1234");
  expect(amounts().at(-1)).toEqual(["100", "1234"]);
  expect(screen.queryByText(/can be read in two ways/)).toBeNull();
});

test("an amount that a saved view has and nobody can read is named when its filter is opened", async () => {
  answer = () => ({ kind: "invalidArgument", violations: [violation("from", "INV-NUMBER")], support });
  open({ ...noFilter, grossFrom: "many" });
  await wait();
  expect(screen.getByText(/cannot be read as one number/)).toBeTruthy();
  expect(amounts()).toEqual([]);
});

test("a service that is slow or cannot be reached does not hold the filter up: the list says so", async () => {
  answer = () => null;
  open();
  await type("From", "100");
  answer = () => ({ kind: "offline", support });
  await type("From", "200");
  expect(amounts()).toEqual([
    ["100", ""],
    ["200", ""],
  ]);
  expect(screen.getByLabelText("From").getAttribute("aria-invalid")).toBeNull();
});

test("an amount that is typed just before the filter is closed filters the list", () => {
  open();
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "5000" } });
  press("Close");
  expect(amounts()).toEqual([["5000", ""]]);
});

test("a filter that is closed after its amounts were applied, or refused, changes nothing", async () => {
  open();
  await type("From", "100");
  press("Close");
  expect(amounts()).toEqual([["100", ""]]);
  cleanup();
  filters = [];
  answer = () => ({ kind: "invalidArgument", violations: [violation("to", "INV-AMBIGUOUS")], support });
  open();
  await type("To", "1,234");
  press("Close");
  expect(amounts()).toEqual([]);
});

test("a view that is opened meanwhile has its own amounts", async () => {
  open();
  await type("From", "100");
  press("Drafts");
  await wait();
  expect(screen.getByLabelText<HTMLInputElement>("From").value).toBe("");
  expect(filters).toEqual([{ ...noFilter, grossFrom: "100" }, drafts]);
});

test("an amount that is typed just before a view is opened is not put into that view", async () => {
  open();
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "5000" } });
  press("Drafts");
  await wait();
  expect(screen.getByLabelText<HTMLInputElement>("From").value).toBe("");
  expect(filters).toEqual([drafts]);
});

test("a view stays open when the amount that was typed just before goes with its filter", async () => {
  open({ ...noFilter, grossFrom: "100" });
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "5000" } });
  press("Drafts of any amount");
  await wait();
  expect(filters).toEqual([drafts]);
});
