/** Text fields with a label above and error messages below. */

import { CircleAlert } from "lucide-react";
import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import {
  type TextFieldProps as AriaProps,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from "react-aria-components";
import { useLocalizer } from "../i18n/LocalizerProvider";

export interface TextFieldProps extends Omit<AriaProps, "className" | "style" | "children"> {
  label: string;
  /** For a field in a table, whose header says it. */
  isLabelHidden?: boolean;
  hint?: string;
  /** For numbers, ids and codes: tabular digits, left to right. */
  numeric?: boolean;
  multiline?: boolean;
  placeholder?: string;
  inputRef?: Ref<HTMLInputElement>;
  /** Further properties of the input, as those of a combobox. */
  inputProps?: InputHTMLAttributes<HTMLInputElement>;
  /** Fixes the direction of a field whose language is known. */
  dir?: "ltr" | "rtl" | "auto";
}

export const inputClass =
  "w-full min-w-0 rounded-md border border-control bg-surface px-2 py-1 text-fg data-[hovered]:border-fg-3 data-[invalid]:border-danger data-[disabled]:border-line data-[disabled]:bg-sunken read-only:bg-sunken read-only:border-line";

export function TextField({
  label,
  isLabelHidden = false,
  hint,
  numeric = false,
  multiline = false,
  placeholder,
  inputRef,
  inputProps,
  dir,
  ...props
}: TextFieldProps) {
  const stateClasses = `${inputClass} ${numeric ? "numeric" : ""}`;
  // An empty field begins where the language of the window begins; that of a text is read from it.
  const direction = dir ?? (numeric ? "ltr" : props.value === "" ? undefined : "auto");
  return (
    <AriaTextField {...props} className="flex min-w-0 flex-col gap-1">
      {isLabelHidden ? (
        <Label className="visually-hidden">{label}</Label>
      ) : (
        <FieldLabel isRequired={props.isRequired}>{label}</FieldLabel>
      )}
      {multiline ? (
        <TextArea rows={2} dir={direction} placeholder={placeholder} className={`${stateClasses} resize-y`} />
      ) : (
        <Input {...inputProps} ref={inputRef} dir={direction} placeholder={placeholder} className={`${stateClasses} h-8`} />
      )}
      {hint && (
        <Text slot="description" className="text-fg-3 text-xs">
          {hint}
        </Text>
      )}
      <FieldErrorMessage />
    </AriaTextField>
  );
}

export function FieldLabel({ children, isRequired = false }: { children: ReactNode; isRequired?: boolean | undefined }) {
  return (
    <Label className="text-fg-2 text-xs">
      {children}
      {isRequired && (
        <span aria-hidden="true" className="text-danger">
          {" *"}
        </span>
      )}
    </Label>
  );
}

/** Validation messages of the enclosing field, with an icon. */
export function FieldErrorMessage() {
  return (
    <FieldError className="flex items-start gap-1 text-danger text-xs">
      {({ validationErrors, validationDetails }) => (
        <ErrorText errors={validationErrors} isMissing={validationDetails.valueMissing} />
      )}
    </FieldError>
  );
}

/** The web view has words for a missing value too, but in the language of the system. */
function ErrorText({ errors, isMissing }: { errors: readonly string[]; isMissing: boolean }) {
  const { t } = useLocalizer();
  const text = isMissing ? t("value-needed") : errors.join(" ");
  return (
    text !== "" && (
      <>
        <CircleAlert size={13} aria-hidden="true" className="mt-px shrink-0" />
        <span>{text}</span>
      </>
    )
  );
}
