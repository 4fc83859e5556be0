/** Tests of the filters of the audit: what a day that is not finished filters by. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { AuditFilters } from "./AuditFilters";
import { type AuditFilter, auditQuery, firstAuditFilter } from "./auditFilter";

vi.mock("../components/Select", () => ({ Select: () => null }));
vi.mock("./SearchedSelect", () => ({ SearchedSelect: () => null }));
afterEach(cleanup);

const today = new Date(2026, 10, 14);
const midnight = new Date(2026, 9, 30).toISOString();

const from = () => screen.getByRole("status").textContent;

function Filters() {
  const [filter, setFilter] = useState<AuditFilter>({ ...firstAuditFilter, period: "days", firstDay: "2026-10-30" });
  return (
    <>
      <AuditFilters scope="organization" filter={filter} onChange={(changed) => setFilter({ ...filter, ...changed })} />
      <output>{auditQuery(filter, "organization", today).from}</output>
    </>
  );
}

test("a first day without its month filters no more by the day that it was", () => {
  renderInWorkspace(<Filters />);
  expect(from()).toBe(midnight);
  const month = document.querySelector("[role=spinbutton][data-type=month]") ?? expect.fail("there is a month");
  // One digit at a time.
  for (const _ of "10") fireEvent.keyDown(month, { key: "Delete", code: "Delete" });
  expect(from()).toBe("");
});
