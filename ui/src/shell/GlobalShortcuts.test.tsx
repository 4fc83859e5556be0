/** Tests of the shortcuts of the whole window: which of them count while a dialog is open. */

import { cleanup, fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OpenDialogMark } from "../components/openDialogs";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { GlobalShortcuts } from "./GlobalShortcuts";

const { navigate } = vi.hoisted(() => ({ navigate: vi.fn() }));
vi.mock("../state/usePreferences", async (original) => ({
  ...(await original<typeof import("../state/usePreferences")>()),
  usePreferences: () => ({ preferences: {}, change: () => undefined }),
}));
vi.mock("../drafts/useNewDraft", () => ({ useNewDraft: () => ({ start: () => undefined, available: true }) }));
vi.mock("../organizations/usePinnedOrganizations", () => ({ usePinnedOrganizations: () => ({ toggle: () => undefined }) }));
vi.mock("../organizations/useOrganizationShortcuts", () => ({ useOrganizationShortcuts: () => undefined }));

beforeEach(() => {
  navigate.mockClear();
});
afterEach(cleanup);

function open(hasDialog: boolean) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  renderInWorkspace(
    <NavigationContext value={{ navigate } as never}>
      <GlobalShortcuts />
      {hasDialog && <OpenDialogMark />}
    </NavigationContext>,
    { client },
  );
}

const press = (key: string) => fireEvent.keyDown(document.body, { key, ctrlKey: true });

test("a dialog keeps the keys that would leave the view behind it", () => {
  open(true);
  press(",");
  expect(navigate).not.toHaveBeenCalled();
  cleanup();
  open(false);
  press(",");
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "settings" });
});
