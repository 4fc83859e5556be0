/** What has ended between two answers. */

export interface Watched {
  id: string;
  underWay: boolean;
}

/** The items that were under way before and are not now. What is seen for the first time has ended earlier. */
export function newlyEnded<T extends Watched>(before: readonly Watched[], now: readonly T[]): T[] {
  const wasUnderWay = new Set(before.filter(({ underWay }) => underWay).map(({ id }) => id));
  return now.filter(({ id, underWay }) => !underWay && wasUnderWay.has(id));
}
