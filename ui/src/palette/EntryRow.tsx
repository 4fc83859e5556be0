/** One entry of the command palette, with the letters that fit marked. */

import { Fragment, type ReactNode } from "react";
import { NameText, NumericText, Separator } from "../components/BidiText";
import { Kbd } from "../components/Kbd";
import { ariaKeyShortcuts } from "../components/shortcuts";
import type { PaletteEntry } from "./useEntries";

export interface EntryRowProps {
  id: string;
  entry: PaletteEntry;
  ranges: readonly (readonly [number, number])[];
  active: boolean;
  onActive: () => void;
  onChoose: () => void;
}

export function EntryRow({ id, entry, ranges, active, onActive, onChoose }: EntryRowProps) {
  return (
    // The field has the focus and handles the keys (WAI-ARIA APG, "Combobox Pattern").
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={active}
      {...(entry.keys ? { "aria-keyshortcuts": ariaKeyShortcuts(entry.keys) } : {})}
      onPointerMove={active ? undefined : onActive}
      onClick={onChoose}
      className={`flex min-h-8 items-center gap-2.5 rounded-md px-2.5 py-1 ${active ? "bg-accent-soft" : ""}`}
    >
      <span className={`inline-flex w-5 shrink-0 justify-center ${active ? "text-accent" : "text-fg-3"}`}>{entry.icon}</span>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2.5">
        <bdi dir="auto" className="numeric max-w-full truncate">
          {marked(entry.label, ranges)}
        </bdi>
        {entry.detail && entry.detail.length > 0 && (
          // A name of the other script, and a date beside it, keep their own directions.
          <span className="min-w-0 truncate text-fg-2 text-xs">
            {entry.detail.map((text, index) => (
              <Fragment key={text}>
                {index > 0 && (
                  <>
                    {" "}
                    <Separator />{" "}
                  </>
                )}
                <NameText>{text}</NameText>
              </Fragment>
            ))}
          </span>
        )}
      </span>
      {entry.amount && <NumericText className="shrink-0 text-xs">{entry.amount}</NumericText>}
      {entry.keys && <Kbd keys={entry.keys} />}
    </div>
  );
}

/** The text with the ranges underlined: another weight would break the joins of Arabic letters. */
function marked(text: string, ranges: EntryRowProps["ranges"]): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const [from, to] of ranges) {
    parts.push(text.slice(end, from));
    parts.push(
      <mark key={from} className="bg-transparent text-inherit underline decoration-2 decoration-accent underline-offset-2">
        {text.slice(from, to)}
      </mark>,
    );
    end = to;
  }
  parts.push(text.slice(end));
  return parts;
}
