/** Tests of the choice in a conflict: the chosen side has a mark beside its colour. */

import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { ConflictChoice } from "./ConflictChoice";
import type { Conflict, Side } from "./partMerge";

afterEach(cleanup);

const conflict: Conflict = {
  id: "note",
  subject: { of: "document", path: "note" },
  base: "Before",
  mine: "Ring at the gate",
  theirs: "Use the back door",
  sides: ["mine", "theirs"],
};

/** For each side whether it has the mark, and whether its radio is chosen. */
function chosen(side: Side | null) {
  const { container } = render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <ConflictChoice
        conflict={conflict}
        currency="SAR"
        side={side}
        takesFocus={false}
        onChoose={() => undefined}
        onKeyDown={() => undefined}
      />
    </LocalizerProvider>,
  );
  const marks = [...container.querySelectorAll("label")].map((label) => label.querySelector("[data-chosen]") !== null);
  return { marks, radios: screen.getAllByRole<HTMLInputElement>("radio").map(({ checked }) => checked) };
}

test("without a choice no side has a mark", () => {
  expect(chosen(null)).toEqual({ marks: [false, false], radios: [false, false] });
});

test("the chosen side has a mark, and is announced as a chosen radio", () => {
  expect(chosen("theirs")).toEqual({ marks: [false, true], radios: [false, true] });
});
