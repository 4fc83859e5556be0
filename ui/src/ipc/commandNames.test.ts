/** Tests that derived command names are those of the generated bindings. */
import { expect, test } from "vitest";
import { commandAccess } from "./commandNames";

const sources = import.meta.glob<string>("./bindings.ts", { query: "?raw", import: "default", eager: true });

test("the derived command names are those that the generated bindings invoke", () => {
  const invoked = [...(sources["./bindings.ts"] ?? "").matchAll(/__TAURI_INVOKE\("(\w+)"/g)].map(([, name]) => name);
  expect(Object.keys(commandAccess).toSorted()).toEqual(invoked.toSorted());
});
