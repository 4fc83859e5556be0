/** Tests of due dates by terms, in English and Arabic. */
import { describe, expect, test } from "vitest";
import { dueDateOf, parseTerms } from "./dueDate";

describe("payment terms", () => {
  test.each([
    ["+30", "2026-12-22"],
    ["30", "2026-12-22"],
    ["+٣٠", "2026-12-22"],
    ["٣٠+", "2026-12-22"],
    ["30 days", "2026-12-22"],
    ["30 يومًا", "2026-12-22"],
    ["+0", "2026-11-22"],
    ["eom", "2026-11-30"],
    ["EOM + 15", "2026-12-15"],
    ["نهاية الشهر", "2026-11-30"],
    ["نهاية الشهر + ١٥", "2026-12-15"],
    ["آخر الشهر+15", "2026-12-15"],
  ])("%s gives a due date", (text, due) => {
    const terms = parseTerms(text);
    expect(terms && dueDateOf("2026-11-22", terms)).toBe(due);
  });

  test.each(["", "+", "net", "+99999", "on delivery", "2/10 net 30"])("%j is no term", (text) => {
    expect(parseTerms(text)).toBeNull();
  });

  test("the end of a month depends on the month", () => {
    expect(dueDateOf("2028-02-03", { endOfMonth: true, days: 0 })).toBe("2028-02-29");
    expect(dueDateOf("", { endOfMonth: true, days: 0 })).toBe("");
  });
});
