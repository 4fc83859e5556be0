/** The note in the language of the window comes first. */

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { formFields } from "./fields";
import { NoteField } from "./NoteField";

afterEach(cleanup);

test.each([
  ["en", ["note", "noteAr"]],
  ["ar", ["noteAr", "note"]],
] as const)("%s: the notes, and the errors at them, are in the order %s", (language, order) => {
  renderInWorkspace(<NoteField note="" noteAr="" onFieldChange={() => undefined} isDisabled={false} />, { language });
  expect(screen.getAllByRole("textbox").map((field) => field.getAttribute("name"))).toEqual(order);
  expect([...formFields(1, false, language).keys()].slice(-2)).toEqual(order);
});
