/** Tests of the button that copies a text: that it failed is seen, and not only heard. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { CopyButton, CopyIconButton } from "./CopyButton";
import { copyText } from "./clipboard";

vi.mock("./announce");
vi.mock("./clipboard");
afterEach(cleanup);

function show(button: ReactNode) {
  render(<LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>{button}</LocalizerProvider>);
  fireEvent.click(screen.getByRole("button"));
}

test.each([
  ["with a text", <CopyButton key="text" text="secret" label="Copy" />],
  ["with an icon", <CopyIconButton key="icon" text="secret" label="Copy" />],
])("a text that could not be copied is told beside the button %s", async (_, button) => {
  vi.mocked(copyText).mockResolvedValue(false);
  show(button);
  expect(await screen.findByText("Could not be copied")).toBeDefined();
});

test("a text that was copied is not told as a failure", async () => {
  vi.mocked(copyText).mockResolvedValue(true);
  show(<CopyButton text="secret" label="Copy" />);
  expect(await screen.findByText("Copied")).toBeDefined();
  expect(screen.queryByText("Could not be copied")).toBeNull();
});
