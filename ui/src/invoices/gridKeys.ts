/** Keyboard navigation of the grid. */

interface KeyPress {
  key: string;
  altKey: boolean;
}

/** The index after a key, or `null` if the key does not move the active row. */
export function rowAfterKey(event: KeyPress, active: number, total: number, page: number): number | null {
  if (total === 0 || event.altKey) return null;
  const to = targetRow(event.key, active, total, page);
  return to === null ? null : Math.min(Math.max(to, 0), total - 1);
}

function targetRow(key: string, active: number, total: number, page: number): number | null {
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
