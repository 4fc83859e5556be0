/** Tests of the menus of the menu bar: keys, enabled commands, texts. */
// @vitest-environment jsdom
import { expect, test } from "vitest";
import { registerCommand } from "../components/commands";
import { setCustomKeys } from "../components/shortcuts";
import { createLocalizer } from "../i18n/localizer";
import type { MenuItem } from "../ipc/bindings";
import { applicationMenu } from "./applicationMenu";

function itemsOf(language: "en" | "ar", covered = false): MenuItem[] {
  return applicationMenu(createLocalizer(language, "latin"), covered).menus.flatMap(({ items }) => items);
}

const commandOf = (items: readonly MenuItem[], id: string) => items.find((item) => item.kind === "command" && item.id === id);

test("the menu has the keys of the table, or those that the user has chosen", () => {
  expect(commandOf(itemsOf("en"), "newInvoice")).toMatchObject({ label: "New invoice", keys: "Mod+N" });
  setCustomKeys({ newInvoice: "Mod+Shift+Y" });
  expect(commandOf(itemsOf("ar"), "newInvoice")).toMatchObject({ label: "فاتورة جديدة", keys: "Mod+Shift+Y" });
  setCustomKeys({});
});

test("a command is enabled while a view listens for it and no dialog covers it", () => {
  expect(commandOf(itemsOf("en"), "print")).toMatchObject({ enabled: false });
  const unregister = registerCommand({ id: "print", label: "key-print", run: () => undefined });
  expect(commandOf(itemsOf("en"), "print")).toMatchObject({ enabled: true });
  expect(commandOf(itemsOf("en", true), "print")).toMatchObject({ enabled: false });
  unregister();
});

test("a command that counts over dialogs stays enabled while one is open", () => {
  const unregister = registerCommand({ id: "zoomIn", label: "key-zoom-in", overDialogs: true, run: () => undefined });
  expect(commandOf(itemsOf("en", true), "zoomIn")).toMatchObject({ enabled: true });
  unregister();
});

test.each([
  ["en", "Select All", ["Zoom in", "Zoom out", "Normal zoom", "Keyboard shortcuts"]],
  ["ar", "تحديد الكل", ["تكبير العرض", "تصغير العرض", "الحجم العادي للعرض", "اختصارات لوحة المفاتيح"]],
] as const)("the items say what they do without the screen around them: %s", (language, selectAll, labels) => {
  const items = itemsOf(language);
  expect(items.find((item) => item.kind === "system" && item.item === "selectAll")).toMatchObject({ label: selectAll });
  const commands = ["zoomIn", "zoomOut", "zoomReset", "sheet"].map((id) => commandOf(items, id));
  expect(commands).toMatchObject(labels.map((label) => ({ label })));
});

test("each item has a text in both languages", () => {
  for (const language of ["en", "ar"] as const) {
    for (const item of itemsOf(language)) if (item.kind !== "separator") expect(item.label).not.toMatch(/^$|menu-|key-/);
  }
});
