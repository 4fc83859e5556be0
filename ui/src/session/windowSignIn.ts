/** The commands of signing in of the signed-in window, whose last error is shown above its screen. */

import { createContext, use } from "react";
import type { SignIn } from "./useSignIn";

export const WindowSignInContext = createContext<SignIn | null>(null);

export function useWindowSignIn(): SignIn {
  const signIn = use(WindowSignInContext);
  if (!signIn) throw new Error("outside of the signed-in window");
  return signIn;
}
