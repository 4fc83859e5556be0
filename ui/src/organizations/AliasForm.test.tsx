/** Tests of the form for the name of an organization: why it was not stored, and what was typed when it or its dialog is closed. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useFormDiscardQuestion } from "../components/useDiscardQuestion";
import { showWindowError } from "../errors/windowError";
import { errors, organizations } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import { AliasForm } from "./AliasForm";

vi.mock("../errors/ErrorNotice");
vi.mock("../errors/windowError");
afterEach(cleanup);

const [organization = expect.fail("there are sample organizations")] = organizations;
const [error = expect.fail("there is a sample of every kind")] = errors.internal;

const onClose = vi.fn();
const onDone = vi.fn();

function Dialog() {
  const question = useFormDiscardQuestion(onClose);
  return (
    <>
      <AliasForm organization={organization} question={question} onDone={onDone} />
      <button type="button" onClick={question.close}>
        Escape
      </button>
    </>
  );
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const save = () => press("Save");

test("why a name was not stored is said above the screen when the form was closed, and no longer while it is stored again", async () => {
  const answers: (() => void)[] = [];
  vi.spyOn(commands, "setOrganizationAlias").mockImplementation(
    () => new Promise((resolve) => answers.push(() => resolve({ status: "error", error }))),
  );
  const { unmount } = renderInWorkspace(<Dialog />);
  save();
  await act(async () => answers.shift()?.());
  expect(screen.getByRole("alert")).toBeDefined();
  save();
  expect(screen.queryByRole("alert")).toBeNull();
  unmount();
  await act(async () => answers.shift()?.());
  expect(showWindowError).toHaveBeenCalledExactlyOnceWith(error);
});

test.each([
  ["its dialog", "Escape", onClose],
  ["the form", "Cancel", onDone],
] as const)("a name that was typed is discarded with %s only when that is confirmed", (_, button, close) => {
  renderInWorkspace(<Dialog />);
  close.mockClear();
  press(button);
  expect(close, "nothing was typed").toHaveBeenCalledOnce();
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "Noor" } });
  press(button);
  expect(close).toHaveBeenCalledOnce();
  expect(screen.getByRole("alert").textContent).toBe("Discard what you typed?");
  press(button === "Cancel" ? "Discard it" : button);
  expect(close).toHaveBeenCalledTimes(2);
});
