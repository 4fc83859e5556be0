/** The state of a form about something that others can change too. What they have changed is merged into it, and named. */

import { useState } from "react";
import { type FormChange, type FormPart, mergeForm } from "./formMerge";

/** A change of somebody else for which a form was not saved. */
export interface FormConflict {
  changes: readonly FormChange[];
  /** Gives up what was typed. `null`: nothing of it is left. */
  takeTheirs: (() => void) | null;
}

export interface MergedForm<V, F> {
  /** What the form shows the changes of: a write sends its stamp. */
  base: V;
  form: F;
  setForm: (form: F) => void;
  isTyped: boolean;
  conflict: FormConflict | null;
  /** Goes on from what somebody else has saved, with what was typed on top. */
  merge: (theirs: V) => void;
}

interface State<V, F> {
  base: V;
  form: F;
  changes: readonly FormChange[] | null;
}

/**
 * `read` is what the form begins with. What is read later counts only once it is merged: with its stamp, the form would overwrite a
 * change of somebody else that it has not shown.
 */
export function useMergedForm<V, F>(read: V, formOf: (value: V) => F, parts: readonly FormPart<F>[]): MergedForm<V, F> {
  const [{ base, form, changes }, setState] = useState<State<V, F>>(() => ({ base: read, form: formOf(read), changes: null }));
  const isTyped = JSON.stringify(form) !== JSON.stringify(formOf(base));
  const takeTheirs = () => setState((state) => ({ ...state, form: formOf(state.base), changes: null }));
  return {
    base,
    form,
    isTyped,
    setForm: (changed) => setState((state) => ({ ...state, form: changed })),
    conflict: changes && { changes, takeTheirs: isTyped ? takeTheirs : null },
    merge: (theirs) =>
      setState((state) => {
        const merged = mergeForm(parts, { base: formOf(state.base), typed: state.form, theirs: formOf(theirs) });
        return { base: theirs, ...merged };
      }),
  };
}
