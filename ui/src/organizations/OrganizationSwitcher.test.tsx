/** Tests of the keys of the switcher that an input method uses as well, and of choosing the present organization. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { organizations } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { SignIn } from "../session/useSignIn";
import { WindowSignInContext } from "../session/windowSignIn";
import { OrganizationSwitcher } from "./OrganizationSwitcher";

vi.mock("../components/Modal", () => ({ Modal: ({ children }: ModalProps) => children }));
vi.mock("../windows/useNewWindow", () => ({ useNewWindow: () => ({ error: null }) }));
vi.mock("./usePinnedOrganizations", () => ({ usePinnedOrganizations: () => ({ error: null }) }));
const switchTo = vi.fn(() => Promise.resolve(true));
vi.mock("./useSwitchOrganization", () => ({ useSwitchOrganization: () => ({ error: null, switchTo }) }));
// jsdom has none, and lists use it.
vi.stubGlobal("CSS", { escape: (text: string) => text });

const onClose = vi.fn();

beforeEach(() => {
  onClose.mockClear();
  renderInWorkspace(
    <WindowSignInContext value={{ error: null } as unknown as SignIn}>
      <OrganizationSwitcher isOpen onClose={onClose} />
    </WindowSignInContext>,
    { workspace: { session: { organizations, rolesAsOf: "2026-11-26T08:00:00Z" } } },
  );
});
afterEach(cleanup);

test("Escape closes the switcher, but not while it ends what an input method composes", () => {
  const field = screen.getByRole("searchbox");
  fireEvent.keyDown(field, { key: "Escape", isComposing: true });
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: "Escape" });
  expect(onClose).toHaveBeenCalledOnce();
});

test("choosing the present organization closes the switcher", async () => {
  const [present = expect.fail("there are organizations")] = screen.getAllByRole("option", { selected: true });
  fireEvent.click(present);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(switchTo).toHaveBeenCalledExactlyOnceWith(organizations[0]?.id);
});
