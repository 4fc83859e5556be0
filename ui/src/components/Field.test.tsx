/** Tests of the words of a field that needs a value, and of where its text begins. */

import { act, cleanup, render, screen } from "@testing-library/react";
import { Form } from "react-aria-components";
import { afterEach, expect, test } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { TextField } from "./Field";

afterEach(cleanup);

test.each([
  ["en", "This is needed."],
  ["ar", "هذا الحقل مطلوب."],
] as const)("%s: a missing value is said in the language of the window", async (language, words) => {
  const { container } = render(
    <LocalizerProvider preferences={{ language, theme: "light", digits: "latin" }}>
      <Form>
        <TextField label="Name" isRequired value="" onChange={() => undefined} />
      </Form>
    </LocalizerProvider>,
  );
  expect(screen.queryByText(words)).toBeNull();
  act(() => container.querySelector("form")?.requestSubmit());
  expect(await screen.findByText(words)).toBeDefined();
});

test.each([false, true])("an empty field begins where its window does, and a text where it does (multiline: %s)", (multiline) => {
  const field = (value: string) => (
    <LocalizerProvider preferences={{ language: "ar", theme: "light", digits: "latin" }}>
      <TextField label="Name" multiline={multiline} value={value} onChange={() => undefined} />
    </LocalizerProvider>
  );
  const { rerender } = render(field(""));
  expect(screen.getByRole("textbox").getAttribute("dir")).toBeNull();
  rerender(field("Noura"));
  expect(screen.getByRole("textbox").getAttribute("dir")).toBe("auto");
});
