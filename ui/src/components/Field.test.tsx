/** Tests of the words of a field that needs a value. */

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
