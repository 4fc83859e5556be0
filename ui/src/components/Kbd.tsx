/** Keyboard shortcut beside its command. */

import { keyCaps } from "./shortcuts";

/** Hidden from assistive technology: the command itself has `aria-keyshortcuts`, or names this by `id` as its description. */
export function Kbd({ keys, variant = "quiet", id }: { keys: string; variant?: "quiet" | "onAccent"; id?: string }) {
  const stateClasses = variant === "onAccent" ? "border-current" : "border-line-strong text-fg-2";
  return (
    <kbd
      id={id}
      dir="ltr"
      aria-hidden="true"
      className={`inline-flex max-narrow:hidden shrink-0 items-center rounded-sm border px-1 font-sans text-2xs ${stateClasses}`}
    >
      {keyCaps(keys).join(" ")}
    </kbd>
  );
}
