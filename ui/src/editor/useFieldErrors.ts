/** The errors of the fields, with an identity that changes only when an error changes. */

import { useMemo } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceContent, Violation } from "../ipc/bindings";
import { listCounts } from "./details/detailFields";
import { type FieldError, formFields, messagesByField, toFieldErrors } from "./fields";
import { useUnchanged } from "./useUnchanged";

export interface FieldErrors {
  /** In the order of the form. */
  fieldErrors: readonly FieldError[];
  /** By field, as `validationErrors` of React Aria's Form. Every field renders again when its identity changes. */
  messages: Record<string, string[]>;
}

/** The errors of `violations`. Typing keeps their identity, so that a key renders its own field and no other. */
export function useFieldErrors(violations: readonly Violation[] | null, content: InvoiceContent): FieldErrors {
  const localizer = useLocalizer();
  const lineCount = content.lines.length;
  const corrects = content.correction !== null;
  const { language } = localizer;
  const lists = useUnchanged(listCounts(content));
  const fields = useMemo(() => formFields(lineCount, corrects, language, lists), [lineCount, corrects, language, lists]);
  const found = useMemo(
    () => (violations === null ? none : toFieldErrors(violations, fields, localizer)),
    [violations, fields, localizer],
  );
  const fieldErrors = useUnchanged(found);
  const messages = useMemo(() => messagesByField(fieldErrors), [fieldErrors]);
  return { fieldErrors, messages };
}

const none: readonly FieldError[] = [];
