/** Tests of the table of keyboard shortcuts. */
import { describe, expect, test } from "vitest";
import { keysOf, matchesShortcut, setCustomKeys } from "./shortcuts";

const pressed = (part: KeyboardEventInit & { code?: string }) => new KeyboardEvent("keydown", part);

describe("shortcuts", () => {
  test("a Latin letter matches by key", () => {
    expect(matchesShortcut(pressed({ key: "n", ctrlKey: true }), "Mod+N")).toBe(true);
    expect(matchesShortcut(pressed({ key: "F", ctrlKey: true, shiftKey: true }), "Mod+Shift+F")).toBe(true);
    expect(matchesShortcut(pressed({ key: "f", ctrlKey: true }), "Mod+Shift+F")).toBe(false);
    expect(matchesShortcut(pressed({ key: "n" }), "Mod+N")).toBe(false);
  });
  test("an Arabic letter matches by code", () => {
    expect(matchesShortcut(pressed({ key: "ى", code: "KeyN", ctrlKey: true }), "Mod+N")).toBe(true);
  });
  test("input method composition matches no shortcut", () => {
    expect(matchesShortcut(pressed({ key: "Enter", ctrlKey: true, isComposing: true }), "Mod+Enter")).toBe(false);
  });
  test("keys that were chosen replace those of the table, unless they stand for several", () => {
    setCustomKeys({ removeLine: "Mod+Shift+Y", views: "Mod+Shift+A" });
    expect([keysOf("removeLine"), keysOf("views")]).toEqual(["Mod+Shift+Y", "Alt+1…9"]);
    setCustomKeys({});
  });
});
