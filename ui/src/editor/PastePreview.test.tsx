/** What the preview of a paste says about units that it does not know, and which fields it offers. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { PastePreview } from "./PastePreview";
import type { PastedTable } from "./pastedTable";

vi.mock("../components/Modal");
afterEach(cleanup);

test("units that are not known are marked in their cells and listed", () => {
  const rows = [
    ["Gloves", "2", "box"],
    ["Masks", "5", "BX"],
    ["Sand", "3", "wagon"],
    ["Salt", "1", "wagon"],
  ];
  const table: PastedTable = { rows, hasHeader: false, fields: ["description", "quantity", "unit"] };
  const onInsert = vi.fn();
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <PastePreview table={table} onInsert={onInsert} onClose={() => undefined} />
    </LocalizerProvider>,
  );
  expect(screen.getByText(/Not known here as a unit: .*wagon/)).toBeTruthy();
  expect(screen.getAllByLabelText("Unknown unit").map((mark) => mark.closest("td")?.textContent)).toEqual(["wagon", "wagon"]);
  fireEvent.click(screen.getByRole("button", { name: /Insert/ }));
  expect(onInsert.mock.calls[0]?.[0].map(({ unit }: { unit?: string }) => unit)).toEqual(["XBX", "XBX", undefined, undefined]);
});

test("a column can become the item code or the description in one language", () => {
  const table: PastedTable = {
    rows: [["A-1", "Gloves", "قفازات"]],
    hasHeader: false,
    fields: ["itemCode", "descriptionEn", "descriptionAr"],
  };
  const onInsert = vi.fn();
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <PastePreview table={table} onInsert={onInsert} onClose={() => undefined} />
    </LocalizerProvider>,
  );
  for (const name of ["Item code", "Description in English", "Description in Arabic"])
    expect(screen.getByRole("button", { name: new RegExp(name) })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /Insert/ }));
  expect(onInsert).toHaveBeenCalledExactlyOnceWith([{ itemCode: "A-1", description: { en: "Gloves", ar: "قفازات" } }]);
});
