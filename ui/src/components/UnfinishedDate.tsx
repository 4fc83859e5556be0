/** The text of a date that is not finished: told while its parts are typed, and shown in them when the field is shown again. */

import { use, useEffect, useState } from "react";
import { type DateFieldState, DateFieldStateContext } from "react-aria-components";
import { withLatinDigits } from "../i18n/digits";
import { useLatest } from "./useLatest";

export interface UnfinishedDateProps {
  /** A text that the parts do not show yet, as after the field was left; `null`: there is none. */
  held: string | null;
  /** Gets what the parts show while they are not the date that the field has, and then `null`. */
  onChange: (text: string | null) => void;
}

const PARTS = ["day", "month", "year"] as const;

interface Part {
  name: (typeof PARTS)[number];
  /** `null`: it is not typed. */
  value: number | null;
}

/** Within a date field, whose state it reads. */
export function UnfinishedDate({ held, onChange }: UnfinishedDateProps) {
  const state = use(DateFieldStateContext);
  const text = state && unfinishedText(state);
  const latest = useLatest(onChange);
  const latestState = useLatest(state);
  const [restoring, setRestoring] = useState<{ held: string | null; parts: readonly Part[] }>({ held: null, parts: [] });
  // A disabled field takes no parts.
  const wanted = !state || state.isDisabled ? null : held;
  if (wanted !== restoring.held) {
    setRestoring({ held: wanted, parts: wanted === null || !state ? [] : partsOf(wanted, state.segments) });
  }
  const [part] = restoring.parts;
  useEffect(() => {
    if (!part) return;
    // Each in a render of its own: the state does not know of one that was set just before.
    if (part.value === null) latestState.current?.clearSegment(part.name);
    else latestState.current?.setSegment(part.name, part.value);
    setRestoring((before) => ({ ...before, parts: before.parts.filter((each) => each !== part) }));
  }, [part, latestState]);
  const isRestoring = part !== undefined;
  useEffect(() => {
    if (!isRestoring) latest.current(text);
  }, [text, isRestoring, latest]);
  return null;
}

function unfinishedText({ segments, value }: DateFieldState): string | null {
  const isUntyped = (part: string) => segments.every(({ type, isPlaceholder }) => type !== part || isPlaceholder);
  if (PARTS.every(isUntyped)) return null;
  const isHeld = PARTS.every((part) => segments.find(({ type }) => type === part)?.value === value?.[part]);
  return isHeld ? null : segments.map(({ text }) => text).join("");
}

/** The parts of a text, those that are typed first; none if the field would show the text in another way, as in another language. */
function partsOf(text: string, segments: DateFieldState["segments"]): readonly Part[] {
  const pattern = segments.map((segment) => (isPart(segment.type) ? "(.+?)" : escaped(segment.text))).join("");
  const found = new RegExp(`^${pattern}$`, "u").exec(text);
  if (!found) return [];
  const shown = segments.flatMap(({ type, placeholder }) => (isPart(type) ? [{ name: type, placeholder }] : []));
  const parts = shown.map(({ name }, index): Part => {
    const digits = withLatinDigits(found[index + 1] ?? "");
    return { name, value: /^\d+$/.test(digits) ? Number(digits) : null };
  });
  if (parts.some(({ value }, index) => value === null && found[index + 1] !== shown[index]?.placeholder)) return [];
  const typed = parts.filter(({ value }) => value !== null);
  return typed.length === 0 ? [] : [...typed, ...parts.filter(({ value }) => value === null)];
}

function isPart(type: string): type is Part["name"] {
  return (PARTS as readonly string[]).includes(type);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
