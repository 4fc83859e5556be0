/** Renders a view, or a hook, as in a window of an organization, for tests. */

import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type RenderResult, render } from "@testing-library/react";
import type { ReactElement, ReactNode } from "react";
import { vi } from "vitest";
import { ANNOUNCE_MS } from "../components/useAnnouncement";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { Language } from "../ipc/bindings";
import { call } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { organizations } from "./fixtures";

const [organization] = organizations;
/** What views read of the session. */
const session = {
  account: { subject: "1", name: "Noura Al-Harbi", username: "noura" },
  organizations,
  connectivity: { state: "online" },
};

/** For `waitFor`: an announcement comes so long after the change that it is about that the default is near. */
export const untilAnnounced = { timeout: ANNOUNCE_MS + 3000 };

export interface WorkspaceOptions {
  /** What the view reads of it beside the organization, the first sample. */
  workspace?: object;
  language?: Language;
  client?: QueryClient;
}

export function renderInWorkspace(view: ReactElement, options?: WorkspaceOptions): RenderResult {
  return render(view, { wrapper: workspaceWrapper(options) });
}

/** What `renderInWorkspace` has around a view, for `renderHook`. */
export function workspaceWrapper({ workspace = {}, language = "en", client = createQueryClient() }: WorkspaceOptions = {}) {
  const context = { organization, session, retries: [], ...workspace } as unknown as Workspace;
  return function Wrapper({ children }: { children: ReactNode }) {
    return (
      <QueryClientProvider client={client}>
        <LocalizerProvider preferences={{ language, theme: "light", digits: "latin" }}>
          <WorkspaceContext value={context}>{children}</WorkspaceContext>
        </LocalizerProvider>
      </QueryClientProvider>
    );
  };
}

/** In a test that mocks `state/withBinding`: commands run at once, with the binding of their organization. */
export function runWithBinding(): void {
  vi.mocked(withBinding).mockImplementation((id, command) => call(command({ organization: id, generation: 1 })));
}
