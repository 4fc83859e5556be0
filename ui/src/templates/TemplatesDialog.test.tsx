/** Tests of the templates: the dialog closes once the draft of one is opened, and a form once it is saved; else each says why it is not. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { content, organizations, row } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { CommandError, Draft, TemplateView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import type { SignedInSession } from "../state/workspace";
import { TemplatesDialog } from "./TemplatesDialog";

vi.mock("../state/withBinding");
vi.mock("../components/Modal", () => ({ Modal: ({ children }: ModalProps) => <div>{children}</div> }));
vi.mock("../errors/ErrorNotice");

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const template: TemplateView = {
  id: "t",
  name: "Rent",
  buyer: row.buyer,
  lines: 1,
  gross: "1.00",
  currency: "SAR",
  schedule: null,
  next: null,
};
const refusal: CommandError = { kind: "notSaved", problem: "noSpace", reason: "no storage space" };
const failed = { status: "error", error: refusal } as const;
const draft: Draft = { key: "d", changes: null, content, state: "editing" };

beforeEach(() => {
  vi.spyOn(commands, "newFromTemplate").mockResolvedValue({ status: "ok", data: draft });
  vi.spyOn(commands, "openDraft").mockResolvedValue({ status: "ok", data: draft });
  runWithBinding();
});
afterEach(cleanup);

function show(templates: readonly TemplateView[] = [template]) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  client.setQueryData([organization.id, "templates"], { templates, unreadable: [] });
  client.setQueryData([organization.id, "document-defaults"], {});
  const navigate = vi.fn();
  const onClose = vi.fn();
  const session = { organizations, error: null } as unknown as SignedInSession;
  renderInWorkspace(
    <NavigationContext value={{ navigate, flushAutosaves: () => Promise.resolve() } as unknown as Navigation}>
      <TemplatesDialog onClose={onClose} />
    </NavigationContext>,
    { client, workspace: { session } },
  );
  return { navigate, onClose };
}

/** What follows an answer has happened. */
const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));

const saveName = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));
const saveSchedule = () => screen.getByRole("button", { name: "Save schedule" });
const use = () => fireEvent.click(screen.getByRole("button", { name: /^New invoice from .*Rent/ }));

test("the dialog closes after the draft of the template is opened", async () => {
  const { navigate, onClose } = show();
  use();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "editor", draft: "d" });
});

test("a template that is chosen twice before the answer makes one draft", async () => {
  const { onClose } = show();
  use();
  use();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(commands.newFromTemplate).toHaveBeenCalledOnce();
});

test("a draft that cannot be opened leaves the dialog open, with the reason", async () => {
  vi.mocked(commands.openDraft).mockResolvedValueOnce(failed);
  const { navigate, onClose } = show();
  use();
  expect((await screen.findByRole("alert")).textContent).toContain("notSaved");
  expect(onClose).not.toHaveBeenCalled();
  expect(navigate).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "editor", draft: "d" });
  expect(commands.newFromTemplate, "one draft is made").toHaveBeenCalledOnce();
});

test("a draft that was not made is made by the next attempt", async () => {
  vi.mocked(commands.newFromTemplate).mockResolvedValueOnce(failed);
  const { onClose } = show();
  use();
  expect((await screen.findByRole("alert")).textContent).toContain("notSaved");
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test("the form of a name stays with what was typed until the template has the name", async () => {
  const rename = vi
    .spyOn(commands, "renameTemplate")
    .mockResolvedValueOnce(failed)
    .mockResolvedValue({ status: "ok", data: null });
  show();
  fireEvent.click(screen.getByRole("button", { name: /^Rename .*Rent/ }));
  const name = screen.getByRole<HTMLInputElement>("textbox", { name: /name/i });
  fireEvent.change(name, { target: { value: "Rent of the office" } });
  saveName();
  expect((await screen.findByRole("alert")).textContent).toContain("notSaved");
  await settled();
  expect(name.isConnected).toBe(true);
  saveName();
  await waitFor(() => expect(name.isConnected).toBe(false));
  expect(rename.mock.calls.map(([, , typed]) => typed)).toEqual(["Rent of the office", "Rent of the office"]);
});

test("the form of a schedule stays until the template has it", async () => {
  vi.spyOn(commands, "scheduleTemplate").mockResolvedValueOnce(failed).mockResolvedValue({ status: "ok", data: null });
  show();
  fireEvent.click(screen.getByRole("button", { name: /^Repeat .*Rent/ }));
  fireEvent.click(saveSchedule());
  expect((await screen.findByRole("alert")).textContent).toContain("notSaved");
  await settled();
  fireEvent.click(saveSchedule());
  await waitFor(() => expect(screen.queryByRole("button", { name: "Save schedule" })).toBeNull());
});

test("a form that was opened while another one is saved stays", async () => {
  const answers: (() => void)[] = [];
  vi.spyOn(commands, "renameTemplate").mockReturnValue(
    new Promise((resolve) => {
      answers.push(() => resolve({ status: "ok", data: null }));
    }),
  );
  show();
  fireEvent.click(screen.getByRole("button", { name: /^Rename .*Rent/ }));
  saveName();
  fireEvent.click(screen.getByRole("button", { name: /^Repeat .*Rent/ }));
  answers.shift()?.();
  await settled();
  expect(saveSchedule().isConnected).toBe(true);
});

test("the button that opened a form has the focus after it, whether it was saved or not", async () => {
  vi.spyOn(commands, "renameTemplate").mockResolvedValue({ status: "ok", data: null });
  show();
  const rename = screen.getByRole("button", { name: /^Rename .*Rent/ });
  for (const end of ["Cancel", "Save"]) {
    fireEvent.click(rename);
    screen.getByRole("textbox", { name: /name/i }).focus();
    fireEvent.click(screen.getByRole("button", { name: end }));
    await waitFor(() => expect(screen.queryByRole("button", { name: end })).toBeNull());
    expect(document.activeElement).toBe(rename);
  }
});

test("the way back has the focus after each template that is removed", async () => {
  vi.spyOn(commands, "removeTemplate").mockResolvedValue({ status: "ok", data: null });
  show([template, { ...template, id: "u", name: "Cleaning" }]);
  for (const name of ["Rent", "Cleaning"]) {
    const remove = screen.getByRole("button", { name: new RegExp(`^Delete .*${name}`) });
    remove.focus();
    fireEvent.click(remove);
    await screen.findByText(new RegExp(`${name}.* is deleted`));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Undo" })));
  }
});

test("neither the search nor its Enter takes a form away with what was typed", async () => {
  const { navigate } = show([template, { ...template, id: "u", name: "Power" }]);
  fireEvent.click(screen.getByRole("button", { name: /^Rename .*Rent/ }));
  fireEvent.change(screen.getByRole("textbox", { name: /name/i }), { target: { value: "Rent of the shop" } });
  const search = screen.getByRole("searchbox");
  fireEvent.change(search, { target: { value: "power" } });
  expect(screen.getByDisplayValue("Rent of the shop")).toBeTruthy();
  fireEvent.keyDown(search, { key: "Enter" });
  expect(screen.getByRole("alert").textContent).toBe("Discard what you typed?");
  fireEvent.keyDown(search, { key: "Enter", repeat: true });
  await settled();
  expect(navigate).not.toHaveBeenCalled();
  fireEvent.keyDown(search, { key: "Enter" });
  await waitFor(() => expect(navigate).toHaveBeenCalledOnce());
});
