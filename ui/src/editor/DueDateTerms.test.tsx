/** Terms set the due date with each key, in one step to undo. It follows the issue date; one that was typed stays. */

import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Activity, type Dispatch, useEffect, useReducer } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { useShortcut } from "../components/shortcuts";
import { content } from "../gallery/fixtures";
import type { Draft, DueTerms } from "../ipc/bindings";
import { DueDateTerms, type DueDateTermsProps } from "./DueDateTerms";
import { draftReducer, type EditorAction, initialEditorState } from "./draftReducer";
import { HeaderFields } from "./HeaderFields";

vi.mock("../components/announce");
vi.mock("../components/DateField", () => ({ DateField: () => null }));
vi.mock("../components/Select", () => ({ Select: () => null }));
vi.mock("../i18n/LocalizerProvider", () => ({
  useLocalizer: () => ({
    t: (id: string, args?: { date: string }) => (args ? `${id} ${args.date}` : id),
    locale: "en",
    format: { date: (date: string) => date },
    direction: "ltr",
  }),
}));

beforeEach(() => vi.mocked(announce).mockClear());

afterEach(cleanup);

function terms(issueDate: string, dueDate: string, onDueDate: DueDateTermsProps["onDueDate"], dueTerms: DueTerms | null = null) {
  return <DueDateTerms issueDate={issueDate} dueDate={dueDate} dueTerms={dueTerms} onDueDate={onDueDate} isDisabled={false} />;
}

/** Types `+30` into the terms of a document of 1 November. */
function typeTerms(onDueDate: DueDateTermsProps["onDueDate"]) {
  const { rerender } = render(terms("2026-11-01", "", onDueDate));
  const field = screen.getByRole("textbox");
  fireEvent.change(field, { target: { value: "+30" } });
  fireEvent.blur(field);
  return rerender;
}

test("the due date of terms follows another issue date", () => {
  const onDueDate = vi.fn();
  const rerender = typeTerms(onDueDate);
  const days = { endOfMonth: false, days: 30 };
  expect(onDueDate).toHaveBeenLastCalledWith("2026-12-01", days);
  rerender(terms("2026-11-05", "2026-12-01", onDueDate, days));
  expect(onDueDate).toHaveBeenLastCalledWith("2026-12-05", days);
});

function form(mode: "visible" | "hidden") {
  return <Activity mode={mode}>{terms("2026-11-01", "2026-11-09", vi.fn())}</Activity>;
}

test("terms that are being typed stay while the account signs in again, when the form is hidden", () => {
  const { rerender } = render(form("visible"));
  const field = screen.getByRole<HTMLInputElement>("textbox");
  fireEvent.change(field, { target: { value: "eo" } });
  for (const mode of ["hidden", "visible"] as const) rerender(form(mode));
  expect(field.value).toBe("eo");
});

test("terms are not called unreadable while the issue date is typed", () => {
  render(terms("3/mm/2026", "", vi.fn()));
  const field = screen.getByRole("textbox");
  fireEvent.change(field, { target: { value: "+30" } });
  expect(screen.queryByText("terms-unreadable")).toBeNull();
  fireEvent.change(field, { target: { value: "soon" } });
  screen.getByText("terms-unreadable");
});

test("a due date that was typed after the terms stays", () => {
  const onDueDate = vi.fn();
  const rerender = typeTerms(onDueDate);
  rerender(terms("2026-11-01", "2026-12-24", onDueDate));
  rerender(terms("2026-11-05", "2026-12-24", onDueDate));
  expect(onDueDate).toHaveBeenCalledTimes(1);
});

const draft: Draft = {
  key: "a",
  changes: null,
  content: { ...content, issueDate: "2026-11-01", dueDate: "2026-11-15" },
  state: "editing",
};
const sent = vi.fn();
let dispatch: Dispatch<EditorAction>;
let dueDate: string;
let dueTerms: DueTerms | null;

