/** Form fields with their label above and what is wrong with them below. */

import { CircleAlert } from "lucide-react";
import type { ReactNode, Ref } from "react";
import {
  type TextFieldProps as AriaProps,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from "react-aria-components";

export interface TextFieldProps extends Omit<AriaProps, "className" | "style" | "children"> {
  label: string;
  hint?: string;
  /** Figures, ids and codes keep their own direction. */
  figures?: boolean;
  multiline?: boolean;
  placeholder?: string;
  inputRef?: Ref<HTMLInputElement>;
  /** Who writes in both languages has fields whose direction is fixed. */
  dir?: "ltr" | "rtl" | "auto";
}

export const inputClass =
  "w-full min-w-0 rounded-md border border-edge bg-surface px-2 py-1 text-ink data-[hovered]:border-ink-3 data-[invalid]:border-danger data-[disabled]:border-line data-[disabled]:bg-sunken read-only:bg-sunken read-only:border-line";

export function TextField({
  label,
  hint,
  figures = false,
  multiline = false,
  placeholder,
  inputRef,
  dir,
  ...props
}: TextFieldProps) {
  const look = `${inputClass} ${figures ? "figures" : ""}`;
  const direction = dir ?? (figures ? "ltr" : "auto");
  return (
    <AriaTextField {...props} className="flex min-w-0 flex-col gap-1">
      <FieldLabel isRequired={props.isRequired}>{label}</FieldLabel>
      {multiline ? (
        <TextArea rows={2} dir={direction} placeholder={placeholder} className={`${look} resize-y`} />
      ) : (
        <Input ref={inputRef} dir={direction} placeholder={placeholder} className={`${look} h-8`} />
      )}
      {hint && (
        <Text slot="description" className="text-ink-3 text-xs">
          {hint}
        </Text>
      )}
      <FieldErrorMessage />
    </AriaTextField>
  );
}

export function FieldLabel({ children, isRequired = false }: { children: ReactNode; isRequired?: boolean | undefined }) {
  return (
    <Label className="text-ink-2 text-xs">
      {children}
      {isRequired && (
        <span aria-hidden="true" className="text-danger">
          {" *"}
        </span>
      )}
    </Label>
  );
}

/** What is wrong with the field around it, in words and with a shape. */
export function FieldErrorMessage() {
  return (
    <FieldError className="flex items-start gap-1 text-danger text-xs">
      {({ validationErrors }) =>
        validationErrors.length > 0 && (
          <>
            <CircleAlert size={13} aria-hidden="true" className="mt-px shrink-0" />
            <span>{validationErrors.join(" ")}</span>
          </>
        )
      }
    </FieldError>
  );
}
