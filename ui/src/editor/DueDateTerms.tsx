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
  const terms = parseTerms(text);
  const due = terms === null ? "" : dueDateOf(issueDate, terms);
  const given = useRef("");
  const issued = useRef(issueDate);
  useEffect(() => {
    if (issued.current === issueDate) return;
    issued.current = issueDate;
    if (due === "" || due === dueDate || given.current !== dueDate) return;
    given.current = due;
    onDueDate(due);
  }, [issueDate, due, dueDate, onDueDate]);
  const apply = () => {
    if (due === "") return;
    given.current = due;
    if (due === dueDate) return;
    onDueDate(due);
    announce(t("due-date-set", { date: format.date(due) }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && due !== "") {
      event.preventDefault();
      apply();
    }
  };
  const unreadable = text.trim() !== "" && due === "";
  return (
    <TextField
      label={t("field-terms")}
      value={text}
      onChange={setText}
      onBlur={apply}
      onKeyDown={onKeyDown}
      isDisabled={isDisabled}
      dir={text === "" ? direction : "auto"}
      hint={due === "" ? t(unreadable ? "terms-unreadable" : "terms-hint") : t("terms-result", { date: format.date(due) })}
    />
  );
}
