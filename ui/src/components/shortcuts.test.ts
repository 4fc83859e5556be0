/** Tests of the table of keyboard shortcuts. */
// @vitest-environment jsdom
import { afterEach, describe, expect, test, vi } from "vitest";
import { keysOf, matchesShortcut, setCustomKeys, typesWithAlt } from "./shortcuts";

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
  test("a digit matches by its place, and with Alt not on the number pad, which writes characters by their codes", () => {
    expect(matchesShortcut(pressed({ key: "&", code: "Digit1", altKey: true }), "Alt+1")).toBe(true);
    expect(matchesShortcut(pressed({ key: "١", code: "Digit1", ctrlKey: true }), "Mod+1")).toBe(true);
    expect(matchesShortcut(pressed({ key: "1", code: "Numpad1", ctrlKey: true }), "Mod+1")).toBe(true);
    expect(matchesShortcut(pressed({ key: "1", code: "Numpad1", altKey: true }), "Alt+1")).toBe(false);
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

describe("shortcuts on macOS", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
    document.body.replaceChildren();
  });
  test("a digit with Option matches whatever character it prints, and types that character into a field", async () => {
    vi.stubGlobal("navigator", { platform: "MacIntel" });
    vi.resetModules();
    const onMac = await import("./shortcuts");
    const field = document.body.appendChild(document.createElement("input"));
    const keys: KeyboardEvent[] = [];
    document.body.addEventListener("keydown", (event) => keys.push(event));
    for (const target of [document.body, field]) {
      target.dispatchEvent(pressed({ key: "¡", code: "Digit1", altKey: true, bubbles: true }));
    }
    expect(keys.map((event) => onMac.matchesShortcut(event, "Alt+1"))).toEqual([true, true]);
    expect(keys.map((event) => onMac.typesWithAlt(event))).toEqual([false, true]);
    expect(
      keys.map((event) => typesWithAlt(event)),
      "elsewhere Alt types nothing",
    ).toEqual([false, false]);
  });
});
