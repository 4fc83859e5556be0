/** The columns of an exported file. */

import type { ListColumn } from "../ipc/bindings";
import { shownColumns } from "../listSettings/columns";

/**
 * By the names of the service: those of the list in their order, with the currency of its amounts. The
 * service chooses for a list with the usual ones.
 */
export function exportedColumns(settings: readonly ListColumn[]): string[] {
  if (settings.length === 0) return [];
  const shown = shownColumns(settings).filter(({ column }) => column.name !== "submission");
  const names: string[] = shown.map(({ column }) => column.name);
  const amount = shown.findIndex(({ column }) => column.amount);
  if (amount !== -1) names.splice(amount, 0, "currency");
  return names;
}
