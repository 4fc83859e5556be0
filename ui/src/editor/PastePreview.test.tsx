/** What the preview of a paste says about units and numbers that it does not know, which fields it offers, and prices with tax. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { Language, NetPrice } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { newLine } from "./invoiceLines";
import { PastePreview } from "./PastePreview";
import type { PastedLine, PastedTable } from "./pastedTable";

vi.mock("../components/Modal");
vi.mock("../state/withBinding");
afterEach(cleanup);

const toContent = (lines: PastedLine[]) => lines.map((line) => Object.assign(newLine(undefined, "15"), line));

/** Opens the preview, and returns what receives the lines. */
function open(table: PastedTable, language: Language = "en") {
  const onInsert = vi.fn();
  renderInWorkspace(
    <PastePreview table={table} currency="SAR" toContent={toContent} onInsert={onInsert} onClose={() => undefined} />,
    { language },
  );
  return onInsert;
}

test("units that are not known are marked in their cells and listed; any code and words of the other language are known", () => {
  const rows = [
    ["Gloves", "2", "box"],
    ["Masks", "5", "BX"],
    ["Sand", "3", "wagon"],
    ["Salt", "1", "wagon"],
    ["Toner", "1", "كرتون"],
    ["Ink", "1", "XDR"],
  ];
  const table: PastedTable = { rows, hasHeader: false, fields: ["description", "quantity", "unit"] };
  const onInsert = open(table);
  expect(screen.getByText(/Not known here as a unit: .*wagon/)).toBeTruthy();
  expect(screen.getAllByLabelText("Unknown unit").map((mark) => mark.closest("td")?.textContent)).toEqual(["wagon", "wagon"]);
  fireEvent.click(screen.getByRole("button", { name: /Insert/ }));
  expect(onInsert.mock.calls[0]?.[0].map(({ unit }: { unit?: string }) => unit)).toEqual([
    "XBX",
    "XBX",
    undefined,
    undefined,
    "XCT",
    "XDR",
  ]);
});

test("a column can become the item code or the description in one language", () => {
  const table: PastedTable = {
    rows: [["A-1", "Gloves", "قفازات"]],
    hasHeader: false,
    fields: ["itemCode", "descriptionEn", "descriptionAr"],
  };
  const onInsert = open(table);
  for (const name of ["Item code", "Description in English", "Description in Arabic"])
    expect(screen.getByRole("button", { name: new RegExp(name) })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /Insert/ }));
  expect(onInsert).toHaveBeenCalledExactlyOnceWith([{ itemCode: "A-1", description: { en: "Gloves", ar: "قفازات" } }]);
});

test("cells of number columns that are no number are marked", () => {
  const rows = [
    ["Gloves", "2", "45.00", "15%"],
    ["Masks", "two", "SAR ٥", "exempt"],
    ["Sand", "", "on request", "٠٪"],
  ];
  open({ rows, hasHeader: false, fields: ["description", "quantity", "unitPrice", "taxRate"] });
  const marked = screen.getAllByLabelText("Not a number").map((mark) => mark.closest("td")?.textContent);
  expect(marked).toEqual(["two", "exempt", "on request"]);
});

/** What the core answers for each price. */
function answerNetPrices(answers: Readonly<Record<string, NetPrice>>) {
  runWithBinding();
  return vi.spyOn(commands, "netPrice").mockImplementation(async (_, price) => ({
    status: "ok",
    data: answers[price] ?? { kind: "unreadable" },
  }));
}

test.each([
  ["en", "Price (incl. VAT)", /The tax of .*15/, /For 1 line no unit price/, /1 line gets no unit price/],
  ["ar", "السعر (شامل الضريبة)", /ضريبة .*15/, /أقرب سعر/, /بلا سعر وحدة/],
] as const)("prices with tax are inserted without it, as the core computes them (%s)", async (language, header, ...notes) => {
  const netPrice = answerNetPrices({
    "115.00": { kind: "found", price: "100", isExact: true, withTax: "230.00" },
    "0.10": { kind: "none", nearest: "0.09", withTax: "0.31", typed: "0.30" },
  });
  const rows = [
    ["Item", "Qty", header],
    ["Chair", "2", "115.00"],
    ["Clip", "3", "0.10"],
    ["Desk", "1", "on request"],
    ["Lamp", "1", ""],
  ];
  const onInsert = open({ rows, hasHeader: true, fields: ["description", "quantity", "unitPriceWithTax"] }, language);
  const insert = screen.getByRole<HTMLButtonElement>("button", { name: /^(Insert|إدراج)/ });
  expect(insert.getAttribute("aria-disabled"), "before the core has answered").toBe("true");
  await waitFor(() => expect(insert.getAttribute("aria-disabled")).toBeNull());
  for (const note of notes) expect(screen.getByText(note)).toBeTruthy();
  fireEvent.click(insert);
  expect(onInsert.mock.calls[0]?.[0].map(({ unitPrice }: PastedLine) => unitPrice)).toEqual([
    "100",
    "0.09",
    undefined,
    undefined,
  ]);
  expect(netPrice.mock.calls.map(([, price, line]) => [price, line.quantity, line.taxRate])).toEqual([
    ["115.00", "2", "15"],
    ["0.10", "3", "15"],
    ["on request", "1", "15"],
  ]);
});
