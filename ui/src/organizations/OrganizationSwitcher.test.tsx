/** Tests of the keys of the switcher that an input method uses as well. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
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
vi.mock("./useSwitchOrganization", () => ({ useSwitchOrganization: () => ({ error: null }) }));
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
