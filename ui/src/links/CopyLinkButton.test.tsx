/** Tests of the button that copies the link to a document: that it failed is seen, and not only heard. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { copyText } from "../components/clipboard";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { CopyLinkButton } from "./CopyLinkButton";

vi.mock("../components/announce");
vi.mock("../components/clipboard");
afterEach(cleanup);

function copy() {
  const [organization] = organizations;
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <WorkspaceContext value={{ organization } as unknown as Workspace}>
        <CopyLinkButton document="a" />
      </WorkspaceContext>
    </LocalizerProvider>,
  );
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
