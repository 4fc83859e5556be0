/** Tests of what stays in the window when another account signs in. */

import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showStatus, useStatusText } from "../components/statusMessage";
import { showWindowError, useWindowError } from "../errors/windowError";
import { errors, organizations } from "../gallery/fixtures";
import { createQueryClient } from "../state/queryClient";
import { type SignedInSession, useWorkspace } from "../state/workspace";
import { SignedInWindow } from "./SignedInWindow";

const read = vi.fn<() => Promise<string>>();

vi.mock("../windows/useWindowTitle", () => ({ useWindowTitle: () => undefined }));
vi.mock("../organizations/useOrganizationNames", () => ({ useOrganizationNames: () => undefined }));
vi.mock("../session/ProgressScreens", () => ({ StartingScreen: () => <p>starting</p> }));
vi.mock("../i18n/LocalizerProvider", () => ({ useLocalizer: () => ({ language: "en", t: (id: string) => id }) }));
vi.mock("../shell/AppShell", () => ({
  AppShell: () => {
    const { id } = useWorkspace().organization;
    const { data } = useQuery({ queryKey: [id, "drafts"], queryFn: read });
    const said = [useStatusText()?.text, useWindowError()?.error.kind].filter(Boolean).join(" ");
    return <p>{[data ?? "reading", said].filter(Boolean).join(": ")}</p>;
  },
}));

const organization = organizations[0] ?? expect.fail("there are sample organizations");

function sessionOf(subject: string): SignedInSession {
  const environment = { name: "local" };
  return {
    state: "signedIn",
    environment,
    account: { subject },
    organizations,
    impersonation: null,
  } as unknown as SignedInSession;
}

const binding = { organization: organization.id, generation: 1 };

afterEach(cleanup);

test("an account never sees what another one has read in the same organization", async () => {
  const client = createQueryClient();
  const shown: string[] = [];
  const window = (subject: string | null) => (
    <QueryClientProvider client={client}>
      {subject && <SignedInWindow session={sessionOf(subject)} binding={binding} retries={[]} isShown />}
    </QueryClientProvider>
  );
  read.mockResolvedValueOnce("drafts of A");
  const { container, rerender } = render(window("a"));
  await waitFor(() => expect(container.textContent).toBe("drafts of A"));
  new MutationObserver(() => shown.push(container.textContent)).observe(container, {
    childList: true,
    subtree: true,
    characterData: true,
  });

  // The account is switched within the window, which stays bound to the organization.
  read.mockResolvedValueOnce("drafts of B");
  rerender(window("b"));
  expect(container.textContent).not.toContain("drafts of A");
  await waitFor(() => expect(container.textContent).toBe("drafts of B"));
  expect(shown).not.toContain("drafts of A");

  // The account signs out, and another one signs in.
  rerender(window(null));
  read.mockResolvedValueOnce("drafts of C");
  rerender(window("c"));
  expect(container.textContent).not.toContain("drafts of B");
  await waitFor(() => expect(container.textContent).toBe("drafts of C"));
});

test("what was said of the work of an account, also after it has left, is not said to the next one", async () => {
  const client = createQueryClient();
  read.mockResolvedValue("drafts");
  const window = (subject: string | null) => (
    <QueryClientProvider client={client}>
      {subject && <SignedInWindow session={sessionOf(subject)} binding={binding} retries={[]} isShown />}
    </QueryClientProvider>
  );
  const { container, rerender } = render(window("a"));
  await waitFor(() => expect(container.textContent).toBe("drafts"));
  act(() => showStatus("INV-7 is deleted"));
  expect(container.textContent).toBe("drafts: INV-7 is deleted");
  rerender(window(null));
  // An answer that comes after the account has left.
  act(() => showWindowError(errors.internal[0] ?? expect.fail("there is a sample of every kind")));
  rerender(window("b"));
  await waitFor(() => expect(container.textContent).toBe("drafts"));
});
