/** Tests of the keys of the switcher that an input method uses as well. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { SignIn } from "../session/useSignIn";
import { WindowSignInContext } from "../session/windowSignIn";
import { type Workspace, WorkspaceContext } from "../state/workspace";
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
  const workspace = { organization: organizations[0], session: { organizations, rolesAsOf: "2026-11-26T08:00:00Z" } };
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <WorkspaceContext value={workspace as unknown as Workspace}>
        <WindowSignInContext value={{ error: null } as unknown as SignIn}>
          <OrganizationSwitcher isOpen onClose={onClose} />
        </WindowSignInContext>
      </WorkspaceContext>
    </LocalizerProvider>,
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
