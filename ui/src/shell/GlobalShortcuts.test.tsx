/** Tests of the shortcuts of the whole window: which of them count while a dialog is open. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OpenDialogMark } from "../components/openDialogs";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { GlobalShortcuts } from "./GlobalShortcuts";

const { change, navigate } = vi.hoisted(() => ({ change: vi.fn(), navigate: vi.fn() }));
vi.mock("../state/usePreferences", async (original) => ({
  ...(await original<typeof import("../state/usePreferences")>()),
  usePreferences: () => ({ preferences: { zoom: 100 }, change }),
}));
vi.mock("../drafts/useNewDraft", () => ({ useNewDraft: () => ({ start: () => undefined, available: true }) }));
vi.mock("../organizations/usePinnedOrganizations", () => ({ usePinnedOrganizations: () => ({ toggle: () => undefined }) }));
vi.mock("../organizations/useOrganizationShortcuts", () => ({ useOrganizationShortcuts: () => undefined }));

beforeEach(() => {
  change.mockClear();
  navigate.mockClear();
});
afterEach(cleanup);

function open(hasDialog: boolean) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  render(
    <QueryClientProvider client={client}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization: organizations[0] } as unknown as Workspace}>
          <NavigationContext value={{ navigate } as never}>
            <GlobalShortcuts />
            {hasDialog && <OpenDialogMark />}
          </NavigationContext>
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
}

const press = (key: string) => fireEvent.keyDown(document.body, { key, ctrlKey: true });

test("the zoom keys work while a dialog is open, which can be what is too small to read", () => {
  open(true);
  for (const key of ["+", "-", "0"]) press(key);
  expect(change.mock.calls).toEqual([[{ zoom: 110 }], [{ zoom: 90 }], [{ zoom: 100 }]]);
});

test("a dialog keeps the keys that would leave the view behind it", () => {
  open(true);
  press(",");
  expect(navigate).not.toHaveBeenCalled();
  cleanup();
  open(false);
  press(",");
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "settings" });
});
