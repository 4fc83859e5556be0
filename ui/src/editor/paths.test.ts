/** Tests of reading and writing values by the paths of fields. */
import { describe, expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import { getText, textEntries, withText } from "./paths";

describe("field paths", () => {
  test("withText replaces one text and shares the other objects", () => {
    const changed = withText(content, "lines[1].description.en", "Delivery, Jeddah");
    expect(getText(changed, "lines[1].description.en")).toBe("Delivery, Jeddah");
    expect(changed.lines[0], "other lines are the same objects").toBe(content.lines[0]);
    expect(content.lines[1]?.description.en).toBe("Delivery, Riyadh");
  });
  test("getText of a missing path is empty", () => {
    expect(getText(content, "lines[7].quantity")).toBe("");
    expect(getText(content, "correction.reason")).toBe("");
  });
  test("textEntries contains texts of the buyer and of every line", () => {
    expect([...textEntries(content).keys()]).toContain("buyer.name.ar");
    expect([...textEntries(content).keys()]).toContain("lines[1].exemptionCode");
  });
});
