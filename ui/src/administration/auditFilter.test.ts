/** Tests of the query that a filter of the audit becomes. */
import { describe, expect, it } from "vitest";
import { auditQuery, firstAuditFilter, hasUnfinishedDay, withWholeDays } from "./auditFilter";

const today = new Date(2026, 10, 14, 15, 30);
const midnight = (month: number, day: number) => new Date(2026, month - 1, day).toISOString();

describe("the query of a filter", () => {
  it("begins at a local midnight and has no end for a period until now", () => {
    const query = auditQuery(firstAuditFilter, "organization", today);
    expect([query.from, query.to]).toEqual([midnight(11, 8), ""]);
    const day = auditQuery({ ...firstAuditFilter, period: "day" }, "organization", today);
    expect(day.from).toBe(midnight(11, 14));
    const all = auditQuery({ ...firstAuditFilter, period: "all" }, "organization", today);
    expect(all.from).toBe("");
  });

  it("includes the last day of two days, and takes one of them alone", () => {
    const between = { ...firstAuditFilter, period: "days", firstDay: "2026-10-30", lastDay: "2026-10-31" } as const;
    const query = auditQuery(between, "organization", today);
    expect([query.from, query.to]).toEqual([midnight(10, 30), midnight(11, 1)]);
    expect(auditQuery({ ...between, firstDay: "" }, "organization", today).from).toBe("");
  });

  it("takes two days in either order", () => {
    const between = { ...firstAuditFilter, period: "days", firstDay: "2026-10-31", lastDay: "2026-10-30" } as const;
    const query = auditQuery(between, "organization", today);
    expect([query.from, query.to]).toEqual([midnight(10, 30), midnight(11, 1)]);
    expect(auditQuery({ ...between, lastDay: "" }, "organization", today)).toMatchObject({ from: midnight(10, 31), to: "" });
  });

  it("has no limit by a day that is not finished", () => {
    const days = { ...firstAuditFilter, period: "days", firstDay: "dd/10/2026", lastDay: "2026-10-31" } as const;
    expect(auditQuery(days, "organization", today)).toMatchObject({ from: "", to: midnight(11, 1) });
  });

  it("keeps the day of before until another one is typed as a whole, and none once it is cleared", () => {
    const before = { ...firstAuditFilter, period: "days", firstDay: "2026-10-30", lastDay: "2026-10-31" } as const;
    const typed = (firstDay: string) => ({ ...before, group: "records" as const, firstDay });
    for (const part of ["dd/10/2026", "0002-10-30", "0020-10-30", "0202-10-30"]) {
      expect(withWholeDays(typed(part), before), part).toEqual(typed("2026-10-30"));
      expect(hasUnfinishedDay(typed(part)), part).toBe(true);
    }
    for (const whole of ["2025-10-30", ""]) {
      expect(withWholeDays(typed(whole), before), whole).toEqual(typed(whole));
      expect(hasUnfinishedDay(typed(whole)), whole).toBe(false);
    }
    expect(hasUnfinishedDay({ ...typed("0202-10-30"), period: "week" }), "the days are not shown").toBe(false);
  });

  it("names the kinds of a group, or the one that is chosen", () => {
    const group = { ...firstAuditFilter, group: "records" } as const;
    expect(auditQuery(group, "organization", today).kinds).toContain("payment_voided");
    expect(auditQuery({ ...group, kind: "item_changed" }, "organization", today).kinds).toEqual(["item_changed"]);
  });

  it("names an organization only for the platform, and a correlation id only when it is whole", () => {
    const filter = { ...firstAuditFilter, organization: "1", correlationId: " 0190a6c2 " };
    expect(auditQuery(filter, "organization", today)).toMatchObject({ organization: "", correlationId: "0190a6c2" });
    expect(auditQuery(filter, "platform", today).organization).toBe("1");
    expect(auditQuery({ ...filter, correlationId: "0190" }, "platform", today).correlationId).toBe("");
  });
});
