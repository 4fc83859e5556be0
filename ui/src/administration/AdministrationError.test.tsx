/** Tests of what an error of the administration offers. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { support } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { AdministrationError } from "./AdministrationError";

afterEach(cleanup);

test("a list that was asked for too often has a button that tries it again", () => {
  const onRetry = vi.fn();
  const reason = { ...support, operation: "list_users", reason: "RATE_LIMIT" };
  renderInWorkspace(<AdministrationError error={{ kind: "rateLimited", support: reason }} onRetry={onRetry} />);
  expect(screen.getByText(/too many requests/)).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});

test("a write without an answer says that its outcome is unknown, and to look before it is repeated", () => {
  const told = { ...support, operation: "create_plan" };
  renderInWorkspace(
    <AdministrationError error={{ kind: "unknownOutcome", key: null, support: told }} onRetry={() => undefined} />,
  );
  expect(screen.getByText(/it is not known whether this was done.*look at it before you repeat this/)).toBeDefined();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});
