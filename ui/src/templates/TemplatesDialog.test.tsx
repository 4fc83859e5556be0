/** Tests of a document from a template: the dialog closes once its draft is kept, and says why it is not. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { content, organizations, row } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { CommandError, TemplateView } from "../ipc/bindings";
import { CommandFailure, commands } from "../ipc/call";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type SignedInSession, type Workspace, WorkspaceContext } from "../state/workspace";
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
let saves: (() => { status: "ok"; data: null } | { status: "error"; error: CommandError })[];

beforeEach(() => {
  saves = [];
  vi.spyOn(commands, "newFromTemplate").mockResolvedValue({
    status: "ok",
    data: { key: "d", changes: null, content, state: "editing" },
  });
  vi.spyOn(commands, "saveDraft").mockImplementation(async () => saves.shift()?.() ?? { status: "ok", data: null });
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    const answer = await command({ organization: organization.id, generation: 1 });
    if (answer.status === "error") throw new CommandFailure(answer.error);
    return answer.data;
  });
});
afterEach(cleanup);

function show() {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  client.setQueryData([organization.id, "templates"], { templates: [template], unreadable: [] });
  client.setQueryData([organization.id, "document-defaults"], {});
  const navigate = vi.fn();
  const onClose = vi.fn();
  const session = { organizations, error: null } as unknown as SignedInSession;
  render(
    <QueryClientProvider client={client}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization, session, retries: [] } as unknown as Workspace}>
          <NavigationContext value={{ navigate, flushAutosaves: () => Promise.resolve() } as unknown as Navigation}>
            <TemplatesDialog onClose={onClose} />
          </NavigationContext>
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  return { navigate, onClose };
}

const use = () => fireEvent.click(screen.getByRole("button", { name: /^New invoice from .*Rent/ }));

test("the dialog closes after the draft of the template is kept", async () => {
  const { navigate, onClose } = show();
  use();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "editor", draft: "d" });
});

test("a draft that cannot be kept leaves the dialog open, with the reason", async () => {
  saves = [() => ({ status: "error", error: refusal })];
  const { navigate, onClose } = show();
  use();
  expect((await screen.findByRole("alert")).textContent).toContain("notSaved");
  expect(onClose).not.toHaveBeenCalled();
  expect(navigate).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});
