/** Tests of the names of the buttons in the list of machine users. */

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { organizations } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { MachineUserView } from "../ipc/bindings";
import { createQueryClient } from "../state/queryClient";
import { MachineUsers } from "./MachineUsers";

vi.mock("../state/withBinding");
vi.mock("./PersonalTokens", () => ({ PersonalTokens: () => null }));
vi.mock("./AdministrationError", () => ({ AdministrationError: () => null }));

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const users = ["Till", "Import"].map(
  (name): MachineUserView => ({ id: name, username: name, name, state: "active", roles: ["clerk"] }),
);
afterEach(cleanup);

test.each([
  ["en", "Tokens", ["Tokens of Till", "Tokens of Import"]],
  ["ar", "رموز الوصول", ["رموز الوصول: Till", "رموز الوصول: Import"]],
] as const)("%s: the button of tokens begins with its text and names the machine user", (language, text, names) => {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  client.setQueryData([organization.id, "machineUsers"], users);
  renderInWorkspace(<MachineUsers />, { language, client });
  const buttons = screen.getAllByRole("button", { expanded: false });
  expect(buttons.map((button) => button.textContent)).toEqual([text, text]);
  expect(buttons.map((button) => plainText(button.getAttribute("aria-label") ?? ""))).toEqual(names);
});
