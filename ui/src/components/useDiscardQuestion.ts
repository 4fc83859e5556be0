/** The question before a dialog is closed with what was typed in it. */

import { useEffect, useState } from "react";

export interface DiscardQuestion {
  /** Whether it is asked. Closing once more discards what was typed. */
  asking: boolean;
  close: () => void;
  /** Takes the question back: who types on has not discarded anything, and is asked again. */
  keep: () => void;
}

/** The question of a form that is a part of a dialog: it is asked before either of them goes. */
export interface FormDiscardQuestion extends DiscardQuestion {
  /** Leaves the form by `then`, as `close` does the dialog. */
  leave: (then: () => void) => void;
  tell: (typed: boolean) => void;
}

/** `typed`: whether anything would be lost. */
export function useDiscardQuestion(typed: boolean, onClose: () => void): DiscardQuestion {
  const { asking, leave, keep } = useQuestion(typed);
  return { asking, close: () => leave(onClose), keep };
}

/** For a dialog that has forms among other content: `useTypedInForm` tells it what would be lost. */
export function useFormDiscardQuestion(onClose: () => void): FormDiscardQuestion {
  const [typed, setTyped] = useState(false);
  const { asking, leave, keep } = useQuestion(typed);
  return { asking, close: () => leave(onClose), keep, leave, tell: setTyped };
}

/** Tells the dialog of a form whether anything would be lost, until the form is gone. */
export function useTypedInForm(typed: boolean, { tell }: FormDiscardQuestion): void {
  useEffect(() => {
    tell(typed);
    return () => tell(false);
  }, [typed, tell]);
}

function useQuestion(typed: boolean) {
  const [asked, setAsked] = useState(false);
  // Nothing is asked about a form that has gone since, or whose text is again what it was.
  const asking = asked && typed;
  return {
    asking,
    leave: (then: () => void) => {
      if (typed && !asking) setAsked(true);
      else then();
    },
    keep: () => setAsked(false),
  };
}
