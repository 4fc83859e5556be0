/** Tests of the contrast of the badge of an organization. */
import { expect, test } from "vitest";
import { organizations } from "../gallery/fixtures";
import { readableTextColor } from "./OrganizationBadge";

test("the text colour has the higher contrast with the badge colour", () => {
  for (const { color } of organizations) expect(readableTextColor(color), color).toBe("#ffffff");
  expect(readableTextColor("#f2e3a0")).toBe("#15171a");
});
