/** What a form holds of a date that is not finished: what the field shows, and not the date of before, which would be sent. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { DateField } from "./DateField";

afterEach(cleanup);

function Form({ keepsUnfinished }: { keepsUnfinished: boolean }) {
  const [value, setValue] = useState("2026-12-05");
  return (
    <>
      <DateField label="Due date" value={value} onChange={setValue} keepsUnfinished={keepsUnfinished} />
      <output>{value}</output>
    </>
  );
}

function open(keepsUnfinished: boolean) {
  render(<Form keepsUnfinished={keepsUnfinished} />, {
    wrapper: ({ children }) => (
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>{children}</LocalizerProvider>
    ),
  });
}

const part = (type: string) =>
  document.querySelector<HTMLElement>(`[role=spinbutton][data-type=${type}]`) ?? expect.fail(`there is a ${type}`);
const clear = (type: string) => fireEvent.keyDown(part(type), { key: "Delete", code: "Delete" });
const type = (into: string, data: string) =>
  fireEvent(part(into), new InputEvent("beforeinput", { data, inputType: "insertText", bubbles: true, cancelable: true }));
const held = () => screen.getByRole("status").textContent;

test("a date without its day is no date until the day is typed again", () => {
  open(true);
  clear("day");
  expect(held()).toMatch(/2026/);
  expect(held()).not.toBe("2026-12-05");
  expect(part("month").textContent, "what was not deleted stays").toBe("12");
  type("day", "7");
  expect(held()).toBe("2026-12-07");
});

test("a date that is typed as it was is that date again", () => {
  open(true);
  clear("day");
  type("day", "5");
  expect(held()).toBe("2026-12-05");
});

test("a field that does not ask for it gets dates alone", () => {
  open(false);
  clear("day");
  expect(held()).toBe("2026-12-05");
});
