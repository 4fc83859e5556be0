/** The errors of the fields, with an identity that changes only when an error changes. */

import { useMemo } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceContent, Violation } from "../ipc/bindings";
import { listCounts } from "./details/detailFields";
import { type FieldError, formFields, inFormOrder, messagesByField, toFieldErrors } from "./fields";
import { useUnchanged } from "./useUnchanged";

export interface FieldErrors {
  /** In the order of the form. */
  fieldErrors: readonly FieldError[];
  /** By field, as `validationErrors` of React Aria's Form. Every field renders again when its identity changes. */
  messages: Record<string, string[]>;
}

const none: readonly FieldError[] = [];

/**
 * The errors of `violations`, and `others`, whose fields are known. Typing keeps their identity, so that a key renders its own field and no
 * other.
 */
export function useFieldErrors(
  violations: readonly Violation[] | null,
  content: InvoiceContent,
  others: readonly FieldError[] = none,
): FieldErrors {
  const localizer = useLocalizer();
  const lineCount = content.lines.length;
  const corrects = content.correction !== null;
  const { language } = localizer;
  const lists = useUnchanged(listCounts(content));
  const fields = useMemo(() => formFields(lineCount, corrects, language, lists), [lineCount, corrects, language, lists]);
  const found = useMemo(() => {
    const own = violations === null ? none : toFieldErrors(violations, fields, localizer);
    return others.length === 0 ? own : inFormOrder([...others, ...own], fields);
  }, [violations, others, fields, localizer]);
  const fieldErrors = useUnchanged(found);
  const messages = useMemo(() => messagesByField(fieldErrors), [fieldErrors]);
  return { fieldErrors, messages };
}
