/** A draft in the hands of a person: what is typed, kept at once, with live totals. */

import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { useNavigation } from "../app/navigation";
import { useWorkplace } from "../app/workplace";
import { draftsHaveChanged } from "../drafts/draftsQuery";
import type { Calculation, Draft } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { atPlace } from "../session/atPlace";
import { type EditorAction, type EditorState, edit, isBlank, startEditing } from "./draftReducer";
import { createKeeper, type Kept } from "./keeper";

/** Totals are asked for once typing rests this long. */
const CALCULATE_MS = 120;

export interface DraftEditor {
  state: EditorState;
  dispatch: Dispatch<EditorAction>;
  kept: Kept;
  calculation: Calculation | null;
  /** Takes the calculation that a submission has made of what is typed now. */
  calculated: (calculation: Calculation) => void;
  /** Everything typed is kept, or this rejects. */
  flush: () => Promise<void>;
  /** Nothing more is kept: the draft has become a document, or is thrown away. */
  stop: () => void;
}

export function useDraftEditor(initial: Draft): DraftEditor {
  const client = useQueryClient();
  const { organization } = useWorkplace();
  const { beforeLeaving } = useNavigation();
  const [state, dispatch] = useReducer(edit, initial, startEditing);
  const [kept, setKept] = useState<Kept>({ state: "kept" });
  const { id } = organization;
  const keeper = useMemo(() => createKeeper<Draft>((draft) => atPlace(id, (at) => commands.saveDraft(at, draft)), setKept), [id]);

  const last = useRef(initial);
  useEffect(() => {
    if (state.draft === last.current) return;
    last.current = state.draft;
    keeper.keep(state.draft);
  }, [keeper, state.draft]);
  useEffect(
    () =>
      beforeLeaving(async () => {
        await keeper.flush();
        // A form that was only opened leaves nothing behind.
        if (isBlank(last.current)) {
          keeper.stop();
          await atPlace(id, (at) => commands.discardDraft(at, last.current.key)).catch(() => undefined);
        }
        draftsHaveChanged(client, id);
      }),
    [beforeLeaving, client, id, keeper],
  );
  const [calculation, calculated] = useCalculation(id, state.draft);
  return { state, dispatch, kept, calculation, calculated, flush: keeper.flush, stop: keeper.stop };
}

/** Totals of what is typed. An answer that is overtaken by typing is dropped; the last totals stay until there are newer ones. */
function useCalculation(organization: string, { content }: Draft): [Calculation | null, (calculation: Calculation) => void] {
  const [calculation, setCalculation] = useState<Calculation | null>(null);
  useEffect(() => {
    let overtaken = false;
    const timer = setTimeout(async () => {
      try {
        const answer = await atPlace(organization, (at) => commands.calculate(at, content));
        if (!overtaken) setCalculation(answer);
      } catch (thrown) {
        // A window that has just been taken to another organization needs no totals.
        if (!overtaken && commandError(thrown).kind !== "stalePlace") setCalculation(null);
      }
    }, CALCULATE_MS);
    return () => {
      overtaken = true;
      clearTimeout(timer);
    };
  }, [organization, content]);
  return [calculation, setCalculation];
}
