// How long the parts of a flow took, for its last line: where its time goes.

const parts = new Map();

/** Adds a part of the flow that took as long. */
export function addDuration(name, milliseconds) {
  const { count, sum } = parts.get(name) ?? { count: 0, sum: 0 };
  parts.set(name, { count: count + 1, sum: sum + milliseconds });
}

/** Does a part of the flow, which may hold others, and adds how long it took. */
export async function timed(name, work) {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    addDuration(name, performance.now() - begun);
  }
}

/** In seconds, with one decimal. */
export const inSeconds = (milliseconds) => `${Math.round(milliseconds / 100) / 10} s`;

/** The parts since it was called before, with how often each was done. */
export function takeDurations() {
  const told = [...parts].map(([name, { count, sum }]) => `${name} ${inSeconds(sum)}${count === 1 ? "" : ` (${count})`}`);
  parts.clear();
  return told.join(", ");
}
