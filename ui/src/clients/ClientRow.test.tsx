/** Tests of the row of a client: the drafts that were forgotten there, and what it offers if it could not be read. */

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

function renderRow(unsent: number) {
  renderInWorkspace(
    <table>
      <tbody>
        <ClientRow
          client={{ organization, overview: undefined, unsent }}
          current={false}
          reading={false}
          error={null}
          onOpen={() => undefined}
          onRetry={() => undefined}
        />
      </tbody>
    </table>,
  );
}

test("unsent drafts on this computer are told in the row of their client, and nothing is where there are none", () => {
  renderRow(2);
  expect(screen.getByRole("button", { name: /2\W* unsent drafts on this computer/ })).toBeTruthy();
  cleanup();
  renderRow(0);
  expect(screen.queryByText(/unsent/)).toBeNull();
});

test("trying again is the only main action of a client that is not available", async () => {
  const onRetry = vi.fn();
  const session = { state: "signedIn", organizations, environment: { name: "Staging" }, connectivity: { state: "online" } };
  vi.mocked(useSnapshot).mockReturnValue({ session, pendingRetries: [] } as unknown as Snapshot);
  renderInWorkspace(
    <WindowErrorHandlers value={{ switch: () => undefined }}>
      <table>
        <tbody>
          <ClientRow
            client={{ organization, overview: undefined, unsent: undefined }}
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
