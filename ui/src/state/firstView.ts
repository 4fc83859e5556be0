/** The view that the window shows first after a switch to another organization, whose shell is mounted anew. */

import type { View } from "./navigation";

let next: View | null = null;

/** Sets the view of the next switch; `null` for the usual one. */
export function openFirst(view: View | null): void {
  next = view;
}

/** The view to begin with, once. */
export function takeFirstView(): View {
  const view = next ?? { name: "invoices" };
  next = null;
  return view;
}
