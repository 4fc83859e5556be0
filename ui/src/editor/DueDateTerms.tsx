/**
 * Terms that set the due date: `+30`, `eom`, `eom+15`, and the same in Arabic. The date beside it shows the result, and follows the issue date
 * until somebody types another one.
 */

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { announce } from "../components/announce";
import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { dueDateOf, parseTerms } from "./dueDate";

export interface DueDateTermsProps {
  issueDate: string;
  dueDate: string;
  onDueDate: (date: string) => void;
  isDisabled: boolean;
}

export function DueDateTerms({ issueDate, dueDate, onDueDate, isDisabled }: DueDateTermsProps) {
  const { t, format, direction } = useLocalizer();
  const [text, setText] = useState("");
  const due = dueDateOfText(issueDate, text);
  // The last due date that this field has set.
  const given = useRef("");
  // The due date of before what is being typed, which comes back if that gives none.
  const replaced = useRef(dueDate);
  const isUntold = useRef(false);
  // Each key gives the date of the terms, so that they differ from it only after another issue date.
  useEffect(() => {
    if (due === "" || due === dueDate || given.current !== dueDate) return;
    given.current = due;
    onDueDate(due);
  }, [due, dueDate, onDueDate]);
  // A due date that was set elsewhere, or that undo has brought back, is not that of the terms.
  const shown = useRef(dueDate);
  useEffect(() => {
    if (dueDate !== shown.current && dueDate !== given.current) setText("");
    shown.current = dueDate;
  }, [dueDate]);
  const give = (date: string) => {
    given.current = date;
    if (date === dueDate) return;
    isUntold.current = true;
    onDueDate(date);
  };
  // Each key sets the date: a shortcut sends the document while the focus is still here.
  const onChange = (typed: string) => {
    setText(typed);
    const date = dueDateOfText(issueDate, typed);
    if (date !== "") give(date);
    else if (given.current === dueDate) give(replaced.current);
  };
  // Not each of them is read out: +3 comes before +30.
  const tell = () => {
    if (isUntold.current && due !== "") announce(t("due-date-set", { date: format.date(due) }));
    isUntold.current = false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && due !== "") {
      event.preventDefault();
      give(due);
      tell();
    }
  };
  // With an issue date that is typed in part there is no due date either, and the terms are right.
  const unreadable = text.trim() !== "" && parseTerms(text) === null;
  return (
    <TextField
      label={t("field-terms")}
      value={text}
      onChange={onChange}
      onFocus={() => {
        replaced.current = dueDate;
      }}
      onBlur={tell}
      onKeyDown={onKeyDown}
      isDisabled={isDisabled}
      dir={text === "" ? direction : "auto"}
      hint={due === "" ? t(unreadable ? "terms-unreadable" : "terms-hint") : t("terms-result", { date: format.date(due) })}
    />
  );
}

/** The due date of terms as they are typed, or an empty text if they give none. */
function dueDateOfText(issueDate: string, text: string): string {
  const terms = parseTerms(text);
  return terms === null ? "" : dueDateOf(issueDate, terms);
}
