/** A form about something that somebody else has changed since it was opened: their values, but for what was typed. */

/** A part of a form that is changed as a whole. */
export interface FormPart<F> {
  label: string;
  /** Its value in words. Values with the same words are the same. */
  words: (form: F) => string;
  /** The form with the value that another one has. */
  take: (form: F, from: F) => F;
}

/** What somebody else has changed of a part. */
export interface FormChange {
  label: string;
  before: string;
  after: string;
  /** What was typed in its place; `null` if nothing was, or the same. */
  typed: string | null;
}

/** `base` is what the form began with. */
export function mergeForm<F>(
  parts: readonly FormPart<F>[],
  { base, typed, theirs }: { base: F; typed: F; theirs: F },
): { form: F; changes: FormChange[] } {
  const changes: FormChange[] = [];
  let form = theirs;
  for (const { label, words, take } of parts) {
    const before = words(base);
    const mine = words(typed);
    const after = words(theirs);
    if (mine !== before) form = take(form, typed);
    if (after !== before) changes.push({ label, before, after, typed: mine === before || mine === after ? null : mine });
  }
  return { form, changes };
}
