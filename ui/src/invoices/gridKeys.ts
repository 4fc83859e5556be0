/** Where a key takes the active row. */

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The new index, or `null` if the key does not move. */
export function rowAfterKey(pressed: KeyPress, active: number, total: number, page: number): number | null {
  if (total === 0 || pressed.altKey) return null;
  const to = target(pressed.key, active, total, page);
  return to === null ? null : Math.min(Math.max(to, 0), total - 1);
}

function target(key: string, active: number, total: number, page: number): number | null {
  switch (key) {
    case "ArrowDown":
      return active + 1;
    case "ArrowUp":
      return active - 1;
    case "PageDown":
      return active + page;
    case "PageUp":
      return active - page;
    case "Home":
      return 0;
    case "End":
      return total - 1;
    default:
      return null;
  }
}
