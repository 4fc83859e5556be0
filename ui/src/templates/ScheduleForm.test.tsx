/** Tests of the dates of a schedule: one that is typed in part, or missing, is not sent as the date of before, and its field says so. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { Schedule } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { ScheduleForm } from "./ScheduleForm";

vi.mock("../state/withBinding");

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const schedule: Schedule = { frequency: "monthly", day: 1, from: "2026-12-05", until: "2027-12-06", period: "current" };
const onSave = vi.fn();

beforeEach(() => {
  onSave.mockClear();
  vi.spyOn(commands, "scheduleDates").mockResolvedValue({ status: "ok", data: [] });
  vi.mocked(withBinding).mockImplementation(async (bound, command) => {
    const answer = await command({ organization: bound, generation: 1 });
    if (answer.status === "error") throw new Error("refused");
    return answer.data;
  });
  open(schedule);
});
afterEach(cleanup);

function open(shown: Schedule) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization } as unknown as Workspace}>
          <ScheduleForm schedule={shown} onSave={onSave} onClose={() => undefined} />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
}

/** The days of the first and of the last date. */
const days = () => [...document.querySelectorAll<HTMLElement>("[role=spinbutton][data-type=day]")];
const dayOf = (which: "first" | "last") => days().at(which === "first" ? 0 : -1) ?? expect.fail("there are two dates");
const save = () => fireEvent.click(screen.getByRole("button", { name: "Save schedule" }));
const type = (day: HTMLElement, data: string) =>
  fireEvent(day, new InputEvent("beforeinput", { data, inputType: "insertText", bubbles: true, cancelable: true }));

test.each(["first", "last"] as const)("the %s date without its day is said at its field until it is a date", async (which) => {
  await expect.poll(() => vi.mocked(commands.scheduleDates).mock.calls.length).toBe(1);
  fireEvent.keyDown(dayOf(which), { key: "Delete", code: "Delete" });
  expect(screen.queryByText("Enter a date: this is none."), "nobody has saved yet").toBeNull();
  save();
  screen.getByText("Enter a date: this is none.");
  expect(onSave).not.toHaveBeenCalled();
  expect(commands.scheduleDates, "there are no dates to show").toHaveBeenCalledOnce();
  type(dayOf(which), "7");
  expect(screen.queryByText("Enter a date: this is none.")).toBeNull();
  save();
  const completed = which === "first" ? { from: "2026-12-07" } : { until: "2027-12-07" };
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ ...schedule, ...completed });
});

test("a first date that is missing is asked for at its field", () => {
  cleanup();
  open({ ...schedule, from: "" });
  save();
  screen.getByText("This is needed.");
  expect(onSave).not.toHaveBeenCalled();
});
