/** Tests of the sections of the switcher of organizations. */
import { expect, test } from "vitest";
import { organizations as fixtures } from "../gallery/fixtures";
import type { OrganizationView } from "../ipc/bindings";
import { shortlistOf } from "./shortlist";

const organization = (id: string, pinned = false, recent: number | null = null): OrganizationView => ({
  ...fixtures[0]!,
  id,
  pinned,
  recent,
});
const all = [organization("a", true, 2), organization("b"), organization("c", false, 1), organization("d", false, 0)];
const shown = (whole: boolean) =>
  shortlistOf(all, whole, "d").map(({ id, organizations }) => `${id}: ${organizations.map((each) => each.id).join(" ")}`);

test("pinned organizations come first, then the last opened ones without that of the window, then the others", () => {
  expect(shown(true)).toEqual(["pinned: a", "recent: c", "others: b d"]);
});

test("a search shows one list", () => {
  expect(shown(false)).toEqual(["found: a b c d"]);
  expect(shortlistOf([organization("a"), organization("b")], true, "a")).toHaveLength(1);
});
