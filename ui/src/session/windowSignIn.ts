/** The commands of signing in of the signed-in window, whose last error is shown above its screen. */

import { createContext, use, useMemo, useRef } from "react";
import type { Autosaving } from "../state/navigation";
import { type SignIn, useSignIn } from "./useSignIn";

export const WindowSignInContext = createContext<SignIn | null>(null);

export function useWindowSignIn(): SignIn {
  const signIn = use(WindowSignInContext);
  if (!signIn) throw new Error("outside of the signed-in window");
  return signIn;
}

/**
 * As `useSignIn`. What is typed is saved before a sign-in begins: another person may sign in, which ends the view. If that fails the view
 * stays, because it shows the error.
 */
export function useSignInAfterSaving(save: Autosaving): SignIn {
  const signIn = useSignIn();
  const isSaving = useRef(false);
  return useMemo(
    () => ({
      ...signIn,
      start: (environment, remember) => {
        if (isSaving.current) return;
        isSaving.current = true;
        const begin = () => signIn.start(environment, remember);
        void save(true)
          .then(begin, () => undefined)
          .finally(() => {
            isSaving.current = false;
          });
      },
    }),
    [signIn, save],
  );
}
