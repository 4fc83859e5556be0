/** What a confirmation says of the organization that it is about. */

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import { OrganizationCard } from "./OrganizationCard";

vi.mock("../state/withBinding");
afterEach(cleanup);

test.each([
  ["en", "Tax id"],
  ["ar", "الرقم الضريبي"],
] as const)("the tax id is shown from left to right where it is known (%s)", async (language, label) => {
  runWithBinding();
  vi.spyOn(commands, "sellerTaxId").mockResolvedValue({ status: "ok", data: "310122393500003" });
  renderInWorkspace(<OrganizationCard>is issued</OrganizationCard>, { language });
  const taxId = await screen.findByText("310122393500003");
  expect(taxId.getAttribute("dir")).toBe("ltr");
  expect(taxId.parentElement?.textContent).toContain(label);
});

test("nothing is said of a tax id that is not known", async () => {
  runWithBinding();
  const asked = vi.spyOn(commands, "sellerTaxId").mockResolvedValue({ status: "ok", data: "" });
  renderInWorkspace(<OrganizationCard>is issued</OrganizationCard>);
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  expect(screen.queryByText(/Tax id/)).toBeNull();
});
