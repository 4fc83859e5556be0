/** The box of a checkbox, alone for rows that handle selection themselves. */

import { Check, Minus } from "lucide-react";

export function CheckboxIndicator({ checked, indeterminate = false }: { checked: boolean; indeterminate?: boolean }) {
  const stateClasses = checked || indeterminate ? "border-accent bg-accent text-accent-fg" : "border-control bg-surface";
  return (
    <span
      aria-hidden="true"
      className={`inline-flex size-4 shrink-0 items-center justify-center rounded-sm border ${stateClasses}`}
    >
      {indeterminate ? <Minus size={12} strokeWidth={3} /> : checked && <Check size={12} strokeWidth={3} />}
    </span>
  );
}
