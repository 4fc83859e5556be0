/** Tests of the text beside an entry of the command palette. */

import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { EntryRow } from "./EntryRow";

afterEach(cleanup);

test("a date keeps its direction beside a name of the other script", () => {
  const entry = { id: "e", kind: "document" as const, label: "INV-7", also: [], icon: null, run: () => undefined };
  render(
    <div role="listbox">
      <EntryRow
        id="e"
        entry={{ ...entry, detail: ["Al-Khair", "14 نوفمبر 2026"] }}
        ranges={[]}
        active={false}
        onActive={() => undefined}
        onChoose={() => undefined}
      />
    </div>,
  );
  for (const text of ["Al-Khair", "14 نوفمبر 2026"]) expect(screen.getByText(text).getAttribute("dir")).toBe("auto");
  expect(screen.getByRole("option").textContent).toBe("INV-7Al-Khair  14 نوفمبر 2026");
});
