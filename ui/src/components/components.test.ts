import { describe, expect, test } from "vitest";
import { organizations } from "../gallery/fixtures";
import { search } from "../organizations/search";
import { initials } from "../shell/initials";
import { readableTextColor } from "./OrganizationBadge";
import { matches } from "./shortcuts";

const pressed = (part: KeyboardEventInit & { code?: string }) => new KeyboardEvent("keydown", part);

describe("shortcuts", () => {
  test("are found by what the key prints", () => {
    expect(matches(pressed({ key: "n", ctrlKey: true }), "Mod+N")).toBe(true);
    expect(matches(pressed({ key: "F", ctrlKey: true, shiftKey: true }), "Mod+Shift+F")).toBe(true);
    expect(matches(pressed({ key: "f", ctrlKey: true }), "Mod+Shift+F")).toBe(false);
    expect(matches(pressed({ key: "n" }), "Mod+N")).toBe(false);
  });
  test("are found by where the key is on an Arabic keyboard", () => {
    expect(matches(pressed({ key: "ى", code: "KeyN", ctrlKey: true }), "Mod+N")).toBe(true);
  });
  test("do not hear what an input method is composing", () => {
    expect(matches(pressed({ key: "Enter", ctrlKey: true, isComposing: true }), "Mod+Enter")).toBe(false);
  });
});

describe("organizations", () => {
  test("are found without marks, case or the form of a letter", () => {
    const found = (text: string) =>
      search(
        [
          { ...organizations[0]!, name: "مؤسّسة الإخاء" },
          { ...organizations[1]!, name: "Café Riyadh" },
        ],
        text,
      );
    expect(found("الاخاء").length).toBe(1);
    expect(found("cafe").length).toBe(1);
    expect(found("274893002 riyadh").length).toBe(1);
    expect(found("").length).toBe(2);
    expect(found("nobody").length).toBe(0);
  });
  test("have letters that can be read on their colour", () => {
    for (const { color } of organizations) expect(readableTextColor(color), color).toBe("#ffffff");
    expect(readableTextColor("#f2e3a0")).toBe("#15171a");
  });
  test("and people have initials in both scripts", () => {
    expect(initials("Noura Al-Harbi")).toBe("NA");
    expect(initials("نورة الحربي")).toBe("ن");
    expect(initials("")).toBe("");
  });
});
