/** Tests of the button that copies the link to a document: that it failed is seen, and not only heard. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { copyText } from "../components/clipboard";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { CopyLinkButton } from "./CopyLinkButton";

vi.mock("../components/announce");
vi.mock("../components/clipboard");
afterEach(cleanup);

function copy() {
  renderInWorkspace(<CopyLinkButton document="a" />);
  fireEvent.click(screen.getByRole("button"));
}

test("a link that could not be copied is told beside the button", async () => {
  vi.mocked(copyText).mockResolvedValue(false);
  copy();
  expect(await screen.findByText("Could not be copied")).toBeDefined();
});

test("a link that was copied shows it in the icon, and is not told as a failure", async () => {
  vi.mocked(copyText).mockResolvedValue(true);
  copy();
  await expect.poll(() => document.querySelector("svg.lucide-check")).not.toBeNull();
  expect(screen.queryByText("Could not be copied")).toBeNull();
});
