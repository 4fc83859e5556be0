/** A shortcut where its command is found. */

import { keyCaps } from "./shortcuts";

/** Decoration: the command itself carries `aria-keyshortcuts`. */
export function Kbd({ keys, tone = "quiet" }: { keys: string; tone?: "quiet" | "onAccent" }) {
  const look = tone === "onAccent" ? "border-current" : "border-line-strong text-ink-2";
  return (
    <kbd
      dir="ltr"
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center rounded-sm border px-1 font-sans text-2xs ${look}`}
    >
      {keyCaps(keys).join(" ")}
    </kbd>
  );
}
