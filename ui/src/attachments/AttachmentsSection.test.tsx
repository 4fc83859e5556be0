/** Tests of the attachments of a document: a file that the service has refused is told at its name, and buttons that wait keep the focus. */

import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { DescribedErrorProps } from "../errors/DescribedError";
import { support } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { AttachmentsView, AttachmentView, CommandError } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { AttachmentsSection } from "./AttachmentsSection";

vi.mock("../state/withBinding");
vi.mock("../errors/ErrorNotice", () => ({
  ErrorNotice: ({ error }: DescribedErrorProps) => <p role="alert">{error.kind}</p>,
}));
afterEach(cleanup);

function file(fileName: string, problem: CommandError | null): AttachmentView {
  return { id: fileName, fileName, bytes: 1, added: null, waiting: true, problem };
}

function show(attachments: AttachmentView[]) {
  const view: AttachmentsView = {
    attachments,
    editable: true,
    offline: false,
    limits: { count: 10, bytes: 100, extensions: ["pdf"] },
    problem: null,
  };
  vi.mocked(withBinding).mockResolvedValue(view);
  const client = createQueryClient();
  renderInWorkspace(<AttachmentsSection document="a" />, { client });
  return client;
}

test("the reason of the service is at the file that it has refused, and at no other", async () => {
  const refused: CommandError = { kind: "invalidArgument", violations: [], support };
  show([file("first.pdf", refused), file("second.pdf", null)]);
  const [first, second] = await screen.findAllByRole("listitem");
  expect(within(first as HTMLElement).getByText("first.pdf")).toBeDefined();
  expect(within(first as HTMLElement).getByRole("alert").textContent).toBe("invalidArgument");
  expect(within(second as HTMLElement).queryByRole("alert")).toBeNull();
});

test("the button of a file that is being saved keeps the focus: it is not disabled", async () => {
  show([file("first.pdf", null)]);
  const save = await screen.findByRole<HTMLButtonElement>("button", { name: /^Save .*first\.pdf/ });
  vi.mocked(withBinding).mockReturnValue(new Promise(() => undefined));
  fireEvent.click(save);
  await waitFor(() => expect([save.disabled, save.getAttribute("aria-disabled")]).toEqual([false, "true"]));
});

test("a later read that fails leaves what is shown, and says so beside it", async () => {
  const client = show([file("first.pdf", null)]);
  await screen.findByText("first.pdf");
  vi.mocked(withBinding).mockRejectedValue(new CommandFailure({ kind: "staleBinding" }));
  await client.invalidateQueries();
  expect((await screen.findByRole("alert")).textContent).toBe("staleBinding");
  expect(screen.queryByText("first.pdf")).not.toBeNull();
});
