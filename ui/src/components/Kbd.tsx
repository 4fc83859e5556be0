/** Keyboard shortcut beside its command. */

import { keyCaps } from "./shortcuts";

/** Hidden from assistive technology: the command itself has `aria-keyshortcuts`. */
export function Kbd({ keys, variant = "quiet" }: { keys: string; variant?: "quiet" | "onAccent" }) {
  const stateClasses = variant === "onAccent" ? "border-current" : "border-line-strong text-fg-2";
  return (
    <kbd
      dir="ltr"
      aria-hidden="true"
      className={`inline-flex max-narrow:hidden shrink-0 items-center rounded-sm border px-1 font-sans text-2xs ${stateClasses}`}
    >
      {keyCaps(keys).join(" ")}
    </kbd>
  );
}
