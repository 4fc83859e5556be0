/** A document becomes one template, however often Enter is pressed, and its name is not lost by a key. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { content, organizations } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { SaveTemplate } from "./SaveTemplate";

vi.mock("../state/withBinding");
vi.mock("../components/Modal", () => ({ Modal: ({ children }: ModalProps) => <div>{children}</div> }));
vi.mock("../components/statusMessage");
vi.mock("../errors/ErrorNotice");
afterEach(cleanup);

const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));

test("a second Enter before the answer saves no second template, and one after a failure tries again", async () => {
  const organization = organizations[0] ?? expect.fail("there are sample organizations");
  const answers: ((done: boolean) => void)[] = [];
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    await command({ organization: organization.id, generation: 1 });
    const done = await new Promise<boolean>((resolve) => {
      answers.push(resolve);
    });
    if (!done) throw new Error("refused");
    return null as never;
  });
  const save = vi.spyOn(commands, "saveTemplate").mockResolvedValue({ status: "ok", data: "t" });
  renderInWorkspace(<SaveTemplate contentOf={() => content} />);
  fireEvent.click(screen.getByRole("button"));
  const form = screen.getByRole("textbox").closest("form") ?? expect.fail("the dialog is open");
  fireEvent.submit(form);
  fireEvent.submit(form);
  await settled();
  expect(save).toHaveBeenCalledOnce();
  answers.shift()?.(false);
  await settled();
  fireEvent.submit(form);
  await settled();
  expect(save).toHaveBeenCalledTimes(2);
  answers.shift()?.(true);
  await settled();
  expect(form.isConnected).toBe(false);
});

test("a name that was typed is discarded only when that is confirmed", () => {
  renderInWorkspace(<SaveTemplate contentOf={() => content} />);
  fireEvent.click(screen.getByRole("button"));
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "Rent" } });
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("alert").textContent).toBe("Discard what you typed?");
  fireEvent.click(screen.getByRole("button", { name: "Discard it" }));
  expect(screen.queryByRole("textbox")).toBeNull();
});
