/** The form of the editor renders its fields no more often than their errors change. */

import { render } from "@testing-library/react";
import { memo, use } from "react";
import { FormContext, FormValidationContext } from "react-aria-components";
import { expect, test } from "vitest";
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
    <EditorForm messages={messages} className={className}>
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
