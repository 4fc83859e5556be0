/** The last choice of a field of codes leads to all others of its list: by code, by name, by keys. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SelectProps } from "../components/Select";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { Language } from "../ipc/bindings";
import { CodeSelect } from "./CodeSelect";
import { type CodeList, currencyList, taxCategoryList, unitList } from "./codeLists";
import { reasonList } from "./details/reasonCodes";

vi.mock("../components/announce");
vi.mock("../components/Modal");
vi.mock("../components/Select", () => ({
  Select: ({ choices, onChange }: SelectProps<string>) =>
    choices.map(({ id, label }) => (
      <button key={id} type="button" onClick={() => onChange(id)}>
        {label}
      </button>
    )),
}));
const onChange = vi.fn();

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
  onChange.mockClear();
});
afterEach(cleanup);

function show(list: CodeList, language: Language = "en") {
  renderInWorkspace(<CodeSelect label="Field" value="" list={list} onChange={onChange} />, { language });
}

/** Opens the list of all codes and types into its field. */
async function search(list: CodeList, typed: string, language: Language = "en") {
  show(list, language);
  fireEvent.click(await screen.findByRole("button", { name: language === "ar" ? "رمز آخر…" : "Another code…" }));
  const field = await screen.findByRole("combobox");
  fireEvent.change(field, { target: { value: typed } });
  const press = (key: string) => fireEvent.keyDown(field, { key });
  return { field, press };
}

test.each([
  ["en", "a word of its name", currencyList, "tunis", "TND"],
  ["en", "its code", unitList, "nmp", "NMP"],
  ["ar", "its name in Arabic", unitList, "كرتون", "XCT"],
] as const)("(%s) a code that is not common is chosen by %s", async (language, _, list, typed, code) => {
  const { field, press } = await search(list, typed, language);
  const option = screen.getAllByRole("option")[0];
  expect(option?.getAttribute("aria-selected")).toBe("true");
  expect(field.getAttribute("aria-activedescendant")).toBe(option?.id);
  expect(onChange).not.toHaveBeenCalled();
  press("Enter");
  expect(onChange).toHaveBeenCalledExactlyOnceWith(code);
});

test("arrows move through all codes, and a click chooses one", async () => {
  const { press } = await search(taxCategoryList, "");
  expect(screen.getAllByRole("option")).toHaveLength(10);
  press("ArrowUp");
  press("Enter");
  fireEvent.click(screen.getByRole("option", { name: /Export/ }));
  expect(onChange.mock.calls).toEqual([["B"], ["G"]]);
});

test("of many codes the first are shown, with how many there are beside them", async () => {
  await search(unitList, "");
  expect(document.querySelectorAll("[role=option]")).toHaveLength(200);
  expect(screen.getByText(/^And .*1,?962.* more codes/)).toBeTruthy();
});

test("a code that is in no list is taken as typed where the rules of some country accept it", async () => {
  const { press } = await search(unitList, "q9x");
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([expect.stringContaining("Q9X")]);
  press("Enter");
  expect(onChange).toHaveBeenCalledExactlyOnceWith("Q9X");
});

test("elsewhere nothing is found, and nothing chosen", async () => {
  const { press } = await search(currencyList, "q9x");
  expect(screen.getByText("Nothing fits.")).toBeTruthy();
  press("Enter");
  expect(onChange).not.toHaveBeenCalled();
});

test("a common code is chosen at once, and a list that is offered whole has no last choice", async () => {
  show(reasonList("allowance"));
  fireEvent.click(await screen.findByRole("button", { name: "Special rebate" }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith("100");
  expect(screen.queryByRole("button", { name: /Another code/ })).toBeNull();
});
