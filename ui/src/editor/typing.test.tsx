/** What a key renders in a long document: the line that it changes, and nothing else of the form. */

import { act, render } from "@testing-library/react";
import { type Dispatch, useEffect, useReducer } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { content as fixture } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { Draft, Preferences } from "../ipc/bindings";
import { BuyerFields } from "./BuyerFields";
import { draftReducer, type EditorAction, initialEditorState } from "./draftReducer";
import { HeaderFields } from "./HeaderFields";
import { newLine } from "./invoiceLines";
import { LineGrid } from "./LineGrid";

/** The names of what was rendered. */
const rendered = vi.hoisted(() => [] as string[]);
vi.mock("./DescriptionCell", () => ({
  DescriptionCell: ({ index }: { index: number }) => {
    rendered.push(`line ${index}`);
    return null;
  },
}));
vi.mock("./BuyerNameField", () => ({
  BuyerNameField: ({ language }: { language: string }) => {
    rendered.push(`buyer ${language}`);
    return null;
  },
}));
vi.mock("../components/DateField", () => ({
  DateField: ({ name }: { name: string }) => {
    rendered.push(name);
    return null;
  },
}));
vi.mock("../components/Select", () => ({
  Select: ({ label, labelHidden }: { label: string; labelHidden?: boolean }) => {
    if (labelHidden) rendered.push(`choices of ${label}`);
    return null;
  },
}));
vi.mock("./details/BuyerMore", () => ({ BuyerMore: () => null }));
vi.mock("./details/LineMenu", () => ({
  LineMenu: ({ index }: { index: number }) => {
    rendered.push(`menu ${index}`);
    return null;
  },
}));
vi.mock("./BuyerDoubtNotice", () => ({ BuyerDoubtNotice: () => null }));
vi.mock("./KnownBuyerNotice", () => ({ KnownBuyerNotice: () => null }));
vi.mock("./useItemChoice", () => {
  const choice = { choose: () => undefined, expect: () => undefined };
  return { useItemChoice: () => choice };
});

const LINES = 12;
const preferences: Preferences = { language: "en", theme: "light", digits: "latin" };
const lines = Array.from({ length: LINES }, () => newLine(undefined, "15"));
const draft = { key: "a", changes: null, content: { ...fixture, lines } } as unknown as Draft;
const nothing = () => undefined;
const noErrors: never[] = [];
let dispatch: Dispatch<EditorAction>;

function Form() {
  const [state, change] = useReducer(draftReducer, { draft, standardRate: "15" }, initialEditorState);
  useEffect(() => {
    dispatch = change;
  }, []);
  const { content } = state.draft;
  return (
    <>
      <HeaderFields content={content} onFieldChange={nothing} onDueDate={nothing} isDisabled={false} />
      <BuyerFields
        buyer={content.buyer}
        onFieldChange={nothing}
        isDisabled={false}
        onParty={nothing}
        onKept={nothing}
        chosen={null}
        country="SA"
        errors={0}
        dispatch={change}
      />
      <LineGrid
        state={state}
        dispatch={change}
        trackFill={nothing}
        calculation={null}
        fieldErrors={noErrors}
        isDisabled={false}
        isReadOnly={false}
        country="SA"
        onExplain={nothing}
      />
    </>
  );
}

beforeEach(() => {
  rendered.length = 0;
  render(<Form />, {
    wrapper: ({ children }) => <LocalizerProvider preferences={preferences}>{children}</LocalizerProvider>,
  });
  expect(rendered.filter((name) => name.startsWith("line"))).toHaveLength(LINES);
  rendered.length = 0;
});

test("a key in a line renders this line without its lists and menu, and no other part of the form", () => {
  act(() => dispatch({ type: "fieldChanged", path: "lines[7].quantity", text: "12" }));
  expect(rendered).toEqual(["line 7"]);
});

test("a key in the name of the buyer renders no line", () => {
  act(() => dispatch({ type: "fieldChanged", path: "buyer.name.en", text: "Nakheel" }));
  expect(rendered).toEqual(["buyer en", "buyer ar"]);
});

test("a change of a date renders the dates alone", () => {
  act(() => dispatch({ type: "fieldChanged", path: "dueDate", text: "2026-12-31" }));
  expect(rendered).toEqual(["issueDate", "dueDate", "supplyDate"]);
});
