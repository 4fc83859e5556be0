/** Tests of the names and the order of roles. */

import { expect, test } from "vitest";
import { sortRoles } from "./roles";

test("built-in roles go from the least to the most, and those of the operator follow", () => {
  expect(sortRoles(["administrator", "auditor", "clerk", "viewer"])).toEqual(["viewer", "clerk", "administrator", "auditor"]);
});
