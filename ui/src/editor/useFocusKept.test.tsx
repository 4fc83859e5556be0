/** The focus stays in the form when a change takes away the field that has it. */

import { act, cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import type { InvoiceContent } from "../ipc/bindings";
import { useFocusKept } from "./useFocusKept";

afterEach(cleanup);

function Lines({ edited }: { edited: InvoiceContent }) {
  const noteFocus = useFocusKept(edited);
  return (
    <section onFocus={({ target }) => noteFocus(target, target.id)}>
      {edited.lines.map((line, index) => (
        <div key={line.description.en} data-field={`lines[${index}].quantity`}>
          <input id={`lines[${index}].quantity`} />
        </div>
      ))}
      <button type="button">Save</button>
    </section>
  );
}

const input = (index: number) => document.getElementById(`lines[${index}].quantity`) ?? expect.fail("the line is shown");
const shortened = { ...content, lines: content.lines.slice(0, 1) };

test("a line that goes with the focus hands it to the line before", () => {
  const { rerender } = render(<Lines edited={content} />);
  act(() => input(1).focus());
  rerender(<Lines edited={shortened} />);
  expect(document.activeElement).toBe(input(0));
});

test("a change beside the focus leaves it where it is", () => {
  const { rerender, getByRole } = render(<Lines edited={content} />);
  act(() => input(1).focus());
  act(() => getByRole("button").focus());
  rerender(<Lines edited={shortened} />);
  expect(document.activeElement).toBe(getByRole("button"));
});
