/** Tests of the keys that a user can choose for a shortcut. */
// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { checkKeys, keysOfEvent, withKeys } from "./shortcutKeys";

const pressed = (part: KeyboardEventInit) => keysOfEvent(new KeyboardEvent("keydown", part));

describe("the keys of an event", () => {
  test("are named with their modifiers", () => {
    expect(pressed({ key: "g", code: "KeyG", ctrlKey: true })).toBe("Mod+G");
    expect(pressed({ key: "G", code: "KeyG", ctrlKey: true, shiftKey: true })).toBe("Mod+Shift+G");
    expect(pressed({ key: "F9", code: "F9" })).toBe("F9");
    expect(pressed({ key: ",", code: "Comma", ctrlKey: true })).toBe("Mod+,");
  });
  test("are those of their place on an Arabic keyboard", () => {
    expect(pressed({ key: "ل", code: "KeyG", ctrlKey: true })).toBe("Mod+G");
    expect(pressed({ key: "٣", code: "Digit3", ctrlKey: true })).toBe("Mod+3");
  });
  test("are none while only modifiers are down", () => {
    expect(pressed({ key: "Control", code: "ControlLeft", ctrlKey: true })).toBeNull();
  });
});

describe("a shortcut", () => {
  test("cannot have the keys of another one, whose name is told", () => {
    expect(checkKeys("newInvoice", "Mod+D", {})).toEqual({ kind: "taken", by: "duplicate" });
    expect(checkKeys("newInvoice", "Mod+N", {})).toBeNull();
  });
  test("can have keys that another one has given up", () => {
    expect(checkKeys("newInvoice", "Mod+D", { duplicate: "Mod+Shift+D" })).toBeNull();
    expect(checkKeys("newInvoice", "Mod+Shift+D", { duplicate: "Mod+Shift+D" })).toEqual({ kind: "taken", by: "duplicate" });
  });
  test("cannot have keys that type, or that fields and the system use", () => {
    expect(checkKeys("newInvoice", "G", {})).toEqual({ kind: "plain" });
    expect(checkKeys("newInvoice", "Alt+G", {})).toEqual({ kind: "plain" });
    expect(checkKeys("newInvoice", "Mod+V", {})).toEqual({ kind: "reserved" });
    expect(checkKeys("newInvoice", "Mod+3", {})).toEqual({ kind: "reserved" });
    expect(checkKeys("newInvoice", "Shift+F4", {})).toBeNull();
  });
  test("gets its own keys back", () => {
    const custom = withKeys({ duplicate: "Mod+Shift+D" }, "newInvoice", "F9");
    expect(custom).toEqual({ duplicate: "Mod+Shift+D", newInvoice: "F9" });
    expect(withKeys(custom, "newInvoice", null)).toEqual({ duplicate: "Mod+Shift+D" });
    expect(withKeys(custom, "newInvoice", "Mod+N")).toEqual({ duplicate: "Mod+Shift+D" });
  });
});
