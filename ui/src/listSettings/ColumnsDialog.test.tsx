/** Tests of the widths of columns as they are typed. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { Language } from "../ipc/bindings";
import { ColumnsDialog } from "./ColumnsDialog";

vi.mock("../components/Modal", () => ({
  Modal: ({ children, actions }: ModalProps) => (
    <div>
      {children}
      {actions}
    </div>
  ),
}));
afterEach(cleanup);

function open(language: Language) {
  const onChange = vi.fn();
  const settings = ["number", "buyer"].map((name) => ({ name, width: null }));
  render(
    <LocalizerProvider preferences={{ language, theme: "light", digits: "arabic" }}>
      <ColumnsDialog settings={settings} hasAuthority={false} onChange={onChange} onClose={() => undefined} />
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
