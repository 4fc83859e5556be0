/** The view that the shell of a window begins with. It is mounted anew after a switch to another organization. */

import type { View } from "./navigation";

let next: View | null = null;

/** Sets the view of the next switch; `null` for the usual one. */
export function openFirst(view: View | null): void {
  next = view;
}

/** The view to begin with, once. */
export function takeFirstView(): View {
  const view = next;
  next = null;
  return view ?? { name: "invoices" };
}
