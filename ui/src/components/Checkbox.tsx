/** Checkbox, and its indicator alone for rows that handle selection themselves. */

import { Check, Minus } from "lucide-react";
import { Checkbox as AriaCheckbox, type CheckboxProps } from "react-aria-components";

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

export function Checkbox({ children, ...props }: Omit<CheckboxProps, "className" | "children"> & { children: string }) {
  return (
    <AriaCheckbox {...props} className="flex min-h-7 items-center gap-2 rounded-sm">
      {({ isSelected, isIndeterminate }) => (
        <>
          <CheckboxIndicator checked={isSelected} indeterminate={isIndeterminate} />
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}
