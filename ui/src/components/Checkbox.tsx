/** Checkbox with a label. */

import { Checkbox as AriaCheckbox, type CheckboxProps } from "react-aria-components";
import { CheckboxIndicator } from "./CheckboxIndicator";

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
