/** Tests of the widths of columns as they are typed, and of what takes them. */

import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { Language } from "../ipc/bindings";
import { ColumnsDialog } from "./ColumnsDialog";

vi.mock("../components/Modal");
afterEach(cleanup);

/** `width`: of the column of numbers. */
function open(language: Language, onClose = vi.fn(), width: number | null = null) {
  const onChange = vi.fn();
  const settings = [
    { name: "number", width },
    { name: "buyer", width: null },
  ];
  render(
    <LocalizerProvider preferences={{ language, theme: "light", digits: "arabic" }}>
      <ColumnsDialog settings={settings} hasAuthority={false} onChange={onChange} onClose={onClose} />
    </LocalizerProvider>,
  );
  return onChange;
}

test.each([
  ["en", /^Width of .?Number.?$/, "200"],
  ["en", /^Width of .?Number.?$/, "٢٠٠"],
  ["ar", /^عرض العمود: .?الرقم.?$/, "٢٠٠"],
  ["ar", /^عرض العمود: .?الرقم.?$/, "۲۰۰"],
] as const)("%s: a width is typed in the field %s with the digits %s", (language, name, typed) => {
  const onChange = open(language);
  const field = screen.getByRole("textbox", { name });
  fireEvent.change(field, { target: { value: typed } });
  fireEvent.blur(field);
  expect(onChange).toHaveBeenCalledExactlyOnceWith([
    { name: "number", width: 200 },
    { name: "buyer", width: null },
  ]);
});

test("a text that is no number leaves the width as it is", () => {
  const onChange = open("en");
  const field = screen.getByRole("textbox", { name: /Number/ });
  fireEvent.change(field, { target: { value: "wide" } });
  fireEvent.blur(field);
  expect(onChange).not.toHaveBeenCalled();
});

test("Enter in a field takes its width and closes the dialog", () => {
  const onClose = vi.fn();
  const onChange = open("en", onClose);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: /Number/ });
  act(() => field.focus());
  fireEvent.change(field, { target: { value: "200" } });
  fireEvent.submit(field.form ?? expect.fail("the field is in a form"));
  expect(onChange).toHaveBeenCalledExactlyOnceWith([
    { name: "number", width: 200 },
    { name: "buyer", width: null },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

test.each(["10", "wide"])("a field in which %s was typed shows the width that the column has", (text) => {
  open("en", vi.fn(), 80);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: /Number/ });
  fireEvent.change(field, { target: { value: text } });
  expect(field.value).toBe(text);
  fireEvent.blur(field);
  expect(field.value, "80 is the least").toBe("80");
});
