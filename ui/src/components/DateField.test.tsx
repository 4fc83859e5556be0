/** What a form holds of a date that is not finished: what the field shows, and not the date of before, which would be sent. */

import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, expect, test } from "vitest";
import { withLatinDigits } from "../i18n/digits";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { Digits } from "../ipc/bindings";
import { DateField } from "./DateField";

afterEach(cleanup);

/** Values that the field has had, and the next one from outside, as by undo. */
let told: string[];
let setOutside: (value: string) => void;

interface FormProps {
  keepsUnfinished: boolean;
  isShown?: boolean;
  isDisabled?: boolean;
}

function Form({ keepsUnfinished, isShown = true, isDisabled = false }: FormProps) {
  const [value, setValue] = useState("2026-12-05");
  useEffect(() => {
    setOutside = setValue;
  }, []);
  const onChange = (next: string) => {
    told.push(next);
    setValue(next);
  };
  return (
    <>
      {isShown && (
        <DateField label="Due date" value={value} onChange={onChange} keepsUnfinished={keepsUnfinished} isDisabled={isDisabled} />
      )}
      <output>{value}</output>
    </>
  );
}

function open(keepsUnfinished: boolean, digits: Digits = "latin") {
  told = [];
  const { rerender } = render(<Form keepsUnfinished={keepsUnfinished} />, {
    wrapper: ({ children }) => (
      <LocalizerProvider preferences={{ language: digits === "latin" ? "en" : "ar", theme: "light", digits }}>
        {children}
      </LocalizerProvider>
    ),
  });
  return {
    /** Leaves the field and shows it again. */
    showAgain: (isDisabled = false) => {
      rerender(<Form keepsUnfinished={keepsUnfinished} isShown={false} />);
      rerender(<Form keepsUnfinished={keepsUnfinished} isDisabled={isDisabled} />);
    },
    enable: () => rerender(<Form keepsUnfinished={keepsUnfinished} />),
  };
}

const part = (name: string) =>
  document.querySelector<HTMLElement>(`[role=spinbutton][data-type=${name}]`) ?? expect.fail(`there is a ${name}`);
const clear = (name: string) => fireEvent.keyDown(part(name), { key: "Delete", code: "Delete" });
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

const digitsOf = (name: string) => withLatinDigits(part(name).textContent ?? "");

test.each<Digits>(["latin", "arabic"])("an unfinished date that is shown again has its parts, in %s digits", (digits) => {
  const { showAgain } = open(true, digits);
  clear("day");
  const before = held();
  told = [];
  showAgain();
  expect([digitsOf("month"), digitsOf("year")]).toEqual(["12", "2026"]);
  expect(part("day").dataset["placeholder"], "the day is still to be typed").toBe("true");
  expect([held(), told], "to show it changes nothing").toEqual([before, []]);
  type("day", "7");
  expect(held()).toBe("2026-12-07");
});

test("an unfinished date that comes back, as by undo, has its parts again", () => {
  open(true);
  clear("day");
  const unfinished = held() ?? "";
  act(() => setOutside("2027-01-31"));
  expect(part("day").textContent).toBe("31");
  act(() => setOutside(unfinished));
  expect([part("month").textContent, part("year").textContent]).toEqual(["12", "2026"]);
  expect(part("day").dataset["placeholder"]).toBe("true");
  expect(held()).toBe(unfinished);
});

test("an unfinished date that is shown again in a disabled field is its text, and has its parts once the field is enabled", () => {
  const { showAgain, enable } = open(true);
  clear("day");
  const unfinished = held();
  told = [];
  showAgain(true);
  expect(document.querySelector("[role=group]")?.textContent).toBe(unfinished);
  enable();
  expect([digitsOf("month"), digitsOf("year")]).toEqual(["12", "2026"]);
  expect([held(), told], "to show it changes nothing").toEqual([unfinished, []]);
  type("day", "7");
  expect(held()).toBe("2026-12-07");
});

test("a text that the parts cannot show stays what the form holds", () => {
  open(true);
  act(() => setOutside("soon"));
  expect([held(), told]).toEqual(["soon", []]);
});
