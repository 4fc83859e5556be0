/**
 * Terms that set the due date: `+30`, `eom`, `eom+15`, and the same in Arabic. The date beside it shows the result, and follows the issue date
 * until somebody types another one.
 */

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { announce } from "../components/announce";
import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { DueTerms } from "../ipc/bindings";
import { dueDateOf, isSameTerms, parseTerms } from "./dueDate";

export interface DueDateTermsProps {
  issueDate: string;
  dueDate: string;
  /** The terms that have given the due date; `null` if it was typed. */
  dueTerms: DueTerms | null;
  onDueDate: (date: string, terms: DueTerms | null) => void;
  isDisabled: boolean;
}

export function DueDateTerms({ issueDate, dueDate, dueTerms, onDueDate, isDisabled }: DueDateTermsProps) {
  const { t, format, direction } = useLocalizer();
  const [text, setText] = useState("");
  const terms = parseTerms(text);
  const due = terms === null ? "" : dueDateOf(issueDate, terms);
  // The last due date that this field has set, and its terms.
  const given = useRef<{ date: string; terms: DueTerms | null }>({ date: "", terms: null });
  // The due date of before what is being typed, which comes back with its terms if that gives none.
  const replaced = useRef({ dueDate, dueTerms });
  const isUntold = useRef(false);
  // Each key gives the date of the terms, so that they differ from it only after another issue date.
  useEffect(() => {
    if (due === "" || due === dueDate || given.current.date !== dueDate) return;
    given.current = { date: due, terms: parseTerms(text) };
    onDueDate(due, given.current.terms);
  }, [due, dueDate, text, onDueDate]);
  // A due date that was set elsewhere, or that undo has brought back, is not that of the terms.
  const shown = useRef({ dueDate, dueTerms });
  useEffect(() => {
    const { date, terms: of } = given.current;
    const isGiven = dueDate === date && isSameTerms(dueTerms, of);
    const isOther = dueDate !== shown.current.dueDate || !isSameTerms(dueTerms, shown.current.dueTerms);
    if (isOther && !isGiven) setText("");
    shown.current = { dueDate, dueTerms };
  }, [dueDate, dueTerms]);
  const give = (date: string, of: DueTerms | null) => {
    given.current = { date, terms: of };
    if (date !== dueDate) isUntold.current = true;
    else if (isSameTerms(of, dueTerms)) return;
    onDueDate(date, of);
  };
  // Each key sets the date: a shortcut sends the document while the focus is still here.
  const onChange = (typed: string) => {
    setText(typed);
    const of = parseTerms(typed);
    const date = of === null ? "" : dueDateOf(issueDate, of);
    if (date !== "") give(date, of);
    else if (given.current.date === dueDate) give(replaced.current.dueDate, replaced.current.dueTerms);
  };
  // Not each of them is read out: +3 comes before +30.
  const tell = () => {
    if (isUntold.current && due !== "") announce(t("due-date-set", { date: format.date(due) }));
    isUntold.current = false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && due !== "") {
      event.preventDefault();
      give(due, terms);
      tell();
    }
  };
  // With an issue date that is typed in part there is no due date either, and the terms are right.
  const unreadable = text.trim() !== "" && terms === null;
  return (
    <TextField
      label={t("field-terms")}
      value={text}
      onChange={onChange}
      onFocus={() => {
        replaced.current = { dueDate, dueTerms };
      }}
      onBlur={tell}
      onKeyDown={onKeyDown}
      isDisabled={isDisabled}
      dir={text === "" ? direction : "auto"}
      hint={due === "" ? t(unreadable ? "terms-unreadable" : "terms-hint") : t("terms-result", { date: format.date(due) })}
    />
  );
}
