/** Tests of what a client offers that could not be read: reading it again is the main action, and what leads away is not. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { WindowErrorHandlers } from "../errors/actions";
import { errors, organizations } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { Snapshot } from "../ipc/bindings";
import { useSnapshot } from "../state/snapshotStore";
import { ClientRow } from "./ClientRow";

vi.mock("../state/snapshotStore");
afterEach(cleanup);

const [organization = expect.fail("there are sample organizations")] = organizations;
const error = errors.organizationUnavailable.find(({ othersAnswer }) => othersAnswer) ?? expect.fail("there is a sample");

test("trying again is the only main action of a client that is not available", async () => {
  const onRetry = vi.fn();
  const session = { state: "signedIn", organizations, environment: { name: "Staging" }, connectivity: { state: "online" } };
  vi.mocked(useSnapshot).mockReturnValue({ session, pendingRetries: [] } as unknown as Snapshot);
  renderInWorkspace(
    <WindowErrorHandlers value={{ switch: () => undefined }}>
      <table>
        <tbody>
          <ClientRow
            client={{ organization, overview: undefined }}
            current={false}
            reading={false}
            error={error}
            onOpen={() => undefined}
            onRetry={onRetry}
          />
        </tbody>
      </table>
    </WindowErrorHandlers>,
  );
  const retry = await screen.findByRole("button", { name: "Try again" });
  expect(retry.className).toContain("bg-accent");
  expect(screen.getByRole("button", { name: "Switch organization" }).className).not.toContain("bg-accent");
  fireEvent.click(retry);
  expect(onRetry).toHaveBeenCalledOnce();
});
