/** Test of the focus while the answer of the browser is verified. */

import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { EnvironmentView } from "../ipc/bindings";
import { FinishingScreen } from "./ProgressScreens";

afterEach(cleanup);

test("the screen takes the focus that the one before it had, and no key cancels", async () => {
  const environment = { name: "Staging", kind: "staging" } as EnvironmentView;
  renderInWorkspace(<FinishingScreen environment={environment} />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("region")));
});
