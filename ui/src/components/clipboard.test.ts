/** Tests of copying in web views without the Clipboard API. */
// @vitest-environment jsdom

import { expect, test } from "vitest";
import { copyText } from "./clipboard";

test("in a dialog the text is selected within it, and the button has the focus again", async () => {
  document.body.innerHTML = '<div role="alertdialog"><button>Copy</button></div>';
  const dialog = document.querySelector("[role=alertdialog]");
  const button = document.querySelector("button");
  button?.focus();
  let selected: string | undefined;
  // jsdom has neither way to copy.
  const execCommand = () => {
    selected = dialog?.querySelector("textarea")?.value;
    return true;
  };
  Object.assign(document, { execCommand });
  expect(await copyText("secret")).toBe(true);
  expect(selected).toBe("secret");
  expect(document.querySelector("textarea")).toBeNull();
  expect(document.activeElement).toBe(button);
});
