/** The form of the editor renders its fields no more often than their errors change, and lets nothing be typed while it is sent. */

import { fireEvent, render } from "@testing-library/react";
import { memo, use } from "react";
import { FormContext, FormValidationContext } from "react-aria-components";
import { expect, test, vi } from "vitest";
import { EditorForm } from "./EditorForm";

let rendered = 0;
const Field = memo(function Field() {
  use(FormContext);
  use(FormValidationContext);
  rendered += 1;
  return null;
});

function form(messages: Record<string, string[]>, className: string) {
  return (
    <EditorForm messages={messages} isReadOnly={false} className={className}>
      <Field />
    </EditorForm>
  );
}

test("fields render again when their messages change, and not with the form", () => {
  const none = {};
  const { rerender } = render(form(none, "a"));
  rerender(form(none, "b"));
  expect(rendered).toBe(1);
  rerender(form({ note: ["too long"] }, "b"));
  expect(rendered).toBe(2);
});

function noteField(isReadOnly: boolean) {
  return (
    <EditorForm messages={{}} isReadOnly={isReadOnly} className="">
      <input aria-label="note" />
    </EditorForm>
  );
}

function deletion() {
  return new InputEvent("beforeinput", { bubbles: true, cancelable: true, inputType: "deleteContentBackward" });
}

test("nothing is typed into the form while it is read-only, and its fields keep the focus", () => {
  const { rerender, getByLabelText } = render(noteField(false));
  const note = getByLabelText("note");
  note.focus();
  expect(note.dispatchEvent(deletion())).toBe(true);
  rerender(noteField(true));
  expect(note.dispatchEvent(deletion())).toBe(false);
  expect(document.activeElement).toBe(note);
  rerender(noteField(false));
  expect(note.dispatchEvent(deletion())).toBe(true);
});

test("no part of a date is deleted while the form is read-only, and keys that change nothing still work", () => {
  const pressed = vi.fn();
  const date = (isReadOnly: boolean) => (
    <EditorForm messages={{}} isReadOnly={isReadOnly} className="">
      <div role="spinbutton" aria-label="day" aria-valuenow={5} tabIndex={0} onKeyDown={({ key }) => pressed(key)} />
    </EditorForm>
  );
  const { rerender, getByLabelText } = render(date(true));
  for (const key of ["Delete", "ArrowUp", "ArrowRight"]) fireEvent.keyDown(getByLabelText("day"), { key });
  rerender(date(false));
  fireEvent.keyDown(getByLabelText("day"), { key: "Delete" });
  expect(pressed.mock.calls).toEqual([["ArrowRight"], ["Delete"]]);
});
