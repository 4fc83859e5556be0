/**
 * Tests of the dates of a schedule: one that is typed in part, or missing, is not sent as the date of before, and its field says so. What
 * was typed is not lost by a key.
 */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useFormDiscardQuestion } from "../components/useDiscardQuestion";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { Schedule } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { ScheduleForm } from "./ScheduleForm";

vi.mock("../state/withBinding");

const schedule: Schedule = { frequency: "monthly", day: 1, from: "2026-12-05", until: "2027-12-06", period: "current" };
const onSave = vi.fn();
const onClose = vi.fn();

beforeEach(() => {
  onSave.mockClear();
  onClose.mockClear();
  vi.spyOn(commands, "scheduleDates").mockResolvedValue({ status: "ok", data: [] });
  runWithBinding();
  open(schedule);
});
afterEach(cleanup);

function open(shown: Schedule) {
  renderInWorkspace(<Dialog shown={shown} />);
}

function Dialog({ shown }: { shown: Schedule }) {
  const question = useFormDiscardQuestion(onClose);
  return (
    <>
      <ScheduleForm schedule={shown} question={question} onSave={onSave} onClose={onClose} />
      <button type="button" onClick={question.close}>
        Escape
      </button>
    </>
  );
}

/** The days of the first and of the last date. */
const days = () => [...document.querySelectorAll<HTMLElement>("[role=spinbutton][data-type=day]")];
const dayOf = (which: "first" | "last") => days().at(which === "first" ? 0 : -1) ?? expect.fail("there are two dates");
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const save = () => press("Save schedule");
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

test.each(["Escape", "Cancel"])("a date that was typed is discarded by %s only when that is confirmed", (button) => {
  press(button);
  expect(onClose, "nothing was typed").toHaveBeenCalledOnce();
  fireEvent.keyDown(dayOf("first"), { key: "Delete", code: "Delete" });
  press(button);
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.getByRole("alert").textContent).toBe("Discard what you typed?");
  press(button === "Cancel" ? "Discard it" : button);
  expect(onClose).toHaveBeenCalledTimes(2);
});
