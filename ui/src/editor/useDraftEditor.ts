/** State of a draft in the editor, with autosave and live totals. */

import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import type { Calculation, Draft, InvoiceContent } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { invalidateDrafts } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { type Autosave, createAutosave } from "./autosave";
import {
  draftReducer,
  type EditorAction,
  type EditorState,
  initialEditorState,
  isBlank,
  type NewDocumentDefaults,
} from "./draftReducer";
import { withoutEmptyEnd } from "./invoiceLines";

/** Delay after the last input before totals are requested. */
const CALCULATE_MS = 120;
/** How long an answer takes before the totals of before are marked. Mostly it takes a moment, and a mark would flicker. */
const LATE_MS = 500;

export interface DraftEditor {
  state: EditorState;
  dispatch: Dispatch<EditorAction>;
  /** Saves each change. The editor is not rendered when it has. */
  autosave: Autosave<Draft>;
  /** Runs what needs the draft at the core: one without input is written before, and none is deleted meanwhile. */
  withDraft: <T>(work: () => Promise<T>) => Promise<T>;
  /** Whether a fill is under way: content that was chosen and is not there yet. It is not sent before. */
  filling: boolean;
  /** Notes a fill that is under way until the promise is settled. */
  trackFill: (fill: Promise<void>) => void;
  calculation: Calculation | null;
  /** Whether the answer about the present content takes long: the totals are still those of before. */
  isCalculationLate: boolean;
  /** Sets the calculation that a submission has requested. */
  setCalculation: (calculation: Calculation) => void;
}

export function useDraftEditor(initial: Draft, defaults: NewDocumentDefaults): DraftEditor {
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { registerAutosave } = useNavigation();
  const [state, dispatch] = useReducer(draftReducer, { draft: initial, standardRate: defaults.standardRate }, initialEditorState);
  const [fills, setFills] = useState(0);
  const trackFill = useCallback((fill: Promise<void>) => {
    setFills((count) => count + 1);
    void fill.finally(() => setFills((count) => count - 1));
  }, []);
  const { id } = organization;
  const { issueDate } = initial.content;
  const blank = useCallback((draft: Draft) => isBlank(draft, defaults, issueDate), [defaults, issueDate]);
  // A draft without input is not written, so that none is left when the window is closed or loaded again (decision 0193). Whether one
  // that is opened without any is on the disk does not matter: the next input writes it, and leaving the view deletes it.
  const [beganBlank] = useState(() => blank(initial));
  const isWritten = useRef(!beganBlank);
  // Whether something else needs it at the core, as a file that is added.
  const isNeeded = useRef(false);
  const autosave = useMemo(
    () =>
      createAutosave<Draft>(async (draft) => {
        if (!isWritten.current && !isNeeded.current && blank(draft)) return;
        await withBinding(id, (binding) => commands.saveDraft(binding, draft));
        if (!isWritten.current) invalidateDrafts(client, id);
        isWritten.current = true;
      }),
    [client, id, blank],
  );

  const last = useRef(initial);
  useEffect(() => {
    if (state.draft === last.current) return;
    last.current = state.draft;
    autosave.schedule(state.draft);
  }, [autosave, state.draft]);
  useFlushOnLeave(autosave);
  // A file that is added and the deletion of a draft without input, one after the other: each finds what the other has left.
  const turns = useRef<Promise<unknown>>(Promise.resolve());
  const inTurn = useCallback(<T>(work: () => Promise<T>): Promise<T> => {
    const done = turns.current.then(work, work);
    turns.current = done;
    return done;
  }, []);
  const withDraft = useCallback(
    <T>(work: () => Promise<T>) =>
      inTurn(async () => {
        if (!isWritten.current) {
          isNeeded.current = true;
          autosave.schedule(last.current);
          await autosave.flush();
        }
        return work();
      }),
    [inTurn, autosave],
  );
  useEffect(() => {
    /** Deletes a draft without input, unless files wait for it. The view may stay all the same: the next input saves the draft again. */
    const discardBlank = async () => {
      const draft = last.current;
      if (blank(draft)) {
        const isDeleted = await withBinding(id, (binding) => commands.discardBlankDraft(binding, draft.key)).catch(
          () => !isWritten.current,
        );
        isWritten.current = !isDeleted;
        if (isDeleted) isNeeded.current = false;
        // What was typed meanwhile may have been written before the deletion.
        if (last.current !== draft) autosave.schedule(last.current);
      }
      await autosave.flush();
    };
    return registerAutosave(async (comesBack) => {
      await autosave.flush();
      if (comesBack !== true && blank(last.current)) await inTurn(discardBlank);
      invalidateDrafts(client, id);
    });
  }, [registerAutosave, inTurn, client, id, autosave, blank]);
  const { content } = state.draft;
  const entered = useMemo(() => withoutEmptyEnd(content), [content]);
  const [calculation, setCalculation, isCalculationLate] = useCalculation(id, entered);
  return {
    state,
    dispatch,
    autosave,
    withDraft,
    filling: fills > 0,
    trackFill,
    calculation,
    isCalculationLate,
    setCalculation,
  };
}

/** Writes what waits for a paint as soon as the window may be closed. */
function useFlushOnLeave({ flush }: Autosave<Draft>): void {
  useEffect(() => {
    const onLeave = () => void flush().catch(() => undefined);
    const leaves = ["blur", "pagehide"];
    for (const leave of leaves) window.addEventListener(leave, onLeave);
    return () => {
      for (const leave of leaves) window.removeEventListener(leave, onLeave);
    };
  }, [flush]);
}

/**
 * Totals of the current content, and whether they take long. An outdated answer is dropped; the last totals stay until newer ones arrive.
 */
export function useCalculation(
  organization: string,
  content: InvoiceContent,
): [Calculation | null, (calculation: Calculation) => void, boolean] {
  const [calculation, setCalculation] = useState<Calculation | null>(null);
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    let overtaken = false;
    let late: ReturnType<typeof setTimeout> | undefined;
    const timer = setTimeout(async () => {
      late = setTimeout(() => setIsLate(true), LATE_MS);
      try {
        const answer = await withBinding(organization, (binding) => commands.calculate(binding, content));
        if (!overtaken) setCalculation(answer);
      } catch (thrown) {
        // The window has been bound to another organization, so the totals are not needed.
        if (!overtaken && commandError(thrown).kind !== "staleBinding") setCalculation(null);
      }
      clearTimeout(late);
      if (!overtaken) setIsLate(false);
    }, CALCULATE_MS);
    return () => {
      overtaken = true;
      clearTimeout(timer);
      clearTimeout(late);
    };
  }, [organization, content]);
  return [calculation, setCalculation, isLate];
}