function Form() {
  const [state, change] = useReducer(draftReducer, { draft, standardRate: "15" }, initialEditorState);
  const edited = state.draft.content;
  useEffect(() => {
    dispatch = change;
    dueDate = edited.dueDate;
    dueTerms = edited.dueTerms ?? null;
  }, [edited.dueDate, edited.dueTerms]);
  useShortcut("save", () => sent(edited.dueDate));
  useShortcut("submit", () => sent(edited.dueDate));
  return (
    <HeaderFields
      content={edited}
      onFieldChange={(path, text) => change({ type: "fieldChanged", path, text })}
      onDueDate={(date, of) => change({ type: "dueDateGiven", dueDate: date, terms: of })}
      isDisabled={false}
    />
  );
}

const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "field-terms" });
const undo = () => act(() => dispatch({ type: "undone" }));

/** What the field holds one key after the other. */
function type(...texts: readonly string[]) {
  act(() => field().focus());
  for (const text of texts) fireEvent.change(field(), { target: { value: text } });
}

describe("in the form", () => {
  beforeEach(() => {
    sent.mockClear();
    render(<Form />);
  });

  test("a shortcut that sends the document while the terms have the focus sends their date", () => {
    type("+", "+3", "+30");
    fireEvent.keyDown(field(), { key: "s", ctrlKey: true });
    type("e", "eo", "eom");
    fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
    expect(sent.mock.calls).toEqual([["2026-12-01"], ["2026-11-30"]]);
  });

  test("one undo takes the terms back with their date, however they were typed, and leaving the field does not bring it again", () => {
    type("e", "eo", "eom", "eom+", "eom+1", "eom+15");
    expect(dueDate).toBe("2026-12-15");
    undo();
    expect([dueDate, field().value]).toEqual(["2026-11-15", ""]);
    act(() => field().blur());
    expect(dueDate).toBe("2026-11-15");
    expect(announce).not.toHaveBeenCalled();
  });

  test("undo takes back the terms alone, and not a due date that was typed before", () => {
    act(() => dispatch({ type: "fieldChanged", path: "dueDate", text: "2026-11-20" }));
    type("+", "+3", "+30");
    undo();
    expect(dueDate).toBe("2026-11-20");
    undo();
    expect(dueDate).toBe("2026-11-15");
  });

  test("terms that are removed before the field is left give back the due date of before", () => {
    type("+", "+3", "+30", "+3", "+");
    expect(dueDate).toBe("2026-11-15");
    type("+4");
    act(() => field().blur());
    type("");
    expect(dueDate, "later they leave the date that they have set").toBe("2026-11-05");
  });

  test("a document has the terms that have given its date, until another date is typed, also if that is the end of a month", () => {
    type("e", "eo", "eom");
    expect([dueDate, dueTerms]).toEqual(["2026-11-30", { endOfMonth: true, days: 0 }]);
    act(() => field().blur());
    act(() => dispatch({ type: "fieldChanged", path: "dueDate", text: "2026-11-15" }));
    act(() => dispatch({ type: "fieldChanged", path: "dueDate", text: "2026-11-30" }));
    expect([dueDate, dueTerms]).toEqual(["2026-11-30", null]);
    type("e", "eo", "eom");
    expect(dueTerms, "they give the date that was typed").toEqual({ endOfMonth: true, days: 0 });
    undo();
    expect([dueDate, dueTerms, field().value]).toEqual(["2026-11-30", null, ""]);
  });

  test("the date is read out once, by leaving the field or with Enter", () => {
    type("+", "+3", "+30");
    expect(announce).not.toHaveBeenCalled();
    act(() => field().blur());
    type("+45");
    fireEvent.keyDown(field(), { key: "Enter" });
    act(() => field().blur());
    expect(vi.mocked(announce).mock.calls).toEqual([["due-date-set 2026-12-01"], ["due-date-set 2026-12-16"]]);
  });
});
