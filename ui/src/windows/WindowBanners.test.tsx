/** Tests of errors that no part of the screen shows. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { showAdministrationError } from "../errors/windowError";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { WindowBanners } from "./WindowBanners";

afterEach(cleanup);

test("an error of the administration has its own words, and goes when it is closed", async () => {
  const [sample] = errors.failedPrecondition;
  if (sample?.kind !== "failedPrecondition") expect.fail("there is a sample of every kind");
  renderInWorkspace(<WindowBanners />);
  act(() => showAdministrationError({ ...sample, support: { ...sample.support, reason: "PLAN_IN_USE" } }));
  expect(await screen.findByText(/plan/i, { selector: "p" })).toBeDefined();
  expect(screen.queryByText(/frozen/i)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText(/plan/i, { selector: "p" })).toBeNull();
});
