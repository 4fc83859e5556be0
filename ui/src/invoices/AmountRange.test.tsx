/** What becomes of the amounts of a filter as they are typed: the list, or words at the field. */

import { useQuery } from "@tanstack/react-query";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { organizations } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { InvoicePage, Violation } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { type InvoiceFilter, noFilter, pageQuery } from "../queries/invoicePages";
import { AmountRange } from "./AmountRange";

vi.mock("../state/withBinding");

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const page: InvoicePage = { rows: [], total: 0, sums: [], hasAuthority: false, asOf: "", offline: false };
const violation = (end: string, rule: string): Violation => ({
  field: null,
  path: `filter.gross.${end}`,
  rule,
  description: "",
});

/** What the core finds wrong with a range; `null` while it has not answered. */
let check: (from: string, to: string) => Violation[] | null;
/** The filters that the list has had after its first one, the last one last. */
let filters: InvoiceFilter[];

beforeEach(() => {
  // No time passes but what a test lets pass.
  vi.useFakeTimers();
  filters = [];
  check = () => [];
  runWithBinding();
  vi.spyOn(commands, "listInvoices").mockResolvedValue({ status: "ok", data: page });
  vi.spyOn(commands, "checkAmounts").mockImplementation(async (_, from, to) => {
    const found = check(from, to);
    if (found === null) return new Promise(() => {});
    return { status: "ok", data: found };
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
  useQuery(pageQuery(organization.id, filter, 0));
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

async function open(first: InvoiceFilter = noFilter) {
  renderInWorkspace(<List first={first} />);
  await settle();
}

/** Lets what is answered arrive, which takes no time. */
async function settle() {
  for (let step = 0; step < 3; step++) await act(() => vi.advanceTimersByTimeAsync(0));
}

function typeOnly(label: string, text: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
}

async function type(label: string, text: string) {
  typeOnly(label, text);
  await settle();
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const amounts = () => filters.map(({ grossFrom, grossTo }) => [grossFrom, grossTo]);

test("amounts are left to the core as they were typed, and filter the list at once", async () => {
  await open();
  await type("From", " ١٬٠٩١٫٥٠");
  await type("To", "2,000,000");
  expect(amounts()).toEqual([
    ["١٬٠٩١٫٥٠", ""],
    ["١٬٠٩١٫٥٠", "2,000,000"],
  ]);
  await type("From", "");
  expect(amounts().at(-1)).toEqual(["", "2,000,000"]);
  await type("To", "");
  expect(amounts().at(-1)).toEqual(["", ""]);
});

test("amounts are read in the currencies of the filter", async () => {
  await open({ ...noFilter, currency: ["KWD"] });
  await type("From", "1.234");
  expect(commands.checkAmounts).toHaveBeenLastCalledWith(expect.anything(), "1.234", "", ["KWD"]);
});

test("an amount that cannot be read is named at its field at once, and the list stays as it was", async () => {
  check = (_, to) => (to === "1,234" ? [violation("to", "INV-AMBIGUOUS")] : []);
  await open();
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

test("what is wrong with an amount stays while the next letter is checked", async () => {
  check = () => [violation("from", "INV-NUMBER")];
  await open();
  await type("From", "m");
  check = () => null;
  await type("From", "ma");
  expect(screen.getByText(/cannot be read as one number/)).toBeTruthy();
  await type("From", "");
  expect(screen.queryByText(/cannot be read as one number/)).toBeNull();
});

test("an amount that a saved view has and nobody can read is named when its filter is opened", async () => {
  check = () => [violation("from", "INV-NUMBER")];
  await open({ ...noFilter, grossFrom: "many" });
  expect(screen.getByText(/cannot be read as one number/)).toBeTruthy();
  expect(amounts()).toEqual([]);
});

test("while the service has not answered, only the latest amount follows, after a second at the most", async () => {
  await open();
  vi.mocked(commands.listInvoices).mockReturnValue(new Promise(() => {}));
  await type("From", "1");
  await type("From", "10");
  await type("From", "100");
  expect(amounts()).toEqual([["1", ""]]);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(amounts()).toEqual([
    ["1", ""],
    ["100", ""],
  ]);
});

test("an amount that the core cannot check is left to the list, which says why", async () => {
  await open();
  vi.mocked(commands.checkAmounts).mockResolvedValue({ status: "error", error: { kind: "staleBinding" } });
  await type("From", "100");
  expect(amounts()).toEqual([["100", ""]]);
  expect(screen.getByLabelText("From").getAttribute("aria-invalid")).toBeNull();
});

test("an amount that is typed just before the filter is closed filters the list", async () => {
  await open();
  typeOnly("From", "5000");
  press("Close");
  expect(amounts()).toEqual([["5000", ""]]);
});

test("a filter that is closed after its amounts were applied, or refused, changes nothing", async () => {
  await open();
  await type("From", "100");
  press("Close");
  expect(amounts()).toEqual([["100", ""]]);
  cleanup();
  filters = [];
  check = () => [violation("to", "INV-AMBIGUOUS")];
  await open();
  await type("To", "1,234");
  press("Close");
  expect(amounts()).toEqual([]);
});

test("a view that is opened meanwhile has its own amounts", async () => {
  await open();
  await type("From", "100");
  press("Drafts");
  await settle();
  expect(screen.getByLabelText<HTMLInputElement>("From").value).toBe("");
  expect(filters).toEqual([{ ...noFilter, grossFrom: "100" }, drafts]);
});

test("an amount that is typed just before a view is opened is not put into that view", async () => {
  await open();
  typeOnly("From", "5000");
  press("Drafts");
  await settle();
  expect(screen.getByLabelText<HTMLInputElement>("From").value).toBe("");
  expect(filters).toEqual([drafts]);
});

test("a view stays open when the amount that was typed just before goes with its filter", async () => {
  await open({ ...noFilter, grossFrom: "100" });
  typeOnly("From", "5000");
  press("Drafts of any amount");
  await settle();
  expect(filters).toEqual([drafts]);
});
